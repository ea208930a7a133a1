// Writes docs/rules.md from the table of rules.
//
//   rules_page               prints the page
//   rules_page FILE          compares FILE with it: exit code 1 and a message if they differ
#include <jsonheal/edits.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

namespace {

// Some samples hold line ends, tabs and bytes that are not ASCII; the page shows each so that it can be seen.
std::string visible(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '\n') {
            out += "\xE2\x8F\x8E"; // a return sign
        } else if (byte == '\t') {
            out += "\xE2\x87\xA5"; // a tabulator sign
        } else if (byte < 0x20 || byte > 0x7E) {
            char hex[8];
            std::snprintf(hex, sizeof hex, "<%02X>", static_cast<unsigned>(byte));
            out += hex;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string page() {
    std::string out =
        "# Repair rules\n\n"
        "Generated from `include/jsonheal/rules.def`; `make docs` writes it anew. Every edit of a "
        "healing names one of these rules.\n\n"
        "The risk says how sure a change is: `exact` (only one reading) < `likely` (the best of several) < "
        "`invented` (something\nput in that no input byte spells) < `lossy` (content dropped, or perhaps "
        "dropped). `--max-risk` sets a ceiling.\n\n"
        "In the examples \xE2\x8F\x8E is a line end, \xE2\x87\xA5 a tab and `<FF>` a byte.\n\n"
        "| rule | risk | what is done |\n|---|---|---|\n";
    for (const auto& row : jsonheal::rules()) {
        const std::string id(row.id);
        out += "| [" + id + "](#" + id + ") | " + std::string(jsonheal::name(row.risk)) + " | " +
               std::string(row.meaning) + " |\n";
    }
    for (const auto& row : jsonheal::rules()) {
        out += "\n### " + std::string(row.id) + "\n\n";
        out += std::string(jsonheal::name(row.risk)) + ": " + std::string(row.meaning) + ".\n\n";
        // Four backticks, since one sample is itself a fence of three.
        out += "````text\nbefore  " + visible(row.before) + "\nafter   " + visible(row.after) + "\n````\n";
    }
    return out;
}

} // namespace

int main(int argc, char** argv) {
    const std::string wanted = page();
    if (argc < 2) {
        std::cout << wanted;
        return 0;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::string found(std::istreambuf_iterator<char>(file), {});
    if (found == wanted) { return 0; }
    std::cerr << argv[1] << " does not agree with include/jsonheal/rules.def: run `make docs`\n";
    return 1;
}

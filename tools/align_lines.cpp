// Model texts to aligned values, one JSON record a line: {"id", "input", "schema"} in, {"id", "fits", "risk", "value", "changes"}
// out. Every candidate in the text is healed and aligned, and the text itself is one as a string; the cheapest that fits is
// taken. With --lenient all coercions are allowed. For tools/measure_align.py.
#include <jsonheal/align.hpp>
#include <jsonheal/extract.hpp>
#include <jsonheal/heal.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jsonheal;

align_options lenient() {
    align_options o;
    o.max_risk = risk::lossy;
    o.defaults = true;
    o.fractions = true;
    return o;
}

/// What the text may mean: the healed whole, each value in it, all of them as a list, and the text itself. Where only a
/// string is wanted, that is the text itself.
std::vector<std::string> readings(const std::string& text, const schema::program& program) {
    std::vector<std::string> all;
    if (program.root().kinds() == kind_set().add(value_kind::string) && !program.root().values()) {
        encode_string(text, all.emplace_back());
        return all;
    }
    const healing h = heal(std::string_view(text));
    if (h.ok()) { all.emplace_back(h.json()); }
    std::string list = "[";
    const std::vector<candidate> found = extract(text);
    for (const candidate& c : found) {
        all.push_back(c.json);
        list += (list.size() == 1 ? "" : ",") + c.json;
    }
    if (found.size() > 1) { all.push_back(list + "]"); }
    std::string quoted;
    encode_string(text, quoted);
    all.push_back(quoted);
    return all;
}

alignment best_of(const std::string& text, const schema::program& program, const align_options& options) {
    alignment best;
    for (std::string& reading : readings(text, program)) {
        const parse_result value = document::parse(std::move(reading));
        if (!value) { continue; }
        alignment a = align(value.value, program, options);
        if (a.fits && (!best.fits || a.cost < best.cost)) { best = std::move(a); }
    }
    return best;
}

void write_answer(std::string_view id, const alignment& a) {
    std::string out = "{\"id\":";
    out.append(id).append(",\"fits\":").append(a.fits ? "true" : "false");
    if (a.fits) { out.append(",\"risk\":\"").append(name(a.risk)).append("\",\"value\":").append(a.json); }
    out += ",\"changes\":[";
    for (const change& c : a.changes) {
        if (&c != a.changes.data()) { out += ','; }
        out += '[';
        encode_string(info(c.rule).id, out);
        out += ',';
        encode_string(c.pointer, out);
        out += ']';
    }
    std::string line;
    compact(out + "]}", line);
    std::cout << line << '\n';
}

} // namespace

int main(int argc, char** argv) {
    const align_options options =
        argc > 1 && std::string_view(argv[1]) == "--lenient" ? lenient() : align_options{};
    for (std::string line; std::getline(std::cin, line);) {
        const parse_result record = document::parse(line);
        const auto input = record ? record.value.root().find("input") : std::nullopt;
        const auto source = record ? record.value.root().find("schema") : std::nullopt;
        const auto id = record ? record.value.root().find("id") : std::nullopt;
        if (!input || !source || !id) {
            std::cerr << "a record without input, schema or id\n";
            return 2;
        }
        const auto compiled = schema::compile(document::parse(std::string(source->source())).value);
        write_answer(id->source(), best_of(input->string(), compiled.value, options));
    }
    return 0;
}

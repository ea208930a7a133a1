#include "records.hpp"

#include <iterator>

namespace jsonheal::bench {
namespace {

constexpr const char* words[] = {
    "weather",          "Paris",       "the order was shipped",     "caf\xC3\xA9",
    "total amount due", "see page 12", "https://example.org/a?b=c", "line one, line two"};

std::string word(std::size_t i) { return words[i % std::size(words)]; }

std::string valid_record(std::size_t i) {
    const std::string n = std::to_string(i);
    return "  {\"id\": " + n + ", \"title\": \"" + word(i) + "\", \"score\": " + n +
           ".25, \"active\": " + (i % 3 == 0 ? "true" : "false") + ", \"parent\": null, \"tags\": [\"" +
           word(i + 1) + "\", \"" + word(i + 2) + "\"]}";
}

// The same record. Every kind of damage has one reading only, so that the answer can be checked by value.
std::string broken_record(std::size_t i) {
    const std::string n = std::to_string(i);
    return "  /* " + n + " */ {id: " + n + ", 'title': '" + word(i) + "', score: " + n +
           ".25, \"active\": " + (i % 3 == 0 ? "True" : "False") + ", 'parent': None, \"tags\": [\"" +
           word(i + 1) + "\" \"" + word(i + 2) + "\",],}";
}

} // namespace

record_texts make_records(std::size_t bytes) {
    record_texts texts;
    texts.valid = "[\n";
    texts.broken = "Here is the list:\n[\n";
    for (std::size_t i = 0; texts.valid.size() < bytes; ++i) {
        texts.valid += (i == 0 ? "" : ",\n") + valid_record(i);
        // One comma in eight is lost between records.
        texts.broken += (i == 0 ? "" : i % 8 == 0 ? "\n" : ",\n") + broken_record(i);
    }
    texts.late_fault = texts.valid + ",\n]\n";
    texts.valid += "\n]\n";
    texts.broken += "\n]\n";
    return texts;
}

} // namespace jsonheal::bench

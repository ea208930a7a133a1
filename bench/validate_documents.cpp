#include "validate_documents.hpp"

#include <iterator>

namespace jsonheal::bench {
namespace {

constexpr const char* words[] = {
    "weather",          "Paris",       "the order was shipped",     "caf\xC3\xA9",
    "total amount due", "see page 12", "https://example.org/a?b=c", "line one, line two"};

std::string word(std::size_t i) { return words[i % std::size(words)]; }

/// Digits that look random.
std::size_t mixed(std::size_t i) { return (i + 1) * 0x9E3779B97F4A7C15U >> 20; }

/// A record with its blanks: `colon` and `comma` within, `line` before each member.
void add_record(std::string& out, std::size_t i, const std::string& colon, const std::string& comma,
                const std::string& line, const std::string& last) {
    const std::string n = std::to_string(i);
    out += "{" + line + "\"id\"" + colon + n + comma + line + "\"title\"" + colon + "\"" + word(i) + "\"" +
           comma + line + "\"score\"" + colon + n + ".25" + comma + line + "\"active\"" + colon +
           (i % 3 == 0 ? "true" : "false") + comma + line + "\"parent\"" + colon + "null" + comma + line +
           "\"tags\"" + colon + "[" + line + "\"" + word(i + 1) + "\"" + comma + line + "\"" + word(i + 2) +
           "\"" + last + "]" + last + "}";
}

void minified(std::string& out, std::size_t i) { add_record(out, i, ":", ",", "", ""); }
void spaced(std::string& out, std::size_t i) { add_record(out, i, ": ", ", ", "", ""); }
void pretty(std::string& out, std::size_t i) { add_record(out, i, ": ", ",", "\n      ", "\n    "); }

void integers(std::string& out, std::size_t i) { out += std::to_string(mixed(i) >> mixed(i * 7) % 40); }

void floats(std::string& out, std::size_t i) {
    const auto digits = [](std::size_t n) { return std::to_string(n % 1'000'000'007); };
    out += "[-" + std::to_string(mixed(i) % 180) + "." + digits(mixed(i + 1)) + "," +
           std::to_string(mixed(i + 2) % 90) + "." + digits(mixed(i + 3)) + "," + std::to_string(i) + ",1." +
           digits(mixed(i + 4)) + "e-07]";
}

void escapes(std::string& out, std::size_t i) {
    out +=
        R"({"path":"C:\\Users\\me\\file)" + std::to_string(i) +
        R"(.txt","text":"line one\nline \"two\"\n\tthe end \u00e9\u4f60, and some plain words behind it"})";
}

void long_strings(std::string& out, std::size_t i) {
    out += '"';
    for (std::size_t k = 0; k != 60; ++k) { out += word(mixed(i + k) % 3) + " "; }
    out += '"';
}

void chinese(std::string& out, std::size_t i) {
    out += "{\"名称\":\"今天天气很好，我们去公园玩吧\",\"内容\":\"人工智能的发展改变了很多行业的工作方式。\","
           "\"n\":" +
           std::to_string(i) + "}";
}

void cyrillic(std::string& out, std::size_t i) {
    out += "{\"имя\": \"Погода сегодня хорошая, идём гулять\", \"текст\": \"Развитие технологий меняет 😀 "
           "работу 🎉 "
           "людей\", \"n\": " +
           std::to_string(i) + "}";
}

void nested(std::string& out, std::size_t i) {
    const std::size_t depth = 20 + mixed(i) % 60;
    for (std::size_t k = 0; k != depth; ++k) { out += k % 3 == 0 ? "{\"a\":" : "["; }
    out += '1';
    for (std::size_t k = depth; k-- != 0;) { out += k % 3 == 0 ? '}' : ']'; }
}

void small_values(std::string& out, std::size_t i) {
    constexpr const char* values[] = {"[]", "{}", "[1]", "{\"a\":[]}", "\"\"", "0", "null", "[[],{}]"};
    out += values[mixed(i) % std::size(values)];
}

constexpr document_sort sorts[] = {
    {"minified", minified, ","},
    {"spaced", spaced, ", "},
    {"pretty", pretty, ",\n    "},
    {"integers", integers, ","},
    {"floats", floats, ","},
    {"escapes", escapes, ","},
    {"long_strings", long_strings, ","},
    {"chinese", chinese, ","},
    {"cyrillic_emoji", cyrillic, ", "},
    {"nested", nested, ","},
    {"small_values", small_values, ","},
};

} // namespace

std::span<const document_sort> document_sorts() noexcept { return sorts; }

std::string make_document(const document_sort& sort, std::size_t bytes) {
    std::string out = "[";
    for (std::size_t i = 0; i == 0 || out.size() < bytes; ++i) {
        if (i != 0) { out += sort.between; }
        sort.add(out, i);
    }
    return out + "]";
}

} // namespace jsonheal::bench

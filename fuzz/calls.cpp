// Tool calls: any bytes in any format, whole and in chunks. The first three bytes choose format, options and chunks.
#include "target.hpp"

#include <jsonheal/calls.hpp>

namespace {

void demand(bool holds, const char* what, std::string_view text) {
    if (holds) { return; }
    std::fprintf(stderr, "%s\n  input %s\n", what, jsonheal_test::show(text).c_str());
    std::abort();
}

std::string told(const jsonheal::calls_reading& r) {
    std::string out = r.content + "\x01" + r.reasoning;
    for (const jsonheal::read_call& c : r.calls) {
        out += "\x01" + c.id + "\x02" + c.name + "\x02" + c.arguments + "\x02" + std::string(name(c.status)) +
               std::to_string(c.begin_offset) + "-" + std::to_string(c.end_offset);
    }
    return out;
}

const jsonheal::tool_set& tools() {
    static const jsonheal::tool_set_reading reading = jsonheal::tool_set::read(
        R"([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "object"},
             "d": {"type": ["string", "null"]}}}}, {"name": "g"}, {"name": "@h"}])");
    return reading.tools;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    const std::size_t formats = jsonheal::call_formats().size();
    const std::size_t format = in.byte() % (formats + 1);
    const unsigned bits = in.byte();
    std::uint32_t chunks = in.byte();
    jsonheal::call_options o;
    o.format = format == formats ? nullptr : &jsonheal::call_formats()[format];
    if ((bits & 1) == 0) { o.tools = &tools(); }
    o.open_reasoning = (bits & 2) != 0;
    o.in_reasoning = static_cast<jsonheal::dialect::reasoning_calls>((bits >> 2) % 3);
    const std::string text = in.rest();

    const jsonheal::calls_reading whole = jsonheal::read_calls(text, o);
    for (const jsonheal::read_call& c : whole.calls) {
        const auto parsed = jsonheal::document::parse(c.arguments);
        demand(static_cast<bool>(parsed), "arguments are not JSON", text);
        const auto kind = parsed.value.root().kind();
        demand(kind == jsonheal::value_kind::object || kind == jsonheal::value_kind::string,
               "arguments are no object", text);
        demand(c.begin_offset <= c.end_offset && c.end_offset <= text.size(), "a call outside the text",
               text);
    }
    jsonheal::call_reader reader(o);
    jsonheal::calls_reading pieces;
    for (std::size_t i = 0; i < text.size();) {
        chunks = chunks * 1664525u + 1013904223u;
        const std::size_t n = 1 + (chunks >> 24) % ((bits & 32) != 0 ? 1 : 9);
        jsonheal::gather(reader.feed(std::string_view(text).substr(i, n)), pieces);
        i += n;
    }
    jsonheal::gather(reader.finish(), pieces);
    demand(told(whole) == told(pieces), "chunks change the answer", text);
    (void)jsonheal::correction_message(whole, tools());
    (void)jsonheal::detect_call_format(text);
    return 0;
}

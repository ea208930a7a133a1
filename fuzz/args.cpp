// Arguments of tool calls: every function on any bytes, its answer checked against the laws that bind it. The first two bytes
// choose the tool and the options.
#include "target.hpp"

#include <jsonheal/args.hpp>
#include <jsonheal/args_command_line.hpp>
#include <jsonheal/document.hpp>

#include <iterator>

namespace {

using jsonheal::arguments;
using jsonheal::verdict;

constexpr const char* tools[] = {"", "read_file", "bash", "@coder", "Grep", "get_tide", "search", "Edit"};

void demand(bool holds, const char* what, std::string_view text) {
    if (holds) { return; }
    std::fprintf(stderr, "%s\n  input %s\n", what, jsonheal_test::show(text).c_str());
    std::abort();
}

void check(const arguments& a, std::string_view text) {
    if (!a.ok()) {
        demand(!a.why.message.empty(), "a refusal without a reason", text);
        return;
    }
    const auto parsed = jsonheal::document::parse(std::string(a.json()));
    demand(static_cast<bool>(parsed), "not JSON", text);
    const auto kind = parsed.value.root().kind();
    demand(kind == (a.several() ? jsonheal::value_kind::array : jsonheal::value_kind::object),
           "not an object", text);
    demand(jsonheal::replay(text, a.edits) == std::string(a.json()), "the edits are no proof", text);
    demand((a.verdict == verdict::truncated) == (a.cut != jsonheal::cut_place::none),
           "verdict and cut disagree", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    const char* tool = tools[in.byte() % std::size(tools)];
    const unsigned bits = in.byte();
    jsonheal::args_options o;
    o.quotes = static_cast<jsonheal::string_quotes>(bits % 3);
    o.aliases = (bits & 4) != 0;
    o.bare_values = (bits & 8) == 0;
    if ((bits & 16) != 0) { o.engine.max_risk = jsonheal::risk::likely; }
    if ((bits & 32) != 0) { o.tools = &jsonheal::tool_catalogue::standard(); }
    o.levels = bits >> 6;
    const std::string text = in.rest();
    const std::string_view view = text;

    const arguments a = jsonheal::normalize_args(tool, view, o);
    check(a, view);
    check(jsonheal::arguments_map(view, o), view);
    const arguments fields = jsonheal::read_fields(view, tool, o);
    demand(!fields.ok() || static_cast<bool>(jsonheal::document::parse(std::string(fields.json()))),
           "fields are not JSON", view);
    const jsonheal::word_list split = jsonheal::split_command_line(view);
    demand(split.ok() || split.offset < text.size(), "an error outside the text", view);
    (void)jsonheal::read_argv(tool, view, o);
    (void)jsonheal::to_argv(view, o);
    if (a.ok() && !a.several()) { (void)jsonheal::to_argv(a.json(), o); }
    const auto reading = jsonheal::tool_catalogue::read(view);
    demand(static_cast<bool>(reading) || reading.catalogue.tools().size() == 38, "a wrong catalogue is used",
           view);
    return 0;
}

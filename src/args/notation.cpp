// Calls in another notation than JSON, as `dialect` reads them: tags, pairs, Python.
#include "ascii.hpp"
#include "writer.hpp"

#include <jsonheal/dialect.hpp>

#include <algorithm>
#include <iterator>

namespace jsonheal {

namespace {

using namespace args_detail;

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// Takes the one call of a text, with where its values stand.
class one_call final : public dialect::sink {
public:
    struct value {
        std::string key, text;
        dialect::type_hint hint{};
        std::size_t begin = nowhere, end = nowhere; // in the raw text
    };

    void on_content(std::string_view text) override {
        behind = behind || (calls > 0 && !trimmed(text).empty());
    }
    void on_reasoning(std::string_view) override {}
    void on_call(const dialect::call_begin& c) override {
        ++calls;
        declared = !c.tool.empty();
    }
    void on_json(std::string_view bytes) override { json.append(bytes); }
    void on_text(std::string_view text, std::size_t) override { plain = plain || !text.empty(); }
    void on_parameter(std::string_view key, dialect::type_hint hint, std::size_t offset) override {
        values.push_back({std::string(key), {}, hint, offset, offset});
    }
    void on_value(std::string_view text, std::size_t offset) override {
        value& v = values.back();
        if (v.text.empty()) { v.begin = offset; }
        v.text.append(text);
        v.end = offset + text.size();
    }
    void on_value_end(bool whole) override { cut_value = cut_value || !whole; }
    void on_call_end(const dialect::call_end& e) override {
        cut = cut || e.ending == dialect::call_ending::cut;
        rejected = rejected || e.ending == dialect::call_ending::rejected;
        edits = edits || !e.edits.empty();
    }

    std::vector<value> values;
    std::string json;
    std::size_t calls = 0;
    bool declared = false, plain = false, behind = false, cut = false, cut_value = false, rejected = false,
         edits = false;
};

// Marks of bodies that are no JSON, by a byte that few texts hold: those that begin with <, those that end in = or >.
constexpr std::string_view marks_of_less[] = {
    "<parameter",  "<arg_key>",  "<arg_value>",  "<param name=",
    "<cofl:value", "<|tool_arg", "<|tool_call>", "<start_function_call>"};
constexpr std::string_view marks_to_equals[] = {"invoke name=", "argument key="};
constexpr std::string_view marks_to_greater[] = {"invoke>", "arg_key>"};
constexpr std::string_view mark_around_less = "[>[<";

/// Calls f with the offset of each such byte until it says true.
template <class F>
bool any_of_byte(std::string_view text, char c, F f) {
    for (std::size_t i = text.find(c); i != std::string_view::npos; i = text.find(c, i + 1)) {
        if (f(i)) { return true; }
    }
    return false;
}

/// Without one of the marks, or the tool's name before a bracket, there is nothing to read.
bool may_be_notation(std::string_view text, std::string_view tool) noexcept {
    const auto begins = [&](std::size_t i) {
        const std::string_view rest = text.substr(i);
        return text.substr(0, i + 1).ends_with(mark_around_less) ||
               std::any_of(std::begin(marks_of_less), std::end(marks_of_less),
                           [&](std::string_view mark) { return rest.starts_with(mark); });
    };
    const auto ends = [&](const std::string_view(&marks)[2]) {
        return [&](std::size_t i) {
            const std::string_view head = text.substr(0, i + 1);
            return head.ends_with(marks[0]) || head.ends_with(marks[1]);
        };
    };
    if (any_of_byte(text, '<', begins) || any_of_byte(text, '=', ends(marks_to_equals)) ||
        any_of_byte(text, '>', ends(marks_to_greater))) {
        return true;
    }
    std::size_t call = std::string_view::npos;
    return !tool.empty() &&
           any_of_byte(text, '(',
                       [&](std::size_t i) {
                           const bool called = text.substr(0, i).ends_with(tool);
                           if (called) { call = i - tool.size(); }
                           return called;
                       }) &&
           (call == 0 || text[call - 1] == '[') && text.find(tool) == call; // where the name stands first
}

/// One value as JSON, by what is known of its kinds.
std::string json_of(const one_call::value& v, const tool_spec* spec) {
    const tool_spec::property* p = spec != nullptr && spec->has_schema ? spec->find_property(v.key) : nullptr;
    const bool text = p != nullptr ? p->kinds.has(value_kind::string) && p->kinds != kind_set::all()
                                   : v.hint != dialect::type_hint::json;
    if (!text) {
        if (const auto json = dialect::spelled_value(v.text, p != nullptr ? p->kinds : kind_set::all())) {
            const parse_result parsed = document::parse_borrowed(*json);
            if (parsed && (p == nullptr || p->kinds.has(parsed.value.root().kind()))) { return *json; }
        }
    }
    std::string quoted;
    encode_string(v.text, quoted);
    return quoted;
}

} // namespace

/// Reads a call of the tool that is written in tags or as Python. Nothing is done if there is not exactly one.
bool args_writer::read_notation(draft& d) {
    if (tool_.empty() || !may_be_notation(raw_, tool_)) { return false; }
    const tool_spec* tool = spec();
    dialect::tool_names names;
    dialect::tool_names::tool known{std::string(tool_), {}, false};
    if (tool != nullptr && tool->has_schema) {
        known.has_schema = true;
        for (const tool_spec::property& p : tool->properties) { known.parameters.push_back(p.name); }
    }
    names.add(std::move(known));
    dialect::reader_options o;
    o.tools = &names;
    o.limits = options_.engine.limits;
    one_call call;
    dialect::reader reader(o, call);
    reader.feed(raw_);
    reader.finish();
    const bool tags = !call.values.empty() && call.json.empty();
    const bool python = call.values.empty() && !call.json.empty() && !call.edits &&
                        raw_.find(call.json) == std::string_view::npos;
    if (call.calls != 1 || !call.declared || call.plain || call.behind || call.rejected ||
        (!tags && !python)) {
        return false;
    }
    edit_log log;
    if (python) {
        put(log, 0, raw_.size(), call.json, rule::arguments_notation);
    } else {
        std::size_t at = 0;
        std::string before = "{";
        for (const one_call::value& v : call.values) {
            encode_string(v.key, before);
            before.push_back(':');
            std::string json = json_of(v, tool);
            const std::string_view there = v.end <= raw_.size() && v.begin <= v.end
                                               ? raw_.substr(v.begin, v.end - v.begin)
                                               : std::string_view();
            const bool as_it_stands = json.size() == there.size() + 2 && json.front() == '"' &&
                                      std::string_view(json).substr(1, there.size()) == there;
            if (as_it_stands && !there.empty() && v.begin >= at) {
                put(log, at, v.begin, before + '"', rule::arguments_notation);
                at = v.end;
                before = "\",";
            } else {
                before += json + ',';
            }
        }
        before.back() = '}';
        put(log, at, raw_.size(), before, rule::arguments_notation);
    }
    d.apply(std::move(log));
    d.cut = call.cut_value ? cut_place::in_string : call.cut ? cut_place::between : cut_place::none;
    return true;
}

} // namespace jsonheal

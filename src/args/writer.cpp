#include "writer.hpp"

#include "ascii.hpp"

#include <jsonheal/sanitize.hpp>
#include <jsonheal/scan.hpp>

#include <algorithm>
#include <utility>

namespace jsonheal {

namespace {

using namespace args_detail;

constexpr std::string_view not_an_object = "arguments are one object, and this is none";

/// Could `heal` find a value in it? Else it need not look.
bool may_hold_json(std::string_view text) noexcept {
    if (text.find('{') != std::string_view::npos || text.find('[') != std::string_view::npos) { return true; }
    const char c = text.front();
    if (c == '"' || c == '\'' || c == '\\') { return true; }
    for (const std::string_view opener :
         {"\xEF\xBD\x9B", "\xEF\xBC\xBB", "\xE2\x80\x9C", "\xE2\x80\x98"}) { // ｛ ［ “ ‘
        if (text.find(opener) != std::string_view::npos) { return true; }
    }
    return false;
}

/// `Note: nothing here`: an object of one member whose value, as it was written, is words without quotes.
bool is_prose(std::string_view json, std::string_view written) {
    member_walk walk(json, skip_blanks(json, 0));
    member_span one, other;
    if (!walk.next(one) || walk.next(other) || json[one.value.begin] != '"') { return false; }
    return !written.empty() &&
           (is_letter(written.front()) || static_cast<unsigned char>(written.front()) >= 0x80) &&
           written.find(' ') != std::string_view::npos;
}

/// 'a' OR 'b': is the first quote closed before the end? In 'it's' and 'say 'hi'' it is not.
bool ends_early(std::string_view text) noexcept {
    const std::size_t next = text.front() == '\'' ? text.find('\'', 1) : std::string_view::npos;
    return next != std::string_view::npos && next + 1 < text.size() && is_blank(text[next + 1]) &&
           !is_blank(text[next - 1]) && text[next - 1] != '\\';
}

/// `{"a": "x</arg_value>\n<arg_key>b</arg_key>…`: JSON that went on as tags. Where its string ends nobody can say.
bool has_leaked_tags(std::string_view text) noexcept {
    if (skip_blanks(text, 0) >= text.size() || text[skip_blanks(text, 0)] != '{') { return false; }
    const std::size_t close = text.find("</arg_value>");
    return close != std::string_view::npos && text.find("<arg_key>", close) != std::string_view::npos &&
           trimmed(text).back() != '}';
}

} // namespace

args_writer::args_writer(std::string_view tool, std::string_view raw, const args_options& options, bool map)
    : tool_(tool), raw_(raw), options_(options), map_(map) {}

heal_options args_writer::engine_options() const {
    heal_options o = options_.engine;
    o.preset = preset::whole;
    o.several = several_policy::automatic;
    o.log = log_policy::kept;
    o.list_candidates = false;
    if (map_) {
        o.undefined = undefined_policy::string;
        o.calls = call_policy::source;
    }
    return o;
}

const tool_spec* args_writer::spec() {
    if (!looked_up_) {
        looked_up_ = true;
        const tool_catalogue& tools =
            options_.tools != nullptr ? *options_.tools : tool_catalogue::standard();
        spec_ = options_.tool != nullptr ? options_.tool : tool_.empty() ? nullptr : tools.find(tool_);
    }
    return spec_;
}

shape args_writer::refuse(std::string_view message, std::size_t offset) {
    out_.why = {message, offset, false, {}};
    return shape::none;
}

/// No arguments were given.
shape args_writer::empty(draft& d) {
    d.apply({edit(0, d.text.size(), "{}", rule::arguments_empty)});
    return shape::object;
}

/// Is it JSON already, so that `heal` need not be asked?
bool args_writer::is_strict(std::string_view text) const {
    return options_.engine.fast_path && text.size() <= options_.engine.limits.bytes &&
           scan::is_json(text, options_.engine.limits.depth);
}

arguments args_writer::run() {
    draft d(raw_);
    const std::size_t first = skip_blanks(raw_, 0);
    shape s = shape::none;
    if (first < raw_.size() && raw_[first] == '{' && is_strict(raw_)) {
        s = open(d, 0);
    } else if (!map_ && read_notation(d)) {
        s = shape::object;
    } else if (has_leaked_tags(raw_)) {
        s = refuse("tags of another notation stand inside a string", raw_.find("</arg_value>"));
    } else {
        s = read_text(d, 0);
    }
    if (s == shape::bare) {
        wrap_bare(d);
    } else {
        finish(d, s);
    }
    return std::move(out_);
}

/// JavaScript values become strings of their source, as `arguments_map` promises. A cut text is left to `heal`, which
/// says what of it is certain.
void args_writer::keep_expressions(draft& d) const {
    sanitize_options o;
    o.max_risk = options_.engine.max_risk;
    o.forbidden = options_.engine.forbidden;
    o.limits = {options_.engine.limits.bytes, options_.engine.limits.depth, options_.engine.limits.edits};
    rewritten r = sanitize(d.text, o);
    if (r.verdict == verdict::healed) { d.apply(std::move(r.edits)); }
}

/// Any text: heals it and looks at what comes out. At a level above 0 the text was inside a string.
shape args_writer::read_text(draft& d, std::uint32_t level) {
    if (map_ && level == 0) { keep_expressions(d); }
    const std::string_view t = trimmed(d.text);
    if (t.empty()) { return empty(d); }
    if (is_null_word(t, spec())) { return empty(d); }
    if (looks_like_path(t, spec())) { return shape::bare; }
    if (!may_hold_json(t)) { return map_ && level == 0 ? complete(d) : shape::bare; }

    if (t.front() == '"' && is_strict(d.text)) { return open(d, level); }
    if (const edit_log peel = peeling(d.text); !peel.empty() && level < options_.levels) {
        draft inner = d.with(peel);
        const shape s = read_text(inner, level + 1);
        if (s == shape::object || s == shape::several) {
            d = std::move(inner);
            return s;
        }
    }

    const std::size_t first = static_cast<std::size_t>(t.data() - d.text.data());
    const bool opener = t.front() == '{' || t.front() == '[';
    heal_options o = engine_options();
    o.fast_path = o.fast_path && (level != 0 || t.front() != '{'); // that was tried
    healing h = heal(d.text, o);
    rules_used used(h.edits);
    const bool several = h.ok() && used.has(rule::value_dropped);
    if (several) {
        o.several = several_policy::all;
        h = heal(d.text, o);
        used = rules_used(h.edits);
    }
    if (!h.ok()) {
        const bool json = t.front() == '{' || t.front() == '[';
        out_.why = h.why;
        if (map_ && level == 0 && !json) { return complete(d); }
        if (!json || (takes_any_text(spec()) && !h.why.by_rule)) { return shape::bare; }
        return shape::none;
    }
    place where{h.value_begin, h.value_end, h.value_begin == first};
    if (opener && !several) {
        // what stands behind the value went as edits at the end
        const edit* last = h.edits.empty() ? nullptr : &h.edits.back();
        const bool rest = last != nullptr && last->end == d.text.size() && last->rule == rule::prose;
        where = {first, rest ? last->begin : d.text.size(), true};
    }
    const char root = h.json()[skip_blanks(h.json(), 0)];
    const bool listed = used.has(rule::values_listed);
    if (root == '{' || listed) {
        if (!is_meant(d.text, where, h.json(), tool_, spec())) {
            const std::string_view before = d.text.substr(0, where.begin);
            const bool cut = h.verdict == verdict::truncated && !where.starts_text &&
                             (is_frame(before) || is_name_of(trimmed(before), tool_));
            return cut ? refuse("the text was cut off before its value", where.begin) : shape::bare;
        }
        if (h.verdict == verdict::truncated && !listed && restarted(d, h)) { return open(d, level); }
        d.take(std::move(h));
        return listed ? open_list(d, skip_blanks(d.text, 0), true) : open(d, level);
    }
    const bool whole = where.begin == first && where.end >= first + t.size();
    const bool one_string = !used.has(rule::concatenation) && !used.has(rule::inner_quote) && !ends_early(t);
    if (root == '"' && whole && one_string) {
        d.take(std::move(h));
        return open(d, level);
    }
    const bool tuple = t.front() == '(';    // ({"a":1})
    if (root == '[' && !opener && !tuple) { // a fence or words, then [{"name":…}]
        element_walk walk(h.json(), skip_blanks(h.json(), 0));
        span one;
        const bool objects = walk.next(one) && h.json()[one.begin] == '{';
        if (!objects || !is_meant(d.text, where, one.of(h.json()), tool_, spec())) { return shape::bare; }
        d.take(std::move(h));
        return open_list(d, skip_blanks(d.text, 0), false);
    }
    if (root == '[' && (opener || (tuple && !takes_any_text(spec())))) {
        const bool strict = h.verdict == verdict::intact;
        draft list(d);
        list.take(std::move(h));
        const shape s = open_list(list, skip_blanks(list.text, 0), false);
        const bool is_text = tuple || (takes_any_text(spec()) && !strict && level == 0); // [ -f x ] && ls
        if (s == shape::none && is_text) { return shape::bare; }
        d = std::move(list);
        return s;
    }
    return shape::bare;
}

/// `a: 1` → `{a: 1}`: the last of the documented attempts.
shape args_writer::complete(draft& d) {
    const std::string_view t = trimmed(d.text);
    std::size_t key = 0;
    while (key < t.size() && (is_letter(t[key]) || is_digit(t[key]) || t[key] == '_' || t[key] == '$')) {
        ++key;
    }
    if (key == 0 || key == t.size() || is_digit(t[0]) || t[key] != ':' || t.substr(key).starts_with("://")) {
        return shape::bare;
    }
    const std::size_t begin = static_cast<std::size_t>(t.data() - d.text.data());
    d.apply({edit(begin, begin, "{", rule::opener_missing),
             edit(begin + t.size(), begin + t.size(), "}", rule::closer_missing_end)});
    healing h = heal(d.text, engine_options());
    if (!h.ok() || h.json()[skip_blanks(h.json(), 0)] != '{') { return refuse(not_an_object, 0); }
    if (is_prose(h.json(), trimmed(t.substr(key + 1)))) {
        return refuse("words behind a colon are prose", begin);
    }
    d.take(std::move(h));
    return open(d, 0);
}

/// `{"a":1,"b":"x{"a":1,"b":"xyz"}`: the model began again. If the second text is whole and says all that the first
/// did, it is the arguments.
bool args_writer::restarted(draft& d, healing& h) {
    const std::size_t begin = skip_blanks(d.text, 0);
    if (d.text[begin] != '{') { return false; }
    const std::size_t colon = d.text.find(':', begin);
    if (colon == std::string_view::npos || colon - begin < 3 || colon - begin > 64) { return false; }
    const std::string_view head = d.text.substr(begin, colon + 1 - begin);
    std::size_t again = begin;
    for (std::size_t i = d.text.find('{', begin + 1); i != std::string_view::npos;
         i = d.text.find('{', i + 1)) {
        if (d.text.substr(i).starts_with(head)) { again = i; }
    }
    if (again == begin) { return false; }
    const std::string_view before = trimmed(d.text.substr(begin, again - begin));
    if (before.ends_with(':') || before.ends_with('[')) { return false; } // {"a":{"a":1}: an object inside
    const heal_options o = engine_options();
    const healing second = heal(d.text.substr(again), o);
    const healing first = heal(d.text.substr(0, again), o);
    const bool whole = (second.verdict == verdict::intact || second.verdict == verdict::healed) &&
                       second.risk <= risk::likely && first.verdict == verdict::truncated;
    if (!whole || !says_all(first.json(), second.json())) { return false; }
    d.keep(again, d.text.size(), rule::repeated_value);
    h = heal(d.text, o);
    d.take(std::move(h));
    return true;
}

/// Strict JSON: opens wrappers, strings and lists until an object of arguments is left.
shape args_writer::open(draft& d, std::uint32_t level) {
    for (;; ++level) {
        const std::size_t begin = skip_blanks(d.text, 0);
        if (begin == d.text.size()) { return empty(d); }
        const char c = d.text[begin];
        if (c == '[') { return open_list(d, begin, false); }
        if (c == '"') { return open_string(d, begin, level); }
        if (c == 'n') { return empty(d); }
        if (c != '{') { return opened_ ? refuse(not_an_object, 0) : shape::bare; }
        if (level >= options_.levels) { return shape::object; }
        const tool_spec* known = options_.tool != nullptr || options_.tools != nullptr ? spec() : nullptr;
        const auto inner = wrapped_arguments(d.text, begin, tool_, known);
        if (!inner) { return shape::object; }
        opened_ = true;
        d.keep(inner->begin, inner->end, rule::arguments_wrapper);
    }
}

/// A string: JSON inside, nothing, or a bare value.
shape args_writer::open_string(draft& d, std::size_t begin, std::uint32_t level) {
    const std::size_t end = d.text.rfind('"') + 1;
    if (trimmed(d.text.substr(begin + 1, end - begin - 2)).empty()) {
        return d.cut == cut_place::none ? empty(d) : refuse("the text was cut off before its value", begin);
    }
    if (level >= options_.levels) { return shape::bare; }
    const cut_place outer = d.cut;
    draft inner = d.with(decoding(d.text));
    inner.cut = cut_place::none;
    const shape s = read_text(inner, level + 1);
    if (s != shape::object && s != shape::several) { return shape::bare; }
    // a whole string that holds no more than an opener is text
    if (inner.cut != cut_place::none && outer == cut_place::none && trimmed(inner.text) == "{}") {
        return shape::bare;
    }
    // "{\"a\":1}  with only the quote lost
    if (inner.cut == cut_place::none && outer != cut_place::none) { inner.cut = cut_place::closers; }
    d = std::move(inner);
    return s;
}

void args_writer::finish(draft& d, shape s) {
    if (s == shape::none) {
        if (out_.why.message.empty()) { out_.why = {not_an_object, 0, false, {}}; }
        return;
    }
    if (options_.aliases && s == shape::object && spec() != nullptr) {
        d.apply(renaming(d.text, skip_blanks(d.text, 0), spec()));
    }
    if (options_.quotes != string_quotes::off) {
        const bool by_field = options_.quotes == string_quotes::code_fields;
        d.apply(straightening(d.text, options_.quotes, by_field ? spec() : nullptr));
    }
    deliver(d, s);
}

bool args_writer::is_barred(rule r) const noexcept {
    return info(r).risk > options_.engine.max_risk || options_.engine.forbidden.has(r);
}

/// Checks the ceiling and hands over.
void args_writer::deliver(draft& d, shape s) {
    const rules_used used(d.log);
    bool refused = false;
    used.each([&](rule r) {
        out_.risk = std::max(out_.risk, info(r).risk);
        refused = refused || is_barred(r);
    });
    if (refused) {
        const auto first =
            std::find_if(d.log.begin(), d.log.end(), [&](const edit& e) { return is_barred(e.rule); });
        out_.risk = risk::exact;
        out_.why = {options_.engine.forbidden.has(first->rule) ? "a change under a forbidden rule is needed"
                                                               : "a change above the ceiling is needed",
                    first->begin, true, first->rule};
        return;
    }
    out_.why = {};
    out_.how = steps_of(used);
    if (d.log.empty()) { out_.how.add(args_step::valid); }
    out_.cut = d.cut;
    out_.verdict = d.cut != cut_place::none ? verdict::truncated
                   : d.log.empty()          ? verdict::intact
                                            : verdict::healed;
    out_.edits = std::move(d.log);
    if (d.mine) {
        out_.owned_ = std::move(d.owned);
    } else {
        out_.borrowed_ = d.text;
    }
    if (s != shape::several) { return; }
    element_walk walk(out_.json(), skip_blanks(out_.json(), 0));
    span element;
    while (walk.next(element)) { out_.objects_.push_back({element.begin, element.end}); }
}

arguments args_writer::built(std::string json) {
    arguments out;
    out.verdict = verdict::healed;
    out.risk = risk::likely;
    out.owned_ = std::move(json);
    return out;
}

std::vector<std::string_view> arguments::objects() const {
    std::vector<std::string_view> all;
    for (const range& r : objects_) { all.push_back(json().substr(r.begin, r.end - r.begin)); }
    return all;
}

arguments normalize_args(std::string_view tool, std::string_view raw, const args_options& options) {
    return args_writer(tool, raw, options, false).run();
}

arguments arguments_map(std::string_view raw, const args_options& options) {
    return args_writer(options.tool != nullptr ? std::string_view(options.tool->name) : std::string_view(),
                       raw, options, true)
        .run();
}

} // namespace jsonheal

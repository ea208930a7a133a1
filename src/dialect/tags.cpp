// Calls written as tags: parameters with their text as it stands. A closer counts only if what follows it may follow.
#include "bytes.hpp"
#include "machine.hpp"

namespace jsonheal::dialect::detail {

namespace {

constexpr std::size_t tag_bytes = 4096;   // of one opening tag
constexpr std::size_t stray_bytes = 4096; // of text between parameters that belongs to none

/// Where markup that was made safe for JSON may begin: an entity or `\/`, if the format's closers come as `<\/` too.
std::size_t markup_made_safe(std::string_view piece, std::string_view closers) noexcept {
    if (closers.find("<\\/") == std::string_view::npos) { return piece.size(); }
    for (std::size_t i = 0; (i = piece.find_first_of("&\\", i)) != std::string_view::npos; ++i) {
        if (piece[i] == '&' || i + 1 == piece.size() || piece[i + 1] == '/') { return i; }
    }
    return piece.size();
}

} // namespace

/// The opening tag of a call at `p`.
attempt machine::open_tag(std::size_t p, style_id style, strength s) {
    const view w = rest();
    if (s == strength::weak && before_ == '`') { return attempt::no; }
    const tag_style& t = style_of(style);
    std::size_t size = 0;
    if (at_any(w, p, t.call_open, size) != attempt::taken) { return attempt::no; }
    std::size_t behind = p + size;
    if (w.substr(p, size).ends_with('>')) { return open_older_invoke(p, behind); }
    std::string name, id;
    if (t.call_name == name_place::bare) {
        const std::size_t end = find_near(w, ">", behind, 256);
        if (end == view::npos || end - behind > 256) {
            if (end == view::npos && !last_ && w.size() - behind <= 256) { return attempt::wait; }
            if (!last_ || s == strength::weak || end != view::npos) { return attempt::no; }
            consume(w.size());
            return attempt::taken;
        }
        name = trimmed(w.substr(behind, end - behind));
        if (name.size() > 1 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front()) {
            name = name.substr(1, name.size() - 2);
        }
        behind = end + 1;
    } else {
        std::vector<std::pair<std::string, std::string>> all;
        std::size_t tag_behind = 0;
        const attempt a = attributes(w, behind, t.tag_end, all, tag_behind);
        if (a == attempt::no && attributes_cut_ && s == strength::strong) {
            consume(w.size()); // cut inside the tag
            return attempt::taken;
        }
        if (a != attempt::taken) { return a; }
        for (const auto& [key, value] : all) {
            if (key == t.name_attribute) { name = value; }
            if (key == "id" || key == "index") { id = value; }
        }
        behind = tag_behind;
    }
    if (name.empty() || name.size() > 256 || name.find('<') != std::string::npos) { return attempt::no; }
    const std::size_t tool = tools_.meant(name);
    tag_ = {};
    tag_.style = &t;
    tag_.name = name;
    tag_.tool = tool;
    const std::size_t q = skip_blanks(w, behind);
    if (q == w.size() && !last_) { return attempt::wait; }
    if (s == strength::weak) {
        if (tool == tool_names::none) { return attempt::no; }
        std::string key;
        type_hint hint{};
        std::size_t n = 0;
        if (q < w.size() && w[q] != '{') {
            const attempt close = call_close_at(w, q, n);
            if (close == attempt::wait) { return close; }
            const attempt param = close == attempt::taken ? close : param_at(w, q, key, hint, n);
            if (param != attempt::taken) { return param; }
        }
        if (q == w.size()) { return attempt::no; }
    }
    if (q < w.size() && w[q] == '{') {
        strength_ = strength::strong;
        begin_object(q, name, id);
        return attempt::taken;
    }
    begin_call(name, id, opener_);
    consume(behind);
    state_ = state::tags;
    return attempt::taken;
}

/// `<invoke><tool_name>f</tool_name><parameters><a>1</a></parameters></invoke>`
attempt machine::open_older_invoke(std::size_t p, std::size_t behind) {
    const view w = rest();
    (void)p;
    std::size_t q = skip_blanks(w, behind);
    const attempt name_tag = at(w, q, "<tool_name>");
    if (name_tag != attempt::taken) { return q == w.size() && !last_ ? attempt::wait : name_tag; }
    const std::size_t close = find_near(w, "</tool_name>", q, 256);
    if (close == view::npos || close - q > 256) {
        return last_ || w.size() - q > 300 ? attempt::no : attempt::wait;
    }
    const view name = trimmed(w.substr(q + 11, close - q - 11));
    q = skip_blanks(w, close + 12);
    if (q == w.size() && !last_) { return attempt::wait; }
    const attempt parent = q < w.size() ? at(w, q, "<parameters>") : attempt::no;
    if (parent == attempt::wait) { return parent; }
    tag_ = {};
    tag_.style = &style_of(style_id::elements);
    tag_.name = name;
    tag_.tool = tools_.meant(name);
    tag_.parent = parent == attempt::taken;
    begin_call(name, {}, opener_);
    consume(q + (tag_.parent ? 12 : 0));
    state_ = state::tags;
    return attempt::taken;
}

bool machine::tags() { return tag_.in_value ? tag_value() : tag_between(); }

/// The opening tag of a parameter at `i`, its key, and where its value begins.
attempt machine::param_at(view w, std::size_t i, std::string& key, type_hint& hint, std::size_t& size) const {
    const tag_style& t = *tag_.style;
    std::size_t open = 0;
    const attempt a = at_any(w, i, t.param_open, open);
    if (a != attempt::taken) { return a; }
    const std::size_t begin = i + open;
    hint = type_hint::none;
    if (t.param_name == name_place::line) {
        const std::size_t end = find_near(w, t.key_close, begin, tag_bytes);
        if (end == view::npos) { return last_ || w.size() - begin > tag_bytes ? attempt::no : attempt::wait; }
        if (end - begin > tag_bytes) { return attempt::no; }
        key = trimmed(w.substr(begin, end - begin));
        std::size_t p = end + t.key_close.size();
        if (!t.value_open.empty()) {
            p = skip_blanks(w, p);
            if (p < w.size() && w[p] == ':') { p = skip_blanks(w, p + 1); }
            if (p == w.size()) { return last_ ? attempt::no : attempt::wait; }
            const attempt v = at(w, p, t.value_open);
            if (v != attempt::taken) { return v; }
            p += t.value_open.size();
        }
        size = p - i;
        return key.empty() || key.find('<') != std::string::npos ? attempt::no : attempt::taken;
    }
    if (t.param_name == name_place::attribute) {
        std::vector<std::pair<std::string, std::string>> all;
        std::size_t behind = 0;
        const attempt b = attributes(w, begin, t.tag_end, all, behind);
        if (b == attempt::wait) { return w.size() - begin > 2 * tag_bytes ? attempt::no : b; }
        if (b != attempt::taken || behind - begin > tag_bytes) { return attempt::no; }
        key.clear();
        for (const auto& [name, value] : all) {
            if (name == t.key_attribute) { key = value; }
            if (!t.type_attribute.empty() && name == t.type_attribute) {
                const bool text = value == "true" || value == "raw" || value == "string";
                hint = text ? type_hint::string : type_hint::json;
            }
        }
        size = behind - i;
        return key.empty() ? attempt::no : attempt::taken;
    }
    const std::size_t end = find_near(w, ">", begin, 256);
    if (end == view::npos) { return last_ || w.size() - begin > 256 ? attempt::no : attempt::wait; }
    key = trimmed(w.substr(begin, end - begin));
    size = end + 1 - i;
    if (key.empty() || key.size() > 256 || key.find('<') != std::string::npos ||
        key.find('/') != std::string::npos) {
        return attempt::no;
    }
    if (key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) {
        key = key.substr(1, key.size() - 2);
    }
    // elements are parameters only if the tool has them
    if (t.param_name == name_place::element && t.call_open == "<" && !tools_.may_have(tag_.tool, key)) {
        return attempt::no;
    }
    if (t.param_name == name_place::element && key == "parameters" && !tools_.declares(tag_.tool, key)) {
        return attempt::no;
    }
    return attempt::taken;
}

attempt machine::param_close_at(view w, std::size_t i, std::size_t& size) const {
    const tag_style& t = *tag_.style;
    if (t.param_name != name_place::element) { return at_any(w, i, t.param_close, size); }
    const std::string close = std::string(t.param_close) + tag_.key + ">";
    size = close.size();
    return at(w, i, close);
}

attempt machine::call_close_at(view w, std::size_t i, std::size_t& size) const {
    const tag_style& t = *tag_.style;
    if (t.call_name != name_place::element) { return at_any(w, i, t.call_close, size); }
    const std::string close = tag_.parent ? "</parameters>" : "</" + tag_.name + ">";
    size = close.size();
    return at(w, i, close);
}

/// A whole opening tag of a call inside a value, with what a call has behind it: `<function=f>⏎<parameter=`. A mere mention of
/// one is none.
attempt machine::quoted_call_at(view w, std::size_t i) const {
    const tag_style& t = *tag_.style;
    std::size_t size = 0;
    const attempt open = at_any(w, i, t.call_open, size);
    if (open != attempt::taken) { return open; }
    const std::size_t end = find_near(w, t.tag_end, i + size, 256);
    if (end == view::npos) { return last_ || w.size() - i > 256 ? attempt::no : attempt::wait; }
    if (end - i > 256) { return attempt::no; }
    const std::size_t p = skip_blanks(w, end + t.tag_end.size());
    if (p == w.size()) { return last_ ? attempt::no : attempt::wait; }
    const attempt param = at_any(w, p, t.param_open, size);
    return param != attempt::no ? param : at_any(w, p, t.call_close, size);
}

/// Half a tag of the call stands between `i` and the end of the whole text.
bool machine::half_tag(view w, std::size_t i) const noexcept {
    if (!last_ || i >= w.size()) { return false; }
    const tag_style& t = *tag_.style;
    const view there = w.substr(i);
    if (there.size() > tag_bytes) { return false; }
    if (sets_.closers.match(w, i, false).what == marker_match::outcome::partial) { return true; }
    for (const view list : {t.param_open, t.call_close}) {
        if (any_of_lines(list,
                         [&](view tag) { return tag.size() > there.size() && tag.starts_with(there); })) {
            return true;
        }
    }
    const view behind = t.param_name == name_place::line ? t.key_close : t.tag_end;
    return any_of_lines(t.param_open, [&](view tag) {
        return tag.size() > 1 && there.starts_with(tag) && there.find(behind) == view::npos;
    });
}

/// May what stands at `i` follow the closer of a call? The end, a closer around it, another call. Prose may too.
attempt machine::follows_call(view w, std::size_t i) const {
    i = skip_blanks(w, i);
    if (i == w.size()) { return last_ ? attempt::taken : attempt::wait; }
    std::size_t size = 0;
    const attempt closer = at_closer(w, i, size);
    return closer != attempt::no ? closer : at_opener(w, i);
}

/// May what stands at `i` follow a value's closer? The next parameter, the call's closer, the end.
attempt machine::follows_value(view w, std::size_t i) const {
    i = skip_blanks(w, i);
    if (i == w.size()) { return last_ ? attempt::taken : attempt::wait; }
    std::size_t size = 0;
    const attempt close = call_close_at(w, i, size);
    if (close == attempt::taken) {
        if (tag_.nested == 0) { return close; }
        // inside a call that the value quotes: only if all ends here
        const attempt end = follows_call(w, i + size);
        if (end != attempt::taken) { return end; }
        const std::size_t p = skip_blanks(w, i + size);
        std::size_t outer = 0;
        if (p == w.size()) { return last_ ? attempt::taken : attempt::wait; }
        if (at_closer(w, p, outer) != attempt::taken) { return attempt::no; }
        const std::size_t q = skip_blanks(w, p + outer);
        if (q == w.size()) { return last_ ? attempt::taken : attempt::wait; }
        return attempt::no;
    }
    if (close == attempt::wait) { return close; }
    if (half_tag(w, i)) { return attempt::taken; }
    std::string key;
    type_hint hint{};
    const attempt param = param_at(w, i, key, hint, size);
    if (param == attempt::wait) { return param; }
    if (param == attempt::taken) {
        const bool may = tag_.nested == 0 && tools_.may_have(tag_.tool, key);
        return may ? attempt::taken : attempt::no;
    }
    if (tag_.nested != 0) { return attempt::no; }
    const attempt closer = at_closer(w, i, size);
    return closer != attempt::no ? closer : at_opener(w, i);
}

/// Between the parameters of a call.
bool machine::tag_between() {
    const view w = rest();
    std::size_t p = skip_blanks(w, scan_);
    std::size_t size = 0;
    for (;;) {
        if (p == w.size()) {
            scan_ = 0;
            if (!last_) { return wait(); }
            // a call whose closer was cut off may lack parameters
            consume(w.size());
            end_tags(0, call_ending::cut);
            return true;
        }
        const attempt close = call_close_at(w, p, size);
        if (close == attempt::wait) { return wait(); }
        if (close == attempt::taken) {
            consume(p + size);
            end_tags(0, tag_.mended ? call_ending::mended : call_ending::closed);
            return true;
        }
        std::string key;
        type_hint hint{};
        const attempt param = param_at(w, p, key, hint, size);
        if (param == attempt::wait) { return wait(); }
        if (param == attempt::taken) {
            // `arguments` around the parameters of a tool that has none such
            const bool wrapper =
                (key == "arguments" || key == "parameters" || key == "input" || key == "properties") &&
                tag_.seen.empty() && tag_.tool != tool_names::none && tools_.tools()[tag_.tool].has_schema &&
                !tools_.declares(tag_.tool, key);
            consume(p + size);
            tag_.key = key;
            tag_.in_value = true;
            tag_.scan = tag_.sent = tag_.nested = 0;
            tag_.last_close = view::npos;
            tag_.held = wrapper;
            tag_.quoted = false;
            wrapper_value_ = wrapper;
            value_begun_ = false;
            if (!wrapper) { sink_.on_parameter(key, hint, offset(0)); }
            tag_.seen.push_back(std::move(key));
            return true;
        }
        const attempt closer = at_closer(w, p, size);
        if (closer == attempt::wait) { return wait(); }
        const attempt opener = closer == attempt::taken ? closer : at_opener(w, p);
        if (opener == attempt::wait) { return wait(); }
        if (opener == attempt::taken) { // the call's own closer is missing
            consume(p);
            end_tags(0, tag_.mended ? call_ending::mended
                        : closer == attempt::taken && tag_.style->call_name == name_place::line
                            ? call_ending::closed
                            : call_ending::mended);
            return true;
        }
        if (half_tag(w, p)) {
            consume(w.size());
            end_tags(0, call_ending::cut);
            return true;
        }
        // text that belongs to no parameter
        const std::size_t stray = w.substr(p + 1, stray_bytes).find_first_of("<]");
        const std::size_t next = stray == view::npos ? stray : p + 1 + stray;
        tag_.mended = true;
        if (next == view::npos && w.size() - p < stray_bytes) {
            if (!last_) { return wait(); }
            consume(w.size());
            end_tags(0, call_ending::cut);
            return true;
        }
        if (next == view::npos || next - p > stray_bytes) {
            consume(p);
            end_tags(0, call_ending::cut);
            return true;
        }
        p = next;
    }
}

/// Hands out the value up to `upto` of rest(), less the layout's line ends.
void machine::send_value(std::size_t upto) {
    const view w = rest();
    if (upto <= tag_.sent) { return; }
    if (tag_.held) { return; }
    view piece = w.substr(tag_.sent, upto - tag_.sent);
    if (const std::size_t doubt = markup_made_safe(piece, tag_.style->param_close); doubt < piece.size()) {
        piece = piece.substr(0, doubt); // known where the closer is
        tag_.held = true;
    }
    if (!piece.empty()) { sink_.on_value(piece, offset(tag_.sent)); }
    tag_.sent += piece.size();
}

void machine::end_value(std::size_t end, std::size_t size, bool whole) {
    const view w = rest();
    // the line end before a closer is layout in some formats, and in all where the closer is missing
    const std::size_t behind = end + size;
    const bool layout = tag_.style->layout_newline || (whole && size == 0);
    if (layout && end > tag_.sent && w[end - 1] == '\n') {
        --end;
        if (end > tag_.sent && w[end - 1] == '\r') { --end; }
    }
    view value = w.substr(tag_.sent, end - tag_.sent);
    tag_.held = false;
    std::string plain;
    if (size > 0 && w.substr(behind - size).starts_with("<\\/")) { // `a\/b &amp;&amp; c<\/parameter>`
        plain = decode_entities(value);
        for (std::size_t i = 0; (i = plain.find("\\/", i)) != std::string::npos; ++i) { plain.erase(i, 1); }
        value = plain;
    }
    if (wrapper_value_) {
        wrapper_value_ = false;
        sink_.on_text(trimmed(value), view::npos);
    } else {
        if (cdata_) { value = value.substr(0, value.rfind("]]>")); }
        cdata_ = false;
        if (!value.empty()) { sink_.on_value(value, offset(tag_.sent)); }
        sink_.on_value_end(whole);
    }
    tag_.in_value = false;
    consume(std::min(behind, w.size()));
}

/// Bytes at the end that are the beginning of a closer.
std::size_t machine::half_closer(view w) const noexcept {
    std::size_t most = 0;
    for (const view list : {tag_.style->param_close, tag_.style->call_close}) {
        any_of_lines(list, [&](view close) {
            if (close.size() > 1) { most = std::max(most, partial_at_end(w.substr(tag_.sent), close)); }
            return false;
        });
    }
    return most;
}

/// Inside a value: up to a closer that counts.
bool machine::tag_value() {
    const view w = rest();
    const tag_style& t = *tag_.style;
    if (!value_begun_) {
        std::size_t skip = 0;
        if (t.layout_newline) {
            if (w.empty() || (w[0] == '\r' && w.size() == 1)) {
                if (!last_) { return wait(); }
            } else {
                skip = w[0] == '\n' ? 1 : w.starts_with("\r\n") ? 2 : 0;
            }
        }
        const attempt cdata = at(w, skip, "<![CDATA[");
        if (cdata == attempt::wait && skip < w.size()) { return wait(); }
        cdata_ = cdata == attempt::taken;
        if (cdata_) { skip += 9; }
        if (w.size() == skip && !last_) { return wait(); }
        tag_.held = tag_.held || cdata_;
        value_begun_ = true;
        consume(skip);
        return true;
    }
    const std::string_view first = t.param_close.substr(0, 1);
    for (std::size_t i = tag_.scan;;) {
        i = w.find(first[0], i);
        if (i == view::npos) { i = w.size(); }
        if (i >= w.size()) {
            tag_.scan = w.size();
            if (last_) {
                // the last closer that was taken for data ends it, if any
                const bool known = tag_.quoted && tag_.last_close != view::npos;
                std::size_t size = 0;
                if (known && param_close_at(w, tag_.last_close, size) == attempt::taken) {
                    tag_.mended = true;
                    end_value(tag_.last_close, size, true);
                } else {
                    end_value(w.size() - half_closer(w), half_closer(w), false);
                    consume(rest().size());
                }
                return true;
            }
            std::size_t safe = w.size() - partial_character(w);
            while (safe > tag_.sent && (w[safe - 1] == '\n' || w[safe - 1] == '\r')) { --safe; }
            send_value(safe);
            return wait(w.size());
        }
        std::size_t size = 0, call_size = 0;
        attempt end = attempt::no;
        const attempt close = param_close_at(w, i, size);
        if (close == attempt::wait) { end = close; }
        if (close == attempt::taken) {
            end = cdata_ && !view(w.substr(0, i)).ends_with("]]>") ? attempt::no : follows_value(w, i + size);
            if (tag_.quoted) { tag_.last_close = i; }
        }
        if (end == attempt::no && close == attempt::no) {
            size = 0;
            const attempt call = call_close_at(w, i, call_size);
            if (call == attempt::wait) { end = call; }
            if (call == attempt::taken) {
                if (tag_.nested > 0) {
                    --tag_.nested;
                } else {
                    const attempt f = follows_call(w, i + call_size);
                    const std::size_t n = skip_blanks(w, i + call_size);
                    end = f == attempt::taken && n < w.size() ? attempt::taken : f == attempt::wait ? f : f;
                    if (end == attempt::taken) { tag_.mended = true; }
                }
            } else if (call == attempt::no) {
                std::string key;
                type_hint hint{};
                std::size_t open_size = 0;
                const attempt param = param_at(w, i, key, hint, open_size);
                if (param == attempt::wait) { end = param; }
                const bool line = i > 0 && w[i - 1] == '\n';
                if (param == attempt::taken && tag_.nested == 0 && line && tools_.declares(tag_.tool, key) &&
                    std::find(tag_.seen.begin(), tag_.seen.end(), key) == tag_.seen.end() && !cdata_ &&
                    t.call_open != "<") {
                    end = attempt::taken; // its closer is missing
                    tag_.mended = true;
                }
                if (param == attempt::no && t.call_name != name_place::element && !t.call_open.empty()) {
                    const attempt opener = quoted_call_at(w, i);
                    if (opener == attempt::wait) { end = opener; }
                    if (opener == attempt::taken) {
                        ++tag_.nested;
                        tag_.held = tag_.quoted = true;
                    }
                }
            }
        }
        if (end == attempt::wait) {
            if (last_) {
                // half a closer at the end is no data
                end_value(i, w.size() - i, false);
                consume(rest().size());
                return true;
            }
            tag_.scan = i;
            std::size_t safe = i;
            while (safe > tag_.sent && (w[safe - 1] == '\n' || w[safe - 1] == '\r')) { --safe; }
            send_value(safe);
            return wait(i);
        }
        if (end == attempt::taken) {
            end_value(i, size, true);
            return true;
        }
        ++i;
    }
}

void machine::end_tags(std::size_t size, call_ending ending) {
    consume(size);
    end_call(ending, offset(0));
    // closers around it
    strength_ = strength::strong;
    bracketed_ = false;
    has_outer_ = false;
    any_ = true;
    state_ = state::objects;
}

} // namespace jsonheal::dialect::detail

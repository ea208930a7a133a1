// Calls written as JSON: where each ends, what the engine makes of it, its name and its arguments.
#include "bytes.hpp"
#include "machine.hpp"

namespace jsonheal::dialect::detail {

/// Between the objects of a body: `{…}`, then `,`, `;`, a line end, `]`, a closer.
bool machine::objects() {
    const view w = rest();
    std::size_t p = skip_blanks(w, scan_);
    while (p < w.size() && (w[p] == ',' || (w[p] == ';' && (any_ || bracketed_)) || (any_ && w[p] == '}'))) {
        p = skip_blanks(w, p + 1);
    }
    if (p == w.size() && !last_) { return wait(); }
    if (p == w.size()) {
        if (!any_) {
            consume(p);
        } else if (p > 0 && skip_blanks(w, 0) != p) {
            consume(p);
        }
        leave_body();
        return true;
    }
    if (w[p] == '{' && (bracketed_ || !any_ || strength_ == strength::strong)) {
        begin_object(p, {}, {});
        return true;
    }
    if (w[p] == ']' && bracketed_) {
        bracketed_ = false;
        consume(p + 1);
        return true;
    }
    std::size_t size = 0;
    if (fenced_) {
        const attempt a = at(w, p, "```");
        if (a == attempt::wait) { return wait(); }
        if (a == attempt::taken) {
            fenced_ = false;
            consume(p + 3);
            return true;
        }
    }
    const attempt closer = at_closer(w, p, size);
    if (closer == attempt::wait) { return wait(); }
    if (closer == attempt::taken) {
        any_ = true; // an empty list is no content either
        if (view(w.substr(p, size)).ends_with('>') && row_ != nullptr) {
            any_of_lines(row_->section_ends, [&](view end) {
                in_section_ = in_section_ && end != w.substr(p, size);
                return false;
            });
        }
        consume(p + size);
        strength_ = strength::weak; // a bare object behind it needs a declared name again
        return true;
    }
    if (!any_) {
        if (strength_ == strength::weak || !bracketed_) {
            give_back(std::min(p + 1, w.size()));
            return true;
        }
    } else if (w[p] == '{' || p == 0 || view(w.substr(0, p)).find_first_of(",;}]") != view::npos) {
        consume(w[p] == '{' ? p : skip_separators(w.substr(0, p))); // what follows is no separator any more
    }
    leave_body();
    return true;
}

/// Bytes of separators and blanks before them, but not the blanks behind.
std::size_t machine::skip_separators(view w) noexcept {
    std::size_t end = 0;
    for (std::size_t i = 0; i < w.size() && (is_blank(w[i]) || view(",;}]").find(w[i]) != view::npos); ++i) {
        if (!is_blank(w[i])) { end = i + 1; }
    }
    return end;
}

/// An object of a call begins at `p` of rest().
void machine::begin_object(std::size_t p, view name, view id) {
    outer_name_ = name;
    outer_id_ = id;
    has_outer_ = !name.empty();
    counter_name_ = false;
    call_at_ = any_ ? offset(p) : opener_;
    consume(p);
    track_ = {};
    fed_ = 0;
    told_ = false;
    probing_ = strength_ == strength::strong; // what may yet turn out to be text waits for its end
    streaming_ = json_done_ = false;
    json_at_ = json_sent_ = 0;
    json_track_ = {};
    if (!healer_) {
        heal_options o = heal_options::live();
        o.cut_number = cut_number_policy::withhold;
        o.limits = options_.limits;
        healer_.emplace(o);
    } else {
        healer_->reset();
    }
    state_ = state::object;
}

/// Does the quote at `i` end its string? It does if structure follows, or a marker.
bool machine::quote_closes(view w, std::size_t i, bool& stuck) const {
    const std::size_t n = skip_blanks(w, i + 1);
    if (n == w.size()) {
        stuck = !last_;
        return true;
    }
    const char c = w[n];
    if (view(",:}]\"").find(c) != view::npos) { return true; }
    if (c != '<' && c != '[' && c != '`') { return false; }
    std::size_t size = 0;
    const attempt a = at_closer(w, n, size);
    stuck = a == attempt::wait;
    return a == attempt::taken;
}

/// Is the closer at `i` meant, though a string is open? Only if the text ends behind it, or the next call begins.
bool machine::marker_in_string(view w, std::size_t i, bool& stuck) const {
    std::size_t size = 0;
    attempt a = at_closer(w, i, size);
    if (a != attempt::taken) {
        stuck = a == attempt::wait;
        return false;
    }
    for (int markers = 0; markers < 4; ++markers) {
        i = skip_blanks(w, i + size);
        if (i == w.size()) {
            stuck = !last_;
            return last_;
        }
        a = at_closer(w, i, size);
        if (a == attempt::no) { a = at_set(w, i, sets_.openers, size); }
        if (a == attempt::wait) {
            stuck = true;
            return false;
        }
        if (a == attempt::taken) { continue; }
        if (w[i] != '{') { return false; }
        const std::size_t key = skip_blanks(w, i + 1);
        stuck = key == w.size() && !last_;
        return key < w.size() && w[key] == '"';
    }
    return false;
}

/// Goes on at `i`. Returns one past the object's end, or where a closer stands before it ends; npos if it is not there.
std::size_t machine::track(view w, std::size_t& i, bool& closer, bool& stuck) {
    std::size_t size = 0;
    while (i < w.size()) {
        const char c = w[i];
        if (track_.quote != 0) {
            if (c == '\\') {
                if (i + 1 == w.size() && !last_) {
                    stuck = true;
                    return view::npos;
                }
                i += 2;
                continue;
            }
            if (c == track_.quote) {
                const bool closes = quote_closes(w, i, stuck);
                if (stuck) { return view::npos; }
                if (closes) {
                    track_.quote = 0;
                    track_.significant = c;
                }
            } else if (c == '<' || c == '[' || c == ']' || c == '`') {
                closer = marker_in_string(w, i, stuck);
                if (stuck) { return view::npos; }
                if (closer) { return i; }
            }
            ++i;
            continue;
        }
        if (c == '<' || c == '[' || c == '`' ||
            (c == ']' && row_ != nullptr && row_->style == style_id::minimax_m3)) {
            const attempt a = c == '`' && fenced_ ? at(w, i, "```") : at_closer(w, i, size);
            stuck = a == attempt::wait;
            closer = a == attempt::taken;
            if (stuck) { return view::npos; }
            if (closer) { return i; }
        }
        ++i;
        if (c == '"' ||
            (c == '\'' && view("{[,:(").find(track_.significant) != view::npos && track_.significant != 0)) {
            track_.quote = c;
        } else if (c == '{' || c == '[') {
            ++track_.depth;
        } else if ((c == '}' || c == ']') && track_.depth > 0 && --track_.depth == 0) {
            return i;
        }
        if (!is_blank(c)) { track_.significant = c; }
    }
    i = std::min(i, w.size());
    return view::npos;
}

void machine::heal_upto(std::size_t end) {
    if (end <= fed_) { return; }
    healer_->feed(rest().substr(fed_, end - fed_));
    fed_ = end;
}

bool machine::object() {
    const view w = rest();
    std::size_t i = scan_;
    bool closer = false, stuck = false;
    const std::size_t end = track(w, i, closer, stuck);
    scan_ = i;
    if (end == view::npos && !(last_ && !stuck)) {
        if (scan_ > fed_) {
            heal_upto(scan_);
            pump();
        }
        return wait(scan_);
    }
    if (end == view::npos) { return end_object(w.size(), false, true); }
    if (strength_ == strength::weak && !told_ && !closer) {
        const attempt a = weak_may_follow(end);
        if (a == attempt::wait) { // decided where the object ends
            scan_ = end - 1;
            ++track_.depth;
            return wait();
        }
        if (a == attempt::no) {
            give_back(end);
            return true;
        }
    }
    return end_object(end, closer, false);
}

/// What may stand behind a call without markers: the end of its line, another one, a bracket, a closer.
attempt machine::weak_may_follow(std::size_t end) const {
    const view w = rest();
    if (bracketed_) { return attempt::taken; }
    std::size_t p = end;
    while (p < w.size() && (w[p] == ' ' || w[p] == '\t' || w[p] == '\r')) { ++p; }
    if (p == w.size()) { return last_ ? attempt::taken : attempt::wait; }
    if (fenced_) {
        p = skip_blanks(w, p);
        if (p == w.size()) { return last_ ? attempt::taken : attempt::wait; }
        if (w[p] == '{' || w[p] == ',' || w[p] == ';') { return attempt::taken; }
        const attempt fence = at(w, p, "```");
        if (fence != attempt::taken) { return fence; }
        // words behind the fence make it an example
        p = skip_blanks(w, p + 3);
        if (p == w.size()) { return last_ ? attempt::taken : attempt::wait; }
        return view("`<{[").find(w[p]) != view::npos ? attempt::taken : attempt::no;
    }
    if (w[p] == '\n' || w[p] == ';' || w[p] == '{' || w[p] == ',' || w[p] == '<') { return attempt::taken; }
    return attempt::no;
}

/// Sends what has settled.
void machine::pump() {
    const view settled = healer_->settled();
    if (probing_) { probe(settled); }
    if (!streaming_ || json_done_) { return; }
    json_sent_ += hand_out_json(settled.substr(json_sent_));
}

/// May the arguments go out as they come? Only if the name is known before them and they are no wrapper.
void machine::probe(view settled) {
    std::size_t i = skip_blanks(settled, 0);
    if (i >= settled.size() || settled[i] != '{') { return; }
    std::string name = outer_name_, id = outer_id_;
    const auto string_at = [&](std::size_t from, std::string& out) -> std::size_t {
        std::size_t end = from + 1;
        while (end < settled.size() && settled[end] != '"') { end += settled[end] == '\\' ? 2u : 1u; }
        if (end >= settled.size()) { return view::npos; }
        out.clear();
        return decode_string(settled.substr(from, end + 1 - from), out) ? end + 1 : view::npos;
    };
    std::string key;
    while (!has_outer_) {
        if (i > 1024) { // an envelope is short
            probing_ = false;
            return;
        }
        i = skip_blanks(settled, i + 1);
        if (i >= settled.size()) { return; }
        if (settled[i] != '"') {
            probing_ = false;
            return;
        }
        i = string_at(i, key);
        if (i == view::npos) { return; }
        i = skip_blanks(settled, i);
        if (i >= settled.size()) { return; }
        i = skip_blanks(settled, i + 1);
        if (i >= settled.size()) { return; }
        const envelope_key what = key_of(key);
        if (what == envelope_key::arguments && !name.empty() && settled[i] == '{') { break; }
        const bool text = settled[i] == '"' && (what == envelope_key::name || what == envelope_key::either ||
                                                what == envelope_key::aside);
        if (!text || (what != envelope_key::aside && !name.empty())) {
            probing_ = false;
            return;
        }
        std::string value;
        i = string_at(i, value);
        if (i == view::npos) { return; }
        if (what != envelope_key::aside) {
            name = value;
        } else if (key != "type") {
            id = value;
        }
        i = skip_blanks(settled, i);
        if (i >= settled.size()) { return; }
        if (settled[i] != ',') {
            probing_ = false;
            return;
        }
    }
    // the first key of the arguments tells whether they are wrapped once more
    std::size_t k = skip_blanks(settled, i + 1);
    if (k >= settled.size()) { return; }
    if (settled[k] == '"') {
        if (string_at(k, key) == view::npos) { return; }
        const std::size_t tool = tools_.meant(name);
        const bool whole_call = key_of(key) != envelope_key::other && !tools_.declares(tool, key);
        if (whole_call) {
            probing_ = false;
            return;
        }
    }
    if (name == "multi_tool_use.parallel" || (strength_ == strength::weak && !may_name(name))) {
        probing_ = false;
        return;
    }
    probing_ = false;
    streaming_ = true;
    json_sent_ = i;
    begin_call(name, id, call_at_);
}

/// The object ends at `end` of rest(), at a closer, or where the text is cut.
bool machine::end_object(std::size_t end, bool by_closer, bool cut) {
    heal_upto(end);
    pump();                                 // as if it had come in pieces
    if (by_closer) { healer_->feed("\n"); } // what stands before a marker is whole
    healing h = healer_->finish();
    for (edit& e : h.edits) {
        e.begin = static_cast<std::uint32_t>(offset(e.begin));
        e.end = static_cast<std::uint32_t>(offset(std::min<std::size_t>(e.end, end)));
    }
    while (!h.edits.empty() && h.edits.back().begin >= offset(end) && h.edits.back().size == 0) {
        h.edits.pop_back();
    }
    const bool inside =
        h.cut != cut_place::none && h.cut != cut_place::closers && h.cut != cut_place::between;
    call_ending ending = !h.ok()                                        ? call_ending::rejected
                         : cut || (by_closer && inside)                 ? call_ending::cut
                         : h.verdict == verdict::truncated || by_closer ? call_ending::mended
                                                                        : call_ending::closed;
    if (h.ok() && ending == call_ending::closed && h.risk >= risk::likely) { ending = call_ending::mended; }
    const std::size_t call_end_at = offset(end);
    if (streaming_) {
        const view json = h.json();
        if (!json_done_ && json.size() > json_sent_) {
            // what settles at the end only
            std::string tail(json.substr(json_sent_));
            hand_out_json(tail);
        }
        // only the brace around the arguments is missing
        const bool whole =
            cut && !has_outer_ && track_.depth == 1 && track_.quote == 0 && track_.significant == '}';
        if (whole) { ending = call_ending::mended; }
        end_call(ending, call_end_at, h.edits);
        consume(end);
        state_ = state::objects;
        return true;
    }
    const parse_result parsed =
        h.ok() ? document::parse(std::string(h.json())) : parse_result{document(), parse_error{}};
    std::vector<enveloped> found;
    if (parsed) { found = calls_in(parsed.value.root()); }
    if (strength_ == strength::weak && cut) {
        // half an object is a call only if it says whose
        for (const enveloped& c : found) {
            if (!c.arguments) {
                found.clear();
                break;
            }
        }
    }
    if (cut && h.cut == cut_place::in_string) { // the name itself may be half
        std::erase_if(found, [](const enveloped& c) { return !c.arguments && c.rest.empty(); });
    }
    if (found.empty()) {
        if (cut && strength_ == strength::strong && !any_) { // cut inside a call without a name
            consume(end);
            any_ = true;
            leave_body();
            return true;
        }
        any_ ? give_object_back(end) : give_back(end);
        return true;
    }
    for (const enveloped& c : found) {
        any_ = true;
        // Command-R's way of calling nothing
        if (c.name == "directly-answer" && tools_.find(c.name) == tool_names::none) { continue; }
        tell_call(c, ending, call_at_, call_end_at, h.edits);
    }
    consume(end);
    state_ = state::objects;
    return true;
}

/// Hands out streamed arguments up to their own end. Returns how many bytes that are.
std::size_t machine::hand_out_json(view json) {
    std::size_t i = 0;
    for (; i < json.size() && !json_done_; ++i) {
        const char c = json[i];
        if (json_track_.quote != 0) {
            if (json_track_.escape) {
                json_track_.escape = false;
            } else if (c == '\\') {
                json_track_.escape = true;
            } else if (c == '"') {
                json_track_.quote = 0;
            }
        } else if (c == '"') {
            json_track_.quote = c;
        } else if (c == '{' || c == '[') {
            ++json_track_.depth;
        } else if (c == '}' || c == ']') {
            json_done_ = --json_track_.depth == 0;
        }
    }
    if (i > 0) { sink_.on_json(json.substr(0, i)); }
    return i;
}

/// An object between good calls that is none.
void machine::give_object_back(std::size_t end) {
    say_upto(end);
    state_ = state::objects;
}

void machine::tell_call(const enveloped& c, call_ending ending, std::size_t begin, std::size_t end,
                        std::span<const edit> edits) {
    begin_call(c.name, c.id, begin);
    std::string scratch;
    if (!c.rest.empty()) {
        sink_.on_json(c.rest);
    } else if (!c.arguments || c.arguments->is(value_kind::null)) {
        sink_.on_text({}, view::npos);
    } else if (c.arguments->is(value_kind::object)) {
        sink_.on_json(c.arguments->source());
    } else if (c.arguments->is(value_kind::string)) {
        sink_.on_text(c.arguments->string(scratch), view::npos);
    } else {
        sink_.on_text(c.arguments->source(), view::npos);
    }
    end_call(ending, end, edits);
}

} // namespace jsonheal::dialect::detail

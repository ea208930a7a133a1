// Between the tokens of a value: keys, colons, commas, blanks, comments, and what stands where it should not.

#include "engine.hpp"

#include <algorithm>

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t least_blanks = 256; // that are taken at once where a stream has nothing else

} // namespace

bool engine::step_container() {
    while (p_ < end_ && is_blank(byte(p_))) { ++p_; }
    if (p_ >= end_) {
        starved_ = !final_;
        waits_ = waits::other_than_blank;
        waits_until_ = p_ + least_blanks;
        return false;
    }
    const int c = byte(p_);
    if (stack_.empty()) { return begin_at_root(c); }
    switch (c) {
    case ',': return step_separator(1);
    case '}':
    case ']': return step_closer(static_cast<char>(c));
    case '/':
        if (at(p_ + 1) == '/' || at(p_ + 1) == '*') { return skip_comment(); }
        if (starved_) { return false; }
        break;
    case '#':
        if (phase_ != phase::value) { return skip_comment(); }
        break;
    case '\\':
        if (at(p_ + 1) == 'n' || at(p_ + 1) == 't' || at(p_ + 1) == 'r') {
            // {\n \"a\": 1}: the blanks of a document that was escaped as a whole
            drop(p_, p_ + 2, rule::escape_structure);
            p_ += 2;
            escaped_blanks_ = true;
            return true;
        }
        if (starved_) { return false; }
        break;
    case '`':
    case '<': {
        look l(*this, p_);
        const bool html = l.word_is(p_, "<!--");
        if (starved_) { return false; }
        if (html) { return skip_comment(); }
        const bool ends = l.ends_document(p_);
        if (starved_) { return false; }
        if (ends) {
            close_all(cut_place::closers);
            return true;
        }
        break;
    }
    case ')':
        if (stack_.back().awaits() == ')' || phase_ == phase::after) { return step_closer(')'); }
        break;
    case ';': return step_separator(1);
    case '.': {
        look l(*this, p_);
        const bool dots = l.word_is(p_, "...");
        if (starved_) { return false; }
        if (dots && phase_ != phase::value && phase_ != phase::colon) {
            drop(p_, p_ + 3, rule::ellipsis);
            p_ += 3;
            return true;
        }
        break;
    }
    default:
        if (c >= 0x80) {
            if (step_sign(c)) { return true; }
            if (starved_) { return false; }
        }
        break;
    }
    switch (phase_) {
    case phase::first:
    case phase::next: return in_object() ? step_key(c) : step_value(c);
    case phase::colon: return step_colon(c);
    case phase::value: return step_value(c);
    case phase::after: return step_after(c);
    }
    return false;
}

/// Blanks and separators outside ASCII. Returns false where the character is something else.
bool engine::step_sign(int c) {
    const unsigned length = unicode::sequence_length(static_cast<unsigned char>(c));
    for (unsigned k = 1; k < length; ++k) {
        if (at(p_ + k) < 0) {
            if (starved_) { return false; }
            break;
        }
    }
    const unicode::decoded d =
        unicode::decode(view(p_, std::min<std::size_t>(end_, p_ + std::max(1u, length))));
    if (d.size == 0) {
        drop(p_, p_ + d.bad, rule::invalid_utf8);
        p_ += d.bad;
        return true;
    }
    switch (unicode::sign_of(d.code)) {
    case unicode::sign::blank:
        drop(p_, p_ + d.size, rule::blank_character);
        p_ += d.size;
        return true;
    case unicode::sign::byte_order_mark:
        drop(p_, p_ + d.size, rule::byte_order_mark);
        p_ += d.size;
        return true;
    case unicode::sign::comma: return step_separator(d.size);
    case unicode::sign::colon:
        if (phase_ != phase::colon) { return false; }
        put(p_, p_ + d.size, ":", rule::separator_style);
        p_ += d.size;
        phase_ = phase::value;
        return true;
    case unicode::sign::ellipsis:
        if (phase_ == phase::value || phase_ == phase::colon) { return false; }
        drop(p_, p_ + d.size, rule::ellipsis);
        p_ += d.size;
        return true;
    case unicode::sign::close_brace:
    case unicode::sign::close_bracket: {
        const char written = unicode::sign_of(d.code) == unicode::sign::close_brace ? '}' : ']';
        if (stack_.back().closer() != written) { return false; }
        kill_comma(rule::comma_trailing);
        if (phase_ == phase::colon || phase_ == phase::value) { value_missing_here(); }
        put(p_, p_ + d.size, {&written, 1}, rule::bracket_style);
        p_ += d.size;
        pop();
        return true;
    }
    default: return false;
    }
}

/// A comma, or what stands for one, at p_.
bool engine::step_separator(std::size_t size) {
    switch (phase_) {
    case phase::after: {
        if (leave_call()) { return true; }
        take_comma(size, size != 1 || byte(p_) != ',');
        return true;
    }
    case phase::first:
    case phase::next:
        drop(p_, p_ + size, rule::comma_surplus);
        p_ += size;
        return true;
    case phase::colon:
    case phase::value:
        if (stack_.back().has(frame::call)) {
            drop(p_, p_ + size, rule::comma_surplus);
            p_ += size;
            return true;
        }
        value_missing_here();
        return true;
    }
    return false;
}

/// Puts text in right behind the last value, before the blanks and comments that followed it.
void engine::put_after_value(std::string_view text, rule why) {
    if (held_too_long(value_end_)) {
        put(p_, p_, text, why);
        value_end_ = p_;
        return;
    }
    std::size_t i = edits_.size();
    while (i > flushed_ && (edits_[i - 1].begin > value_end_ ||
                            (edits_[i - 1].begin == value_end_ && edits_[i - 1].end > value_end_))) {
        --i;
    }
    insert_at(i, edit(value_end_, value_end_, text, why));
}

/// A lost comma is put in; it is pending like a written one, for its member may still be dropped.
void engine::missing_comma() {
    put_after_value(",", rule::comma_missing);
    comma_ = value_end_;
    comma_size_ = 0;
    comma_edit_ = edits_.size() - 1;
    while (edits_[comma_edit_].rule != rule::comma_missing || edits_[comma_edit_].begin != value_end_) {
        --comma_edit_;
    }
    phase_ = phase::next;
    last_string_ = false;
}

/// The pending comma turns out to separate nothing.
/// `[1,2,]` → `[1,2]`
void engine::kill_comma(rule why) {
    if (comma_ == none || refuse_released_comma()) { return; }
    const edit gone(comma_, comma_ + comma_size_, {}, why);
    if (comma_size_ == 0) {
        edits_.erase(edits_.begin() +
                     static_cast<std::ptrdiff_t>(comma_edit_)); // it was put in, and is not needed
    } else if (comma_edit_ < edits_.size() && edits_[comma_edit_].begin == comma_ &&
               edits_[comma_edit_].size == 1) {
        edits_[comma_edit_] = gone;
    } else {
        insert_at(comma_edit_, gone);
    }
    comma_ = none;
}

/// Where the member that may still be dropped begins: at its comma, or at its key.
std::size_t engine::pending() const noexcept { return comma_ != none ? comma_ : member_; }

/// A key that was held too long has been handed out, with its comma.
bool engine::pending_released() const noexcept { return member_ != none && held_too_long(member_); }

/// So has a comma, if the blanks behind it were too many to be held.
bool engine::comma_released() const noexcept {
    if (comma_ == none || options_.preset == preset::whole) { return false; }
    return (member_ != none ? member_ : p_) - comma_ > options_.limits.hold_back || pending_released();
}

/// The comma would have to go, but has been handed out.
bool engine::refuse_released_comma() {
    if (!comma_released()) { return false; }
    refuse("a comma without a value was held too long to be dropped", comma_);
    return true;
}

/// Drops the pending member, from its comma on, up to an offset. False if it was held too long to be dropped.
bool engine::drop_pending(std::size_t to, rule why) {
    const std::size_t from = pending();
    if (from == none || pending_released() || comma_released()) { return false; }
    roll_back(from, comma_ != none ? comma_edit_ : member_edit_);
    put(from, to, {}, why);
    commit_comma();
    return true;
}

/// The caller wants no placeholder, but a key without a value has been handed out already.
bool engine::refuse_placeholder() {
    if (options_.missing != missing_policy::drop || !in_object() ||
        !(pending_released() || comma_released())) {
        return false;
    }
    refuse("a member without a value was held too long to be dropped", member_);
    return true;
}

/// A member without a value: `{"a":,"b":1}` gets null, or goes if the caller wants that.
void engine::value_missing_here() {
    const bool first = comma_ == none;
    if (options_.missing == missing_policy::drop && drop_pending(p_, rule::value_missing)) {
        phase_ = first ? phase::first : phase::after;
        value_end_ = p_;
        return;
    }
    if (refuse_placeholder()) { return; }
    put(p_, p_, phase_ == phase::colon ? ":null" : "null", rule::value_missing);
    value_done();
    // The key must not go out alone before the refusal.
    if (options_.preset == preset::live && above_ceiling(edits_.back())) { flush(p_, true); }
}

/// What stands at p_ was cut and is unsure: it goes, and with it the member that it is the value of.
void engine::drop_unsure(rule why, cut_place cut) {
    if (!in_object() || !drop_pending(end_, why)) {
        if (in_object()) { // its key was handed out already
            if (refuse_placeholder()) { return; }
            put(p_, end_, "null", rule::value_missing);
        } else {
            kill_comma(rule::comma_trailing);
            put(p_, end_, {}, why);
        }
    }
    commit_comma();
    p_ = end_;
    phase_ = phase::after;
    close_all(cut);
}

/// Refuses one more open bracket where the limit is reached. To be asked before anything is put in for it.
bool engine::refuse_depth() {
    if (stack_.size() < options_.limits.depth) { return false; }
    refuse("the text is nested deeper than the limit", p_);
    return true;
}

/// Opens a bracket that is written in `size` bytes at p_ (0: it was put in).
void engine::push(std::uint8_t flags, std::size_t size) {
    if (refuse_depth()) { return; }
    last_open_ = p_;
    p_ += size;
    if ((flags & frame::call) == 0) { commit_comma(); } // the value of a call is still to come
    stack_.push_back(frame{flags});
    if (options_.expect != nullptr) { enter_place(); }
    last_open_depth_ = stack_.size();
    deepest_ = std::max(deepest_, stack_.size());
    phase_ = (flags & frame::call) != 0 ? phase::value : phase::first;
    last_string_ = false;
}

/// The text ends inside the value: what is unsure goes, what is open is closed.
void engine::close_all(cut_place cut) {
    if (phase_ == phase::colon || phase_ == phase::value) {
        cut = phase_ == phase::colon ? cut_place::in_key : cut_place::after_colon;
        if (!drop_pending(p_, rule::cut_member) && in_object()) {
            if (refuse_placeholder()) { return; }
            put(p_, p_, phase_ == phase::colon ? ":null" : "null", rule::value_missing);
        }
    } else if (comma_ != none || phase_ == phase::first) {
        if (cut == cut_place::closers) { cut = cut_place::between; }
        kill_comma(rule::comma_trailing);
    }
    comma_ = member_ = none;
    // both brackets of the root were lost: nothing was cut
    const bool only_virtual =
        stack_.size() == 1 && stack_.back().has(frame::no_opener) && cut == cut_place::closers;
    std::string closers;
    while (!stack_.empty()) {
        if (!stack_.back().has(frame::call)) { closers.push_back(stack_.back().closer()); }
        if (closers.size() == edit::max_text) {
            put(p_, p_, closers, rule::closer_missing_end);
            closers.clear();
        }
        stack_.pop_back();
    }
    if (!closers.empty()) { put(p_, p_, closers, rule::closer_missing_end); }
    end_root(only_virtual ? cut_place::none : cut);
}

bool engine::step_key(int c) {
    std::size_t size = 1;
    look l(*this, p_);
    const char sign = l.sign_at(p_, size);
    if (starved_) { return false; }
    if (c == '"') {
        // {"a":"x",","b":1} and {"a":"x","","b":1}: a stray quote or an empty string between commas
        const std::size_t stray = l.at(p_ + 1) == ','                          ? 1
                                  : l.at(p_ + 1) == '"' && l.at(p_ + 2) == ',' ? 2
                                                                               : 0;
        const bool dropped = stray != 0 && l.quoted_key(p_) != key_shape::colon &&
                             l.after_comma(p_ + stray + 1, 0) >= fit::good && !l.past;
        if (starved_) { return false; }
        if (dropped) {
            drop(p_, p_ + stray, rule::quote_surplus);
            p_ += stray;
            return true;
        }
    }
    if (sign == '"' || sign == '\'' || sign == '`') { return open_string(role::key, sign); }
    if (c == '\\' && (at(p_ + 1) == '"' || at(p_ + 1) == '\'')) { return open_string(role::key, c); }
    if (c == '<' && l.word_is(p_, "<|\"")) { return open_string(role::key, c); }
    if (c == '{') {
        const bool in_array = stack_.size() > 1 && !frame_below(1).is_object();
        if (phase_ == phase::next && in_array && comma_ != none && !comma_released()) {
            // [{"a":1, {"a":2}] → [{"a":1}, {"a":2}]
            insert_at(comma_edit_, edit(comma_, comma_, "}", rule::closer_missing));
            ++comma_edit_;
            stack_.pop_back();
            return true;
        }
        stack_.back().flags |= frame::doubled;
        do {
            drop(p_, p_ + 1, rule::braces_doubled);
            ++p_;
        } while (!refused_ && p_ < end_ && byte(p_) == '{');
        return true;
    }
    if (starved_) { return false; }
    if (c == ':' || c == '=') {
        drop(p_, p_ + 1, rule::stray_character);
        ++p_;
        return true;
    }
    return bare_key(c);
}

bool engine::step_colon(int c) {
    if (c == ':') {
        ++p_;
        phase_ = phase::value;
        return true;
    }
    look l(*this, p_);
    if (c == '=' || (c == '-' && l.at(p_ + 1) == '>')) {
        const int d = l.at(p_ + 1);
        if (starved_) { return false; }
        const std::size_t size = d == '>' ? 2 : 1;
        put(p_, p_ + size, ":", rule::separator_style);
        p_ += size;
        phase_ = phase::value;
        equals_seen_ = true;
        return true;
    }
    std::size_t size = 1;
    const char sign = l.sign_at(p_, size);
    bool missing_value = false;
    if (sign == '"' || sign == '\'') { missing_value = l.quoted_key(p_) == key_shape::colon; }
    if (is_name_start(c)) { missing_value = l.bare_key(p_) == key_shape::colon; }
    if (starved_) { return false; }
    if (missing_value) {
        // {"a" "b": 1} → {"a":null, "b": 1}
        value_missing_here();
        return true;
    }
    const bool starts = l.value_starts(p_) || is_name(c) || c == '(' || c == '\\' || c == '/' || c == '<';
    if (starved_) { return false; }
    if (!starts) { return step_foreign(c); }
    put_after_value(":", rule::colon_missing);
    phase_ = phase::value;
    return true;
}

bool engine::step_value(int c) {
    if (!in_object() && !stack_.back().has(frame::call) && step_array_key(c)) { return true; }
    if (starved_) { return false; }
    return begin_value(c);
}

/// A key inside an array: either the array lost its closer, or a pair stands where an object should.
/// `{"a":[1, "b":2}` → `{"a":[1], "b":2}` and `["k":"v"]` → `[{"k":"v"}]`
bool engine::step_array_key(int c) {
    constexpr std::size_t reach = 66;
    look l(*this, p_);
    std::size_t j = p_;
    if (c == '"' || c == '\'') {
        ++j;
        // more words than a few are text
        for (unsigned blanks = 0; j < p_ + reach && blanks < 3; ++j) {
            const bool blank = l.at(j) == ' ';
            blanks += blank ? 1 : 0;
            if (!blank && !l.name_at(j) && l.at(j) != '-' && l.at(j) != '.') { break; }
        }
        if (starved_ || j == p_ + 1 || l.at(j) != c) { return false; }
        bool other = false;
        if (!l.colon_at(j + 1, other) || other || starved_) { return false; }
    } else {
        return false;
    }
    const bool record = record_key_ == p_;
    const bool from_object =
        !record && stack_.size() > 1 && frame_below(1).is_object() && !stack_.back().has(frame::paren);
    if (phase_ != phase::first && from_object) {
        if (refuse_released_comma()) { return true; }
        if (comma_ != none) {
            insert_at(comma_edit_, edit(comma_, comma_, "]", rule::closer_missing));
            ++comma_edit_;
            stack_.pop_back();
            phase_ = phase::next;
        } else {
            put_after_value("]", rule::closer_missing);
            stack_.pop_back();
            phase_ = phase::after;
        }
        return true;
    }
    if (refuse_depth()) { return true; }
    if (phase_ == phase::after) { missing_comma(); }
    put(p_, p_, "{", record ? rule::opener_missing : rule::pair_in_array);
    push(frame::object | frame::no_opener, 0);
    return true;
}

/// What stands between the last value and p_, as far back as may be looked.
std::string_view engine::blanks_behind() const noexcept {
    const std::size_t back = options_.limits.look_back;
    return view(p_ - value_end_ > back ? p_ - back : value_end_, p_);
}

/// ObjectId("1" without its bracket: what follows the value belongs to what is around the call.
bool engine::leave_call() {
    if (!stack_.back().has(frame::call)) { return false; }
    stack_.pop_back();
    if (stack_.empty()) { end_root(cut_place::none); }
    return true;
}

bool engine::step_after(int c) {
    if (leave_call()) { return true; }
    look l(*this, p_);
    std::size_t size = 1;
    const char sign = l.sign_at(p_, size);
    const bool newline = blanks_behind().find('\n') != std::string_view::npos;
    if (c == '+' && last_string_) { return join_strings(); }
    const bool side_by_side = blanks_behind().find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (in_object() && last_string_ && side_by_side && (sign == '"' || sign == '\'') &&
        l.quoted_key(p_) == key_shape::alone && !l.past) {
        // 'a' 'b' → "ab"
        const std::size_t end = l.quoted_end(p_, size, sign);
        const bool ends = end != 0 && l.after_value(end, 0) >= fit::good;
        if (starved_) { return false; }
        if (ends) { return join_strings(); }
    }
    if (in_object()) {
        key_shape shape = key_shape::none;
        if (sign == '"' || sign == '\'' || sign == '`') { shape = l.quoted_key(p_); }
        if (is_name(c)) { shape = l.bare_key(p_); }
        if (c == '\\') { shape = key_shape::colon; }
        if (starved_) { return false; }
        const bool prose = is_name(c) && !bare_keys_ && quoted_keys_ &&
                           blanks_behind().find("\n\n") != std::string_view::npos;
        const bool wanted = shape == key_shape::colon || shape == key_shape::lost_close ||
                            shape == key_shape::no_colon || (shape == key_shape::cut && sign != 0);
        if (wanted && !prose) {
            missing_comma();
            return true;
        }
        if (c == '{' && stack_.size() > 1 && !frame_below(1).is_object()) {
            put_after_value("}", rule::closer_missing);
            stack_.pop_back();
            missing_comma();
            return true;
        }
        return step_foreign(c);
    }
    if (step_array_key(c)) { return true; }
    if (starved_) { return false; }
    const bool starts = l.value_starts(p_) || sign == '"' || sign == '\'' || sign == '`' ||
                        (newline && is_name(c)) || c == '(';
    if (starved_) { return false; }
    const bool word = is_name(c) && !l.value_starts(p_);
    if (word) {
        // ["plum" PEAR"] → ["plum", "PEAR"]: bare words that end in a quote
        std::size_t j = p_;
        while (l.name_at(j) || l.at(j) == ' ') { ++j; }
        const bool quoted = l.at(j) == '"' && l.after_value(j + 1, 0) >= fit::good;
        if (starved_) { return false; }
        if (!quoted) { return step_foreign(c); }
    } else if (!starts) {
        return step_foreign(c);
    }
    missing_comma();
    return true;
}

/// Something that belongs to no member stands here: a stray word or character, or the value ended without its
/// closers and other text follows.
bool engine::step_foreign(int c) {
    look l(*this, p_);
    // words alone before a line end, then a member or a closer goes on: noise
    std::size_t j = p_;
    constexpr std::size_t reach = 80;
    while (j < p_ + reach && l.at(j) >= 0 && l.at(j) != '\n') { ++j; }
    bool goes_on = false;
    if (l.at(j) == '\n' && phase_ != phase::colon) {
        const gap g = l.skip(j);
        const int d = l.at(g.position);
        if (in_object()) { goes_on = d == '"' && l.quoted_key(g.position) == key_shape::colon; }
        if (d == '}' || d == ']') { goes_on = l.closer_fits(g, static_cast<char>(d), 0, 0) >= fit::good; }
    }
    if (l.past) { goes_on = false; }
    if (!goes_on && phase_ == phase::after && is_name(c)) {
        // {"a": {"b": 1} x, "n": 2}: words before a separator or a closer that fits
        look m(*this, p_);
        std::size_t k = p_;
        while (k < p_ + reach && (m.name_at(k) || m.at(k) == ' ' || m.at(k) == '-' || m.at(k) == '.')) {
            ++k;
        }
        const int d = m.at(k);
        if ((d == ',' || d == '}' || d == ']') && m.after_value(k, 0) == fit::strict && !m.past) {
            goes_on = true;
            j = k;
        }
    }
    if (starved_) { return false; }
    if (goes_on) {
        while (j > p_ && is_blank(byte(j - 1))) { --j; }
        if (j > p_ + 1 && byte(j - 1) == ',') { --j; }
        drop(p_, j, rule::stray_word);
        last_string_ = false;
        p_ = j;
        return true;
    }
    // a single character that means nothing, with structure right behind it
    if (!is_name(c) && c != '\\' && c != '{' && c != '[' && c != '(') {
        const fit f = phase_ == phase::after   ? l.after_value(p_ + 1, 0)
                      : phase_ == phase::colon ? fit::none
                                               : l.after_comma(p_ + 1, 0);
        if (starved_) { return false; }
        if (f >= fit::good && !l.past) {
            drop(p_, p_ + 1, rule::stray_character);
            last_string_ = false;
            ++p_;
            return true;
        }
    }
    close_all(cut_place::closers);
    return true;
}

} // namespace jsonheal::heal_detail

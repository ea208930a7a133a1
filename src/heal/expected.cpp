// What a schema says may come: which kinds a value may have here, and which keys its object knows. Asked only where
// the text leaves a choice; strict JSON is read the same with it and without.

#include "engine.hpp"

#include <algorithm>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t reach = 64; // open brackets searched for one that knows a key

/// The characters of a key by which spellings of it are told apart: letters and digits, in lower case.
/// `first_name`, `First-Name` and `firstName` are one.
class spelling {
public:
    explicit spelling(std::string_view text) noexcept : text_(text) {}
    /// The next of them; -1 at the end.
    int next() noexcept {
        while (i_ < text_.size()) {
            const unsigned char c = static_cast<unsigned char>(text_[i_++]);
            if (c >= 0x80 || is_digit(c)) { return c; }
            if (is_letter(c)) { return c | 0x20; }
        }
        return -1;
    }

private:
    std::string_view text_;
    std::size_t i_ = 0;
};

bool same_spelling(std::string_view a, std::string_view b) noexcept {
    spelling left(a), right(b);
    for (;;) {
        const int c = left.next();
        if (c != right.next()) { return false; }
        if (c < 0) { return true; }
    }
}

} // namespace

/// A bracket was pushed onto the stack. Those popped since the last time are forgotten here.
void engine::enter_place() {
    const expectation* here = nullptr;
    places_.resize(stack_.size() - 1);
    if (places_.empty()) {
        here = options_.expect;
    } else if (const place& around = places_.back(); around.here != nullptr) {
        const frame f = frame_below(1);
        here = f.has(frame::call) ? around.here
               : f.is_object()    ? around.here->member(key_text_)
                                  : around.here->element(around.index);
    }
    places_.push_back({here, 0});
}

void engine::note_value() noexcept {
    if (!stack_.empty() && places_.size() >= stack_.size()) { ++places_[stack_.size() - 1].index; }
}

/// A key was read; its text stands in the input from `from` to `to`.
void engine::note_key(std::size_t from, std::size_t to) {
    key_text_.clear();
    if (from < base_ || to < from || to > end_) { return; } // it was held too long and has left the window
    const std::string_view raw = view(from, to);
    if (raw.find('\\') == std::string_view::npos) {
        key_text_ = raw;
    } else {
        std::string quoted = "\"";
        quoted.append(raw).push_back('"');
        if (!decode_string(quoted, key_text_)) { key_text_ = raw; }
    }
    if (options_.close_at_known_keys && comma_ != none) { close_at_known_key(); }
}

bool engine::knows_key(const expectation* object, std::string_view key) const noexcept {
    if (object == nullptr) { return false; }
    const auto keys = object->known_keys();
    return std::any_of(keys.begin(), keys.end(), [&](std::string_view k) { return same_spelling(k, key); });
}

/// The key behind the pending comma belongs to an object further out: the brackets between were lost.
/// `{"a":{"b":1,"c":2}` → `{"a":{"b":1},"c":2}`
void engine::close_at_known_key() {
    places_.resize(std::min(places_.size(), stack_.size()));
    if (places_.size() != stack_.size() || knows_key(places_.back().here, key_text_)) { return; }
    const expectation* here = places_.back().here;
    if (here == nullptr || here->known_keys().empty()) { return; }
    std::size_t k = 1;
    while (k < stack_.size() && k < reach &&
           !(frame_below(k).is_object() && knows_key(places_[places_.size() - 1 - k].here, key_text_))) {
        ++k;
    }
    if (k >= stack_.size() || k >= reach || pending_released()) { return; }
    std::size_t put_in = 0;
    for (std::size_t i = 0; i < k; ++i) {
        const char closer = stack_.back().closer();
        if (!stack_.back().has(frame::call)) {
            insert_at(comma_edit_, edit(comma_, comma_, {&closer, 1}, rule::closer_missing));
            ++comma_edit_;
            ++put_in;
        }
        stack_.pop_back();
    }
    member_edit_ += put_in;
    last_close_ += put_in;
    places_.resize(stack_.size());
}

/// What is expected of the value that begins at p_. Null: nothing is known.
const expectation* engine::expected_value() {
    if (options_.expect == nullptr) { return nullptr; }
    if (stack_.empty()) { return options_.expect; }
    places_.resize(std::min(places_.size(), stack_.size()));
    if (places_.size() != stack_.size() || places_.back().here == nullptr) { return nullptr; }
    const place& p = places_.back();
    const frame f = stack_.back();
    return f.has(frame::call) ? p.here : f.is_object() ? p.here->member(key_text_) : p.here->element(p.index);
}

/// May the value at p_ be a string, but not of the other kind?
bool engine::wants_text(value_kind other) {
    const expectation* e = expected_value();
    return e != nullptr && e->kinds().has(value_kind::string) && !e->kinds().has(other);
}

/// May the value at p_ be a number, but no string?
bool engine::wants_number() {
    const expectation* e = expected_value();
    return e != nullptr && e->kinds().has(value_kind::number) && !e->kinds().has(value_kind::string);
}

/// Whether the key that follows a comma at `after` is one that the innermost object knows. Unsure where no key follows,
/// or where the schema names no keys.
engine::named engine::key_after(look& l, std::size_t after) {
    if (options_.expect == nullptr || !in_object()) { return named::unsure; }
    places_.resize(std::min(places_.size(), stack_.size()));
    if (places_.size() != stack_.size()) { return named::unsure; }
    const expectation* here = places_.back().here;
    if (here == nullptr || here->known_keys().empty()) { return named::unsure; }
    const gap g = l.skip(after);
    if (l.at(g.position) != ',') { return named::unsure; }
    std::size_t i = l.skip(g.position + 1).position;
    const int quote = l.at(i);
    if (quote != '"' && quote != '\'') { return named::unsure; }
    const std::size_t end = l.quoted_end(i, 1, static_cast<char>(quote));
    if (end == 0 || l.past || starved_) { return named::unsure; }
    return knows_key(here, view(i + 1, end - 1)) ? named::known : named::unknown;
}

} // namespace jsonheal::heal_detail

// What is certain of the output: how far it has settled, how it is written, handed over and forgotten.

#include "engine.hpp"

#include <algorithm>
#include <cstring>

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t piece_edits = 4096,
                      long_run = 1024;      // the output is written piece by piece, and long runs alone
constexpr std::size_t short_text = 4096;    // bytes that are written at once, whatever there is to do
constexpr std::size_t forget_at = 8;        // edits of a log that nobody wants
constexpr std::size_t forget_text_at = 128; // bytes of text that was drained

} // namespace

bool engine::held_too_long(std::size_t mark) const noexcept {
    return options_.preset == preset::live && p_ - mark > options_.limits.hold_back;
}

/// The input offset before which nothing can change any more.
std::size_t engine::settle_point() {
    if (options_.preset == preset::whole) { return out_to_; }
    if (!in_root_) { return settle_gap(); }
    std::size_t point = p_;
    if (mode_ == mode::string && str_.role != role::key) {
        point = quiet_tail_ == p_ ? before_blanks(p_) : tail_start(p_, true);
        if (point == before_blanks(p_)) { quiet_tail_ = p_; }
    }
    if (mode_ == mode::words) { point = std::min(word_end_, tail_start(p_, true)); }
    const mode where = mode_ == mode::comment ? comment_from_ : mode_;
    if (mode_ == mode::comment) { point = comment_begin_; }
    if (mode_ == mode::digits) { point = digits_good_; }
    if (value_certain()) {
        // its key can be handed out, although it is not known yet what it is
    } else if (comma_ != none && !comma_released()) {
        point = std::min(point, comma_);
    } else if (member_ != none && !pending_released()) {
        point = std::min(point, member_);
    }
    // a lost comma is put right behind the value, so the blanks after it wait
    if (where == mode::container && (phase_ == phase::after || phase_ == phase::colon) &&
        !held_too_long(value_end_)) {
        point = std::min(point, value_end_);
    }
    // a closing quote stays in hand while a + may still join another string to it
    if (where == mode::container && last_string_ && phase_ == phase::after && !held_too_long(last_quote_)) {
        point = std::min(point, last_quote_);
    }
    return point;
}

/// Is the byte at p_ one with which the awaited value begins for certain, whatever follows it? Then the comma and the key
/// before it stay.
bool engine::value_certain() const noexcept {
    if (mode_ != mode::container || !in_root_ || p_ >= end_ || p_ < base_ || stack_.empty() ||
        stack_.back().has(frame::call)) {
        return false;
    }
    const bool member = phase_ == phase::value && in_object();
    if (!member && (phase_ != phase::next || in_object())) { return false; }
    return begins_value(p_, member);
}

bool engine::begins_value(std::size_t i, bool member) const noexcept {
    const unsigned char c = byte(i);
    if (c == '{' || c == '[') { return true; }
    if (is_digit(c)) { return options_.cut_number == cut_number_policy::keep; }
    if (c == '"') { return member; } // in an array it may be the key of a member behind it
    // a word that cannot have been cut: a literal, or text
    constexpr std::size_t reach = 12;
    std::size_t j = i;
    while (j < end_ && j < i + reach && is_letter(byte(j))) { ++j; }
    if (j == i || j >= end_ || j == i + reach) { return false; }
    const unsigned char next = byte(j);
    return is_blank(next) || next == ',' || next == '}' || next == ']';
}

/// The same, as far as it was handed out: does the output end where such a value is to begin, or a lost colon before it?
bool engine::ends_before_value() const noexcept {
    return (written_.awaits_value() || written_.awaits_colon()) && out_to_ >= base_ && out_to_ < end_ &&
           begins_value(out_to_, written_.in_object());
}

/// A change inside a number was refused whose key or comma was handed out when its first digit was seen: what came out of
/// it goes, and null stands for it.
bool engine::drop_refused_number() {
    const std::optional<std::size_t> begin = written_.token_begin();
    if (token_ended() || !begin || written_.depth() == 0 || written_.whole() == *begin ||
        *begin < out_base_ || !is_digit(static_cast<unsigned char>(out_[*begin - out_base_])) ||
        options_.cut_number != cut_number_policy::keep) {
        return false;
    }
    written_.drop_token();
    keep_settled_ = true;
    return true;
}

/// The same outside a value.
std::size_t engine::settle_gap() noexcept {
    if (gap_has_edits()) { return edits_.back().begin; }
    const std::size_t blanks_end = mode_ == mode::comment ? comment_begin_ : p_;
    if (blanks_end - gap_begin_ <= options_.limits.hold_back) { return gap_begin_; }
    head_released_ |= found_.empty();
    return blanks_end;
}

void engine::settle() {
    if (refused_ || options_.preset == preset::whole) { return; }
    flush(settle_point());
}

/// Replays the edits that lie before an offset, and the input between them. `through`: also what is put in right there.
void engine::flush(std::size_t upto, bool through) {
    if (flushed_ == edits_.size()) {
        if (upto > out_to_) { copy_input(upto); }
        return;
    }
    const bool to_end = final_ && upto == end_;
    const bool ceiling = options_.max_risk != risk::lossy || !options_.forbidden.empty();
    if (to_end && out_.empty()) {
        // all of the text and a byte for each edit, and for the first ones as much as an edit may put in
        const std::size_t edits = edits_.size() - flushed_;
        out_.reserve(upto - out_to_ + edits + std::min<std::size_t>(edits, 64) * edit::max_text);
    }
    if (to_end && !ceiling && upto - out_to_ <= short_text) { return flush_all(upto); }
    const edit* offender = nullptr;
    bool more = true;
    while (more && flushed_ < edits_.size()) {
        // first how far edits stand close together, so that the output grows once for all of them
        const edit* const first = edits_.data() + flushed_;
        const edit* const stop = first + std::min(edits_.size() - flushed_, piece_edits);
        const edit* e = first;
        std::size_t to = out_to_, put_in = 0, left_out = 0;
        risk worst = worst_;
        for (; e != stop; ++e) {
            if (e->end > upto || (e->begin >= upto && !to_end && !through)) {
                upto = std::min<std::size_t>(upto, e->begin);
                more = false;
                break;
            }
            if (ceiling && above_ceiling(*e)) {
                offender = e;
                upto = std::max<std::size_t>(out_to_, e->begin);
                more = false;
                break;
            }
            if (e->begin > to + long_run && e != first) { break; }
            to = e->end;
            put_in += e->size;
            left_out += e->end - e->begin;
            worst = std::max(worst, e->risk());
        }
        if (e == first) { break; }
        worst_ = worst;
        if (first->begin > out_to_ + long_run) { copy_input(first->begin); }
        const std::size_t before = out_.size();
        out_.resize(before + (to - out_to_) - left_out + put_in);
        replay_edits(out_.data() + before, out_.data() + out_.size(), static_cast<std::size_t>(e - first));
    }
    if (upto > out_to_) { copy_input(upto); }
    if (offender != nullptr) { return refuse_edit(*offender); }
    if (options_.log != log_policy::kept && flushed_ > forget_at && options_.preset == preset::live) {
        forget_edits(flushed_);
    }
}

/// All that is left of a short text.
void engine::flush_all(std::size_t upto) {
    std::size_t size = upto - out_to_, edits = edits_.size() - flushed_;
    risk worst = worst_;
    for (const edit* e = edits_.data() + flushed_; e != edits_.data() + edits_.size(); ++e) {
        size = size + e->size - (e->end - e->begin);
        worst = std::max(worst, e->risk());
    }
    worst_ = worst;
    const std::size_t before = out_.size(), rest = upto - edits_.back().end;
    out_.resize(before + size);
    char* const end = out_.data() + out_.size();
    replay_edits(out_.data() + before, end, edits);
    std::memcpy(end - rest, data_ + (out_to_ - base_), rest);
    out_to_ = upto;
}

/// Forgets the first edits of the log, which have been replayed.
void engine::forget_edits(std::size_t count) {
    if (count == 0) { return; }
    for (std::size_t i = 0; i < count; ++i) {
        const edit& e = edits_[i];
        dropped_out_ += e.begin - dropped_at_ + e.size;
        dropped_at_ = e.end;
        dropped_worst_ = std::max(dropped_worst_, e.risk());
    }
    edits_.erase(edits_.begin(), edits_.begin() + static_cast<std::ptrdiff_t>(count));
    dropped_edits_ += count;
    flushed_ -= count;
    const auto shift = [count](std::size_t& index) { index -= std::min(index, count); };
    for (std::size_t* index : {&comma_edit_, &member_edit_, &str_.edits, &last_close_}) { shift(*index); }
    if (!found_.empty()) {
        shift(found_.back().edit_begin);
        shift(found_.back().edit_end);
    }
}

// ---- handing over

/// What was handed over goes once there is some of it, since each time costs.
void engine::forget_drained(bool all) {
    if (taken_ >= (all ? 1 : forget_text_at)) {
        follow_output();
        out_base_ += taken_;
        out_.erase(0, taken_);
        taken_ = 0;
    }
    if (edits_taken_ >= (all ? 1 : forget_at)) {
        forget_edits(edits_taken_);
        edits_taken_ = 0;
    }
}

/// Reads the output that was not read yet, so that its closers are known.
void engine::follow_output() {
    const std::size_t known = written_.size() - out_base_;
    if (known < out_.size()) {
        written_.read(std::string_view(out_).substr(known));
    } // after a refusal there may be less
}

std::string_view engine::drain() {
    const std::size_t from = taken_;
    taken_ = out_.size();
    return std::string_view(out_).substr(from);
}

std::span<const edit> engine::drain_edits() {
    if (options_.log != log_policy::kept || options_.preset == preset::whole) { return {}; }
    const std::size_t from = edits_taken_;
    edits_taken_ = flushed_;
    return std::span<const edit>(edits_).subspan(from, flushed_ - from);
}

/// Is the number or literal at the end of the output whole? It is not while its digits are still read, nor if a change
/// inside it was refused.
bool engine::token_ended() const noexcept {
    if (!refused_) {
        // `1.` whose 0 is still to be put in
        const bool more = flushed_ < edits_.size() && edits_[flushed_].begin == out_to_ &&
                          edits_[flushed_].rule == rule::number_style;
        return mode_ != mode::digits && !more;
    }
    if (!result_.why.by_rule) { return true; }
    switch (result_.why.rule) {
    case rule::number_separator:
    case rule::number_style:
    case rule::number_suffix: return false;
    case rule::cut_literal: return digits_end_ == result_.why.offset;
    default: return true;
    }
}

snapshot engine::snapshot() {
    catch_up();
    jsonheal::snapshot s;
    follow_output();
    s.settled_length = written_.whole(token_ended());
    if (s.settled_length != 0) { written_.append_closers(s.tail); }
    return s;
}

/// Writes the input up to an offset.
void engine::copy_input(std::size_t upto) {
    out_.append(data_ + (out_to_ - base_), upto - out_to_);
    out_to_ = upto;
}

/// Writes [out, out_end): the next edits, and the input between them.
void engine::replay_edits(char* out, const char* out_end, std::size_t count) {
    std::size_t at = out_to_;
    std::span<const edit> next = std::span<const edit>(edits_).subspan(flushed_, count);
    for (; !next.empty() && at < base_;
         next = next.subspan(1)) { // what is taken out may have left the window
        std::memcpy(out, next.front().bytes, next.front().size);
        out += next.front().size;
        at = next.front().end;
    }
    if (!next.empty()) {
        edits_detail::replay(data_ - base_, data_ + (end_ - base_), at, next, out, out_end);
        at = next.back().end;
    }
    edit_total_ += count;
    flushed_ += count;
    out_to_ = at;
}

/// Bytes that no look-back can reach any more leave the window.
void engine::compact_window() {
    if (options_.preset == preset::whole) { return; }
    std::size_t keep = !in_root_ && gap_has_edits() ? p_ : std::min(p_, out_to_);
    const std::size_t back = options_.limits.look_back + near_back;
    keep = keep > back ? keep - back : 0;
    // at most twice as much is moved as is thrown away
    if (keep < base_ + std::max(compact_at, (end_ - keep) / 2)) { return; }
    std::memmove(buffer_.data(), buffer_.data() + (keep - base_), end_ - keep);
    base_ = keep;
}

} // namespace jsonheal::heal_detail

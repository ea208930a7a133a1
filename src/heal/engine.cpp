#include "engine.hpp"

#include "output.hpp"
#include "plain.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace jsonheal::heal_detail {

namespace {

constexpr std::uint32_t least_look_ahead = 8;
constexpr std::size_t near_back = 96; // bytes behind p_ that may be looked at whatever the look-back is
constexpr std::string_view too_long = "the text is longer than the limit of bytes";
constexpr std::size_t least_log = 32, first_log = 4096; // edits that room is made for before the first one
constexpr std::size_t piece_edits = 4096,
                      long_run = 1024;        // the output is written piece by piece, and long runs alone
constexpr std::size_t compact_at = 64 * 1024; // a window is shifted down only when so much of it is done with

} // namespace

engine::engine(const heal_options& options) : options_(options) {
    // below this not even a literal could be told from a word
    options_.limits.look_ahead = std::max(options_.limits.look_ahead, least_look_ahead);
}

void engine::reset() {
    engine fresh(options_);
    fresh.buffer_ = std::move(buffer_);
    fresh.buffer_.clear();
    fresh.edits_ = std::move(edits_);
    fresh.edits_.clear();
    fresh.stack_ = std::move(stack_);
    fresh.stack_.clear();
    fresh.found_ = std::move(found_);
    fresh.found_.clear();
    fresh.places_ = std::move(places_);
    fresh.places_.clear();
    fresh.recycle(std::move(out_), {});
    *this = std::move(fresh);
}

void engine::recycle(std::string&& text, std::vector<edit>&& log) noexcept {
    if (text.capacity() > out_.capacity()) { out_ = std::move(text); }
    if (log.capacity() > edits_.capacity()) { edits_ = std::move(log); }
    out_.clear();
    edits_.clear();
}

void engine::read_all(std::string_view text) {
    data_ = text.data();
    end_ = text.size();
    final_ = true;
    // a short text is healed with few allocations, a long one does not begin with the smallest
    edits_.reserve(std::clamp(end_ / 8, least_log, first_log));
    stack_.reserve(16);
    if (text.size() > options_.limits.bytes) {
        end_ = options_.limits.bytes;
        final_ = false;
        run();
        return refuse(too_long, end_);
    }
    run();
    end_of_text();
}

void engine::feed(std::string_view chunk) {
    if (refused_) { return; }
    const bool over = end_ + chunk.size() > options_.limits.bytes;
    if (over) { chunk = chunk.substr(0, options_.limits.bytes - end_); }
    buffer_.append(chunk);
    data_ = buffer_.data();
    end_ += chunk.size();
    if (end_ < retry_at_ && !over) { return; }
    run();
    if (over) { return refuse(too_long, end_); }
    settle();
    compact_window();
}

void engine::end() {
    final_ = true;
    if (refused_) { return; }
    data_ = buffer_.data();
    run();
    end_of_text();
}

void engine::run() {
    while (!refused_) {
        starved_ = false;
        if (mode_ == mode::container) { plain_path(*this).run(); }
        if (refused_) { return; }
        const std::size_t before = p_;
        const bool stepped = step();
        if (starved_ && !stepped) {
            // the further a look has already gone, the longer it waits: retries stay linear in all
            const std::size_t seen = end_ - std::min(before, end_);
            retry_at_ = end_ + std::max<std::size_t>(1, seen / 8);
            return;
        }
        if (!stepped) { return; }
    }
}

/// One token or run. Returns false where nothing is left to do, or where a byte is missing (`starved_`).
bool engine::step() {
    switch (mode_) {
    case mode::seek: return step_seek();
    case mode::container: return step_container();
    case mode::string: return step_string();
    case mode::words: return step_words();
    case mode::digits: return step_digits();
    case mode::comment: return skip_comment();
    }
    return false;
}

// ---- edits

void engine::put(std::size_t from, std::size_t to, std::string_view text, rule why) {
    assert(!starved_); // whoever writes has seen all that the decision needs
    if (edits_.size() + dropped_edits_ >= options_.limits.edits) {
        return refuse("more edits than the limit allows", from);
    }
    if (edits_.size() == edits_.capacity()) { grow_log(); }
    edits_.emplace_back(from, to, text, why);
}

/// Makes room for more edits. If the whole text is there, for as many as it will need if it goes on as it began, so that
/// a long log is seldom copied; memory that is not needed then is never touched.
void engine::grow_log() {
    const std::size_t size = edits_.size(), twice = std::max(2 * size, least_log);
    std::size_t want = twice;
    if (final_ && size >= first_log && p_ != 0) {
        const double expected =
            static_cast<double>(size) * static_cast<double>(end_) / static_cast<double>(p_);
        want = std::clamp(static_cast<std::size_t>(expected * 1.0625), twice, std::max(twice, 16 * size));
    }
    edits_.reserve(want);
}

/// Drops bytes. Outside a value neighbouring deletions under one rule are one edit; inside, where edits may have been
/// handed out already, each stands for itself, so that the log does not depend on chunks.
void engine::drop(std::size_t from, std::size_t to, rule why) {
    if (from >= to) { return; }
    if (!in_root_ && !edits_.empty()) {
        edit& last = edits_.back();
        if ((why == rule::prose || why == rule::stray_word) && last.rule == why && last.end == from &&
            last.begin < last.end && last.size == 0 &&
            (found_.empty() || found_.back().edit_end < edits_.size())) {
            last.end = static_cast<std::uint32_t>(to);
            return;
        }
    }
    put(from, to, {}, why);
}

void engine::insert_at(std::size_t index, const edit& e) {
    edits_.insert(edits_.begin() + static_cast<std::ptrdiff_t>(index), e);
}

/// Forgets the edits at or after a position, down to an index.
void engine::roll_back(std::size_t position, std::size_t floor) {
    while (edits_.size() > floor && edits_.back().begin >= position) { edits_.pop_back(); }
}

// ---- refusals

void engine::refuse(std::string_view message, std::size_t offset) {
    if (refused_) { return; }
    settle(); // what was certain until here stays, in both faces
    if (refused_) { return; }
    // and so does what was put in right there
    while (options_.preset == preset::live && flushed_ < edits_.size() && edits_[flushed_].begin == out_to_ &&
           edits_[flushed_].end == out_to_ && (comma_ == none || flushed_ < comma_edit_) &&
           (member_ == none || flushed_ < member_edit_) && !above_ceiling(edits_[flushed_])) {
        out_.append(edits_[flushed_].text());
        worst_ = std::max(worst_, edits_[flushed_].risk());
        ++edit_total_;
        ++flushed_;
    }
    keep_settled_ = in_root_ && pending_released();
    refused_ = true;
    result_.why = {message, offset, false, {}};
}

void engine::refuse_edit(const edit& e) {
    refused_ = true;
    result_.why = {options_.forbidden.has(e.rule) ? "a change under a forbidden rule is needed"
                                                  : "a change above the ceiling is needed",
                   e.begin, true, e.rule};
}

bool engine::above_ceiling(const edit& e) const noexcept {
    return e.risk() > options_.max_risk || options_.forbidden.has(e.rule);
}

// ---- output

bool engine::held_too_long(std::size_t mark) const noexcept {
    return options_.preset == preset::live && p_ - mark > options_.limits.hold_back;
}

/// The input offset before which nothing can change any more.
std::size_t engine::settle_point() {
    if (options_.preset == preset::whole || found_.empty()) { return out_to_; }
    if (!in_root_) { return found_.back().end; }
    std::size_t point = p_;
    if (mode_ == mode::string && str_.role != role::key) { point = tail_start(p_, true); }
    if (mode_ == mode::words) { point = std::min(word_end_, tail_start(p_, true)); }
    const mode where = mode_ == mode::comment ? comment_from_ : mode_;
    if (mode_ == mode::comment) { point = comment_begin_; }
    if (mode_ == mode::digits) { point = digits_good_; }
    if (pending() != none && !pending_released()) { point = std::min(point, pending()); }
    // a lost comma is put right behind the value, so the blanks after it wait
    if (where == mode::container && (phase_ == phase::after || phase_ == phase::colon) &&
        !held_too_long(value_end_)) {
        point = std::min(point, value_end_);
    }
    // a closing quote stays in hand while a + may still join another string to it
    if (where == mode::container && last_string_ && phase_ == phase::after) {
        point = std::min(point, last_quote_);
    }
    return point;
}

void engine::settle() {
    if (refused_ || options_.preset == preset::whole) { return; }
    flush(settle_point());
}

/// Replays the edits that lie before an offset, and the input between them.
void engine::flush(std::size_t upto) {
    const bool to_end = final_ && upto == end_;
    const bool ceiling = options_.max_risk != risk::lossy || !options_.forbidden.empty();
    if (to_end && out_.empty()) {
        // all of the text and a byte for each edit, and for the first ones as much as an edit may put in
        const std::size_t edits = edits_.size() - flushed_;
        out_.reserve(upto - out_to_ + edits + std::min<std::size_t>(edits, 64) * edit::max_text);
    }
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
            if (e->end > upto || (e->begin >= upto && !to_end)) {
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
    if (options_.log != log_policy::kept && flushed_ > 4096 && options_.preset == preset::live) {
        const std::size_t gone = flushed_;
        edits_.erase(edits_.begin(), edits_.begin() + static_cast<std::ptrdiff_t>(gone));
        dropped_edits_ += gone;
        flushed_ = 0;
        comma_edit_ -= std::min(comma_edit_, gone);
        member_edit_ -= std::min(member_edit_, gone);
        str_.edits -= std::min(str_.edits, gone);
        last_close_ -= std::min(last_close_, gone);
    }
}

/// Writes the input up to an offset.
void engine::copy_input(std::size_t upto) {
    out_.append(data_ + (out_to_ - base_), upto - out_to_);
    out_to_ = upto;
}

/// Writes [out, out_end): the next edits, and the input between them.
void engine::replay_edits(char* out, const char* out_end, std::size_t count) {
    // most runs and replacements are short: where there is room, a fixed size is copied and the rest written over
    constexpr std::size_t chunk = 16;
    const char* in = data_ + (out_to_ - base_);
    const char* const in_end = data_ + (end_ - base_);
    std::size_t at = out_to_;
    const edit* const first = edits_.data() + flushed_;
    for (const edit* e = first; e != first + count; ++e) {
        const std::size_t run = e->begin > at ? e->begin - at : 0;
        if (run <= chunk && out_end - out >= std::ptrdiff_t{2 * chunk} &&
            in_end - in >= std::ptrdiff_t{chunk}) {
            std::memcpy(out, in, chunk);
            std::memcpy(out + run, e->bytes, edit::max_text);
        } else {
            std::memcpy(out, in, run);
            std::memcpy(out + run, e->bytes, e->size);
        }
        out += run + e->size;
        in += e->end - at;
        at = e->end;
    }
    edit_total_ += count;
    flushed_ += count;
    out_to_ = at;
}

/// Bytes that no look-back can reach any more leave the window.
void engine::compact_window() {
    if (options_.preset == preset::whole) { return; }
    std::size_t keep = in_root_ ? out_to_ : std::min(p_, out_to_);
    const std::size_t back = options_.limits.look_back + near_back;
    keep = keep > back ? keep - back : 0;
    if (keep < base_ + compact_at) { return; }
    buffer_.erase(0, keep - base_);
    base_ = keep;
    data_ = buffer_.data();
}

/// After a refusal the log proves what is left of the text, and nothing beyond it.
void engine::trim_log() {
    if (dropped_edits_ != 0) { return; }
    std::size_t at = 0, size = 0, kept = 0;
    for (const edit& e : edits_) {
        size += e.begin - at + e.size;
        if (size > out_.size()) { break; }
        at = e.end;
        ++kept;
    }
    edits_.resize(kept);
    edit_total_ = kept;
    worst_ = risk::exact;
    for (const edit& e : edits_) { worst_ = std::max(worst_, e.risk()); }
}

healing engine::result() {
    healing& h = result_;
    if (!refused_) { flush(end_); }
    if (refused_) {
        h.verdict = verdict::refused;
        cut_ = cut_place::none;
        if (options_.preset == preset::live) {
            if (!keep_settled_) { out_.resize(complete_prefix(out_, !result_.why.by_rule)); }
            const std::string closers = closers_of(out_);
            edits_.resize(std::min(edits_.size(), flushed_));
            trim_log();
            out_.append(closers);
        } else {
            out_.clear();
        }
        if (out_.find_first_not_of(" \t\r\n") == std::string::npos) { out_.clear(); }
        if (out_.empty()) {
            edits_.clear();
            edit_total_ = 0;
            worst_ = risk::exact;
        }
    } else {
        h.verdict = cut_ != cut_place::none ? verdict::truncated
                    : edit_total_ != 0      ? verdict::healed
                                            : verdict::intact;
    }
    h.cut = cut_;
    h.risk = worst_;
    h.edit_count = edit_total_;
    h.work = work_;
    if (options_.log == log_policy::kept) { h.edits = std::move(edits_); }
    h.set_owned(std::move(out_));
    return std::move(h);
}

} // namespace jsonheal::heal_detail

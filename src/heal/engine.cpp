#include "engine.hpp"

#include "output.hpp"
#include "plain.hpp"
#include "string_run.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <tuple>

namespace jsonheal::heal_detail {

namespace {

constexpr std::uint32_t least_look_ahead = 8;
constexpr std::string_view too_long = "the text is longer than the limit of bytes";
constexpr std::size_t least_log = 32, first_log = 4096; // edits that room is made for before the first one
constexpr std::size_t stream_log = 8;                   // the same in a stream, whose log may be drained
constexpr std::size_t first_window = 704;               // bytes: no growth in steps while little is held
constexpr std::size_t short_chunk = 32;                 // bytes of a chunk that is first read byte by byte
constexpr std::size_t least_hold = 64;                  // bytes of a key that are held whatever the limit
constexpr std::size_t least_plain = 64; // bytes ahead for which the plain path is tried while more may come

/// What a byte is to a chunk of a string.
enum : std::uint8_t {
    tail = 1, ///< may begin what stands behind a string, so that it is not handed out yet
    stop = 2, ///< needs a look
    mark = 4, ///< needs one unless the string is between double quotes
    lead = 8  ///< begins a character of two bytes that is no sign
};
constexpr std::array<std::uint8_t, 256> string_bytes_of = [] {
    std::array<std::uint8_t, 256> table{};
    for (unsigned c = 0; c < 256; ++c) {
        if (!string_stops[c]) {
            table[c] = c == ',' || c == '}' || c == ']' ? tail : 0;
        } else if (c == '\'' || c == '`' || c == '<') {
            table[c] = c == '<' ? mark | tail : mark;
        } else {
            table[c] = c >= 0xC3 && c <= 0xDF ? lead : stop;
        }
    }
    return table;
}();

/// Copies some bytes, most often few, without a call.
inline void copy_few(char* to, const char* from, std::size_t size) noexcept {
    if (size > 8) {
        std::memcpy(to, from, size);
    } else if (size >= 4) {
        std::uint32_t first, last;
        std::memcpy(&first, from, 4);
        std::memcpy(&last, from + size - 4, 4);
        std::memcpy(to, &first, 4);
        std::memcpy(to + size - 4, &last, 4);
    } else {
        for (std::size_t i = 0; i != size; ++i) { to[i] = from[i]; }
    }
}

prefix_sink nobody; // hears what the output holds

} // namespace

engine::engine(const heal_options& options) : options_(options), written_(nobody) {
    // below this not even a literal could be told from a word
    options_.limits.look_ahead = std::max(options_.limits.look_ahead, least_look_ahead);
    // as many bytes as are kept behind p_, and as many as are worth a move
    compact_from_ = options_.limits.look_back + near_back;
    compact_from_ += std::max(compact_at, compact_from_ / 2);
}

void engine::reset() {
    engine fresh(options_);
    fresh.buffer_ = std::move(buffer_);
    fresh.data_ = fresh.buffer_.data();
    fresh.edits_ = std::move(edits_);
    fresh.edits_.clear();
    fresh.stack_ = std::move(stack_);
    fresh.stack_.clear();
    fresh.found_ = std::move(found_);
    fresh.found_.clear();
    fresh.places_ = std::move(places_);
    fresh.places_.clear();
    fresh.recycle(std::move(out_), {});
    fresh.written_ = std::move(written_);
    fresh.written_.reset();
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
    if (taken_ != 0 || edits_taken_ != 0) { forget_drained(); }
    if (refused_) { return; }
    const bool over = end_ + chunk.size() > options_.limits.bytes;
    if (over) { chunk = chunk.substr(0, options_.limits.bytes - end_); }
    const std::size_t held = end_ - base_;
    if (buffer_.size() - held < chunk.size()) {
        buffer_.resize(std::max({first_window, 2 * buffer_.size(), held + chunk.size()}));
        data_ = buffer_.data();
    }
    copy_few(buffer_.data() + held, chunk.data(), chunk.size());
    end_ += chunk.size();
    if (over) {
        run();
        return refuse(too_long, end_);
    }
    if (chunk.size() <= short_chunk && (mode_ == mode::string ? feed_string(chunk.size()) : feed_value())) {
        if (end_ - base_ >= compact_from_) { compact_window(); }
        return;
    }
    woken_ = woken_ || wakes(chunk);
    if (end_ >= retry_at_ && (woken_ || end_ >= waits_until_)) { look_again(); }
}

/// Nothing but more of the string that is being read, perhaps with its closing quote and the beginning of what follows?
/// `fresh`: the last bytes, which no step has seen.
bool engine::feed_string(std::size_t fresh) {
    if (p_ + fresh != end_ || str_.nested != 0) { return false; }
    const std::uint8_t stops = str_.delimiter == delimiter::double_quote ? stop | lead : stop | lead | mark;
    const char* const s = data_ - base_; // s[i] is byte i
    std::uint8_t met = 0;
    std::size_t i = p_;
    for (; i != end_; ++i) {
        const std::uint8_t what = string_bytes_of[static_cast<unsigned char>(s[i])];
        if ((what & stops) != 0) {
            // two bytes, of which no sign is made but those that begin with C2
            if (what != lead || i + 1 == end_ || (s[i + 1] & 0xC0) != 0x80) { break; }
            ++i;
        }
        met |= what;
    }
    const bool quiet = quiet_tail_ == p_ && (met & tail) == 0;
    if (i != end_) {
        const std::size_t before = p_;
        p_ = i;
        if (!waits_for_next_token()) {
            p_ = before;
            return false;
        }
    }
    p_ = i;
    tried_at_ = end_;
    retry_at_ = end_ + 1;
    if (str_.role == role::key && p_ - str_.open < least_hold) { return true; } // nothing of it settles
    if (!quiet || flushed_ != edits_.size() || options_.preset == preset::whole) {
        settle();
    } else {
        quiet_tail_ = p_;
        flush(before_blanks(p_));
    }
    return true;
}

/// Nothing but blanks behind a colon, or a string that begins there?
bool engine::feed_value() {
    if (mode_ != mode::container || phase_ != phase::value || waits_ == waits::next_token || p_ < base_ ||
        end_ - p_ > short_chunk || stack_.empty() || stack_.back().flags != frame::object || catching_up_) {
        return false;
    }
    const std::size_t i = blank_run_end(data_ - base_, p_, end_);
    // of a quote it matters whether another stands beside it
    if (i == end_ || (byte(i) == '"' && i + 1 == end_)) { return true; }
    p_ = i;
    if (byte(i) != '"') {
        if (!waits_for_next_token()) { return false; }
        tried_at_ = end_;
        retry_at_ = end_ + 1;
        settle();
        return true;
    }
    if (byte(i + 1) == '"') { return false; }
    begin_string(role::member, delimiter::double_quote, 1);
    waits_ = waits::any;
    quiet_tail_ = p_;
    if (!feed_string(end_ - p_)) {
        settle(); // the string has begun, whatever stands in it
        look_again();
    }
    return true;
}

/// The end of the content that stands before the blanks before an offset of the string.
std::size_t engine::before_blanks(std::size_t i) const noexcept {
    const std::size_t back = options_.limits.look_back;
    const std::size_t floor = std::max({str_.content, i > back ? i - back : 0, base_});
    while (i > floor && is_blank(byte(i - 1))) { --i; }
    return i;
}

/// May a step that starved go on now?
bool engine::wakes(std::string_view chunk) {
    switch (waits_) {
    case waits::any: return true;
    case waits::double_quote: return chunk.find('"') != std::string_view::npos;
    case waits::single_quote: return chunk.find('\'') != std::string_view::npos;
    case waits::other_than_blank:
        return std::any_of(chunk.begin(), chunk.end(),
                           [](char c) { return !is_blank(static_cast<unsigned char>(c)); });
    case waits::next_token: break;
    }
    const bool token = next_.now() == next_token_wait::state::token;
    const bool woken = next_.read(chunk.data(), chunk.size());
    // a literal that has ended is a value for certain, whatever it is
    if (token && !woken && next_.now() != next_token_wait::state::token) { settle(); }
    return woken;
}

/// Is what decides the next step the key behind a value, the brackets that close around it, or the colon of a key? Then
/// the step waits for that, if it has not come yet.
bool engine::waits_for_next_token() {
    if (final_ || catching_up_ || p_ < base_) { return false; }
    if (mode_ == mode::container) { p_ = blank_run_end(data_ - base_, p_, end_); }
    if (p_ >= end_ || end_ - p_ >= options_.limits.look_ahead) { return false; }
    using state = next_token_wait::state;
    const unsigned char c = byte(p_);
    const bool element = !stack_.empty() && !in_object() && (phase_ == phase::first || phase_ == phase::next);
    std::size_t from = p_;
    state s = state::member;
    next_token_wait::brackets around = brackets_around();
    if (mode_ == mode::string) {
        const bool own = (c == '"' && str_.delimiter == delimiter::double_quote) ||
                         (c == '\'' && str_.delimiter == delimiter::single_quote);
        if (!own || str_.role == role::root) { return false; }
        s = str_.role == role::key ? state::key_end : state::value;
        ++from;
    } else if (mode_ != mode::container || stack_.empty()) {
        return false;
    } else if (phase_ == phase::value || element) {
        if (c == '{') {
            around = {1, 1};
        } else if (is_digit(c) || is_letter(c) || c == '-') {
            s = state::token;
        } else if (element && (c == '"' || c == '\'')) {
            s = state::element;
        } else {
            return false;
        }
        from += s == state::token ? 0 : 1;
    } else if (!in_object() || (phase_ != phase::first && phase_ != phase::next)) {
        return false;
    }
    next_.begin(s, from, around);
    if (next_.read(data_ + (from - base_), end_ - from)) { return false; }
    waits_ = waits::next_token;
    waits_until_ = p_ + options_.limits.look_ahead;
    return true;
}

next_token_wait::brackets engine::brackets_around() const noexcept {
    next_token_wait::brackets b;
    for (; b.count < b.most && b.count < stack_.size(); ++b.count) {
        const frame f = frame_below(b.count);
        if ((f.flags & ~frame::object) != 0) { break; }
        b.objects = static_cast<std::uint8_t>(b.objects | (f.is_object() ? 1u << b.count : 0u));
    }
    return b;
}

void engine::look_again() {
    const std::size_t before = p_;
    const std::tuple state_before(mode_, phase_, edits_.size());
    run();
    tried_at_ = end_;
    // where nothing has moved nothing more has settled, unless it is seen now that a value begins
    const bool at_value = mode_ == mode::container && (phase_ == phase::value || phase_ == phase::next);
    if (p_ == before && state_before == std::tuple(mode_, phase_, edits_.size()) && mode_ != mode::seek &&
        !at_value && !catching_up_) {
        return;
    }
    settle();
    compact_window();
}

/// Tries at once what `feed` would only try when more has arrived.
void engine::catch_up() {
    forget_drained();
    if (refused_ || caught_up_at_ == end_) { return; }
    catching_up_ = true;
    look_again();
    catching_up_ = false;
    caught_up_at_ = end_;
}

void engine::end() {
    forget_drained(true);
    final_ = true;
    if (refused_) { return; }
    data_ = buffer_.data();
    run();
    end_of_text();
}

void engine::run() {
    while (!refused_) {
        starved_ = woken_ = false;
        const bool waited = waits_ != waits::any;
        waits_ = waits::any;
        // of a few bytes it could prove nothing, unless they are those that were waited for
        if (waited || catching_up_ || (mode_ == mode::container && (final_ || end_ - p_ >= least_plain))) {
            plain_path plain(*this);
            if (mode_ == mode::string && !final_) { plain.close_string(); }
            if (mode_ == mode::container) { plain.run(); }
        }
        if (refused_) { return; }
        const std::size_t before = p_;
        const bool held = mode_ == mode::container && waits_for_next_token();
        const bool stepped = !held && step();
        if (held || (starved_ && !stepped)) {
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
    const std::size_t size = edits_.size(), twice = std::max(2 * size, final_ ? least_log : stream_log);
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
    if (!in_root_ && options_.preset == preset::live) { return drop_in_gap(from, to, why); }
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

/// In a live stream the edits of a gap cover it without holes, so that blanks between dropped texts go with them; a gap of
/// blanks alone stays as it is. All but the last edit can be handed out at once.
void engine::drop_in_gap(std::size_t from, std::size_t to, rule why) {
    if (!gap_has_edits()) {
        if (from - gap_begin_ > options_.limits.hold_back) {
            head_released_ |= found_.empty();
            gap_begin_ = from; // so many blanks have been handed out
        }
        return put(gap_begin_, to, {}, why);
    }
    edit& last = edits_.back();
    last.end = static_cast<std::uint32_t>(from);
    if (last.rule == why && (why == rule::prose || why == rule::stray_word)) {
        last.end = static_cast<std::uint32_t>(to);
        return;
    }
    put(from, to, {}, why);
}

/// The gap ends: a value begins, or the text is over.
void engine::close_gap(std::size_t end) noexcept {
    if (gap_has_edits()) {
        edits_.back().end = static_cast<std::uint32_t>(end);
    } else if (found_.empty() && end - gap_begin_ > options_.limits.hold_back) {
        head_released_ = true;
    }
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
    keep_settled_ = in_root_ && (pending_released() || comma_released());
    refused_ = true;
    result_.why = {message, offset, false, {}};
    keep_certain();
}

void engine::refuse_edit(const edit& e) {
    refused_ = true;
    result_.why = {options_.forbidden.has(e.rule) ? "a change under a forbidden rule is needed"
                                                  : "a change above the ceiling is needed",
                   e.begin, true, e.rule};
    keep_certain();
}

/// After a refusal in a live stream: what has not been handed out and is not whole but for closers goes.
void engine::keep_certain() {
    if (options_.preset == preset::whole) { return; }
    follow_output();
    const std::size_t whole = written_.whole(token_ended());
    if (drop_refused_number()) { out_.resize(written_.size() - out_base_); }
    keep_settled_ |= ends_before_value() || (head_released_ && whole == 0);
    if (!keep_settled_) { out_.resize(std::max(whole, out_base_) - out_base_); }
}

bool engine::above_ceiling(const edit& e) const noexcept {
    return e.risk() > options_.max_risk || options_.forbidden.has(e.rule);
}

/// After a refusal the log proves what is left of the text, and nothing beyond it.
void engine::trim_log() {
    std::size_t at = dropped_at_, size = dropped_out_, kept = 0;
    for (const edit& e : edits_) {
        size += e.begin - at + e.size;
        if (size > out_base_ + out_.size()) { break; }
        at = e.end;
        ++kept;
    }
    edits_.resize(kept);
    edit_total_ = dropped_edits_ + kept;
    worst_ = dropped_worst_;
    for (const edit& e : edits_) { worst_ = std::max(worst_, e.risk()); }
}

healing engine::result() {
    healing& h = result_;
    if (!refused_) { flush(end_); }
    if (refused_) {
        h.verdict = verdict::refused;
        cut_ = cut_place::none;
        if (options_.preset == preset::live) {
            edits_.resize(std::min(edits_.size(), flushed_));
            trim_log();
            if (keep_settled_) {
                written_.append_ending(out_);
            } else {
                written_.append_closers(out_);
            }
        } else {
            out_.clear();
        }
        if (out_base_ + out_.size() == 0) {
            edits_.clear();
            edit_total_ = 0;
            worst_ = risk::exact;
        }
    } else {
        h.value_begin = found_[taken_value_].begin;
        h.value_end = found_[taken_value_].end;
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

#include "draft.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::args_detail {

namespace {

/// Bytes of `text` that fit into one edit without splitting a character.
std::size_t one_edit(std::string_view text) noexcept {
    if (text.size() <= edit::max_text) { return text.size(); }
    std::size_t size = edit::max_text;
    while (size > edit::max_text - 3 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) { --size; }
    return size;
}

/// Walks over B, which `first` makes of A, and writes what `second` does to it as changes of A.
class composer {
public:
    composer(const edit_log& first, edit_log& out) noexcept : first_(first), out_(out) {}

    /// Keeps B as it is up to an offset.
    void keep(std::size_t to) {
        while (next_ < first_.size()) {
            const edit& e = first_[next_];
            if (used_ == 0) {
                if (to - b_ < e.begin - a_) { break; }
                b_ += e.begin - a_;
                a_ = e.begin;
                if (b_ == to && e.size != 0) { return; }
            }
            const std::size_t rest = e.size - used_;
            if (to - b_ < rest) {
                piece(e, to - b_);
                b_ = to;
                return;
            }
            piece(e, rest);
            b_ += rest;
            leave(e);
        }
        a_ += to - b_;
        b_ = to;
    }

    /// Drops B from where it stands to an offset.
    void drop(std::size_t to, rule why) {
        while (b_ < to) {
            if (next_ < first_.size() && (used_ != 0 || first_[next_].begin == a_)) {
                const edit& e = first_[next_];
                const std::size_t size = std::min<std::size_t>(e.size - used_, to - b_);
                if (used_ == 0 && e.begin < e.end) { erase(e.begin, e.end, size == 0 ? e.rule : why); }
                used_ += size;
                b_ += size;
                if (used_ < e.size) { return; }
                leave(e);
                continue;
            }
            std::size_t size = to - b_;
            if (next_ < first_.size()) { size = std::min<std::size_t>(size, first_[next_].begin - a_); }
            erase(a_, a_ + size, why);
            a_ += size;
            b_ += size;
        }
    }

    /// Puts text in where it stands.
    void insert(std::string_view text, rule why, bool replaces) {
        const std::size_t at = next_ < first_.size() && used_ != 0 ? first_[next_].end : a_;
        if (replaces && !out_.empty() && out_.back().end == at && out_.back().size == 0 &&
            out_.back().rule == why) {
            out_.back() = edit(out_.back().begin, at, text, why);
        } else {
            out_.emplace_back(at, at, text, why);
        }
    }

    /// Makes a change of B where `first` changes nothing near it, as `keep`, `drop` and `insert` would. False elsewhere.
    bool shift(const edit& e) {
        if (used_ != 0 || (next_ < first_.size() && e.end - b_ >= first_[next_].begin - a_)) { return false; }
        const std::size_t begin = a_ + (e.begin - b_), end = a_ + (e.end - b_);
        const bool joins =
            !out_.empty() && out_.back().size == 0 && out_.back().end == begin && out_.back().rule == e.rule;
        if (joins) { return false; }
        out_.emplace_back(begin, end, e.text(), e.rule);
        a_ = end;
        b_ = e.end;
        return true;
    }

    /// All that is left of `first`.
    void finish() {
        for (; next_ < first_.size(); leave(first_[next_])) {
            piece(first_[next_], first_[next_].size - used_);
        }
    }

private:
    /// The next bytes of a replacement; the first of them carries what it replaced.
    void piece(const edit& e, std::size_t size) {
        const bool whole = used_ == 0;
        if (size != 0 || (whole && e.size == 0)) {
            out_.emplace_back(whole ? e.begin : e.end, e.end, e.text().substr(used_, size), e.rule);
        }
        used_ += size;
    }
    void leave(const edit& e) {
        a_ = e.end;
        used_ = 0;
        ++next_;
    }
    void erase(std::size_t from, std::size_t to, rule why) {
        if (!out_.empty() && out_.back().end == from && out_.back().begin < from && out_.back().size == 0 &&
            out_.back().rule == why) {
            out_.back().end = static_cast<std::uint32_t>(to);
        } else {
            out_.emplace_back(from, to, std::string_view(), why);
        }
    }

    const edit_log& first_;
    edit_log& out_;
    std::size_t a_ = 0, b_ = 0; // where it stands in A and in B
    std::size_t next_ = 0;      // the next edit of `first`
    std::size_t used_ = 0;      // bytes of its text that are passed
};

} // namespace

void put(edit_log& log, std::size_t from, std::size_t to, std::string_view text, rule why) {
    do {
        const std::size_t size = one_edit(text);
        log.emplace_back(from, to, text.substr(0, size), why);
        text.remove_prefix(size);
        from = to;
    } while (!text.empty());
}

edit_log compose(const edit_log& first, const edit_log& second) {
    edit_log out;
    out.reserve(first.size() + second.size());
    composer c(first, out);
    for (const edit& e : second) {
        if (c.shift(e)) { continue; }
        c.keep(e.begin);
        c.drop(e.end, e.rule);
        if (e.size != 0) { c.insert(e.text(), e.rule, e.begin < e.end); }
    }
    c.finish();
    return out;
}

/// `text` with those changes.
void draft::write(const edit_log& changes, std::string& out) const {
    std::size_t size = text.size();
    for (const edit& e : changes) { size = size + e.size - (e.end - e.begin); }
    out.resize(size);
    char* const end = edits_detail::replay(text.data(), text.data() + text.size(), 0, changes, out.data(),
                                           out.data() + out.size());
    const std::string_view rest = text.substr(changes.empty() ? 0 : changes.back().end);
    std::copy(rest.begin(), rest.end(), end);
}

void draft::apply(edit_log&& changes) {
    if (changes.empty()) { return; }
    std::string out;
    write(changes, out);
    owned = std::move(out);
    mine = true;
    text = owned;
    add(std::move(changes));
}

draft draft::with(edit_log changes) const {
    if (changes.empty()) { return *this; }
    draft other(text);
    write(changes, other.owned);
    other.mine = true;
    other.look();
    other.log = log.empty() ? std::move(changes) : compose(log, changes);
    other.cut = cut;
    return other;
}

void draft::take(healing&& h) {
    if (h.cut != cut_place::none) { cut = h.cut; }
    if (h.verdict == verdict::intact) { return; }
    edit_log changes = std::move(h.edits);
    owned = h.take_json();
    mine = true;
    text = owned;
    add(std::move(changes));
}

void draft::keep(std::size_t begin, std::size_t end, rule why) {
    edit_log changes;
    changes.reserve(2);
    if (begin != 0) { changes.emplace_back(std::size_t{0}, begin, std::string_view(), why); }
    if (end != text.size()) { changes.emplace_back(end, text.size(), std::string_view(), why); }
    apply(std::move(changes));
}

} // namespace jsonheal::args_detail

// Which of the values found in a text is the answer, and the edits that make the text that answer.

#include "engine.hpp"
#include "output.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace jsonheal::heal_detail {

std::string engine::healed_text(const found_value& v) const {
    std::string out;
    std::size_t at = v.begin;
    for (std::size_t i = v.edit_begin; i < v.edit_end; ++i) {
        const edit& e = edits_[i];
        out.append(view(at, e.begin));
        out.append(e.text());
        at = e.end;
    }
    out.append(view(at, v.end));
    return out;
}

/// Is the healed text of a value {} or []?
bool engine::is_empty_value(const found_value& v) const noexcept {
    std::size_t brackets = 0;
    const auto only_brackets = [&](std::string_view piece) {
        for (const char c : piece) {
            if (is_blank(static_cast<unsigned char>(c))) { continue; }
            if ((c != '{' && c != '}' && c != '[' && c != ']') || ++brackets > 2) { return false; }
        }
        return true;
    };
    std::size_t at = v.begin;
    for (std::size_t i = v.edit_begin; i < v.edit_end; ++i) {
        if (!only_brackets(view(at, edits_[i].begin)) || !only_brackets(edits_[i].text())) { return false; }
        at = edits_[i].end;
    }
    return only_brackets(view(at, v.end));
}

namespace {

/// Keeps the values that have not the flag, if any such is there.
template <class Values>
void prefer(std::vector<std::size_t>& kept, const Values& all, bool found_value::*flag) {
    const auto flagged = [&](std::size_t i) { return all[i].*flag; };
    if (std::all_of(kept.begin(), kept.end(), flagged)) { return; }
    std::erase_if(kept, flagged);
}

} // namespace

/// The text of a value without blanks between tokens, for telling copies apart.
std::string engine::compact_text(const found_value& v) const {
    std::string out;
    bool in_string = false, escaped = false;
    for (const char c : healed_text(v)) {
        if (!in_string && is_blank(static_cast<unsigned char>(c))) { continue; }
        out.push_back(c);
        if (escaped) {
            escaped = false;
        } else if (c == '\\') {
            escaped = in_string;
        } else if (c == '"') {
            in_string = !in_string;
        }
    }
    return out;
}

/// Which values the text alone says are meant, and whether they are a list.
bool engine::usual_choice(std::vector<std::size_t>& kept) {
    prefer(kept, found_, &found_value::reasoning);
    prefer(kept, found_, &found_value::citation);
    if (kept.size() > 1 && found_[kept.front()].citation) { return false; }
    prefer(kept, found_, &found_value::foreign);
    prefer(kept, found_, &found_value::scalar);
    prefer(kept, found_, &found_value::empty);
    if (kept.size() > 1 && options_.several != several_policy::all) {
        // identical copies are one: the first stays; of numbers and words alone only if all are the same: 1 1 2
        std::unordered_set<std::string> seen;
        const bool scalars = found_[kept.front()].scalar;
        std::vector<std::size_t> firsts;
        for (const std::size_t i : kept) {
            if (seen.insert(compact_text(found_[i])).second) { firsts.push_back(i); }
        }
        if (!scalars || firsts.size() == 1) {
            for (const std::size_t i : kept) {
                found_[i].copy = !std::binary_search(firsts.begin(), firsts.end(), i);
            }
            kept = std::move(firsts);
        }
    }
    bool list = false;
    switch (options_.several) {
    case several_policy::first: kept.resize(1); break;
    case several_policy::last: kept.erase(kept.begin(), kept.end() - 1); break;
    case several_policy::all: list = kept.size() > 1; break;
    case several_policy::automatic: {
        std::size_t from = 0;
        for (std::size_t k = 1; k < kept.size(); ++k) {
            // prose anywhere between this value and the one kept before parts them
            for (std::size_t i = kept[k - 1] + 1; i <= kept[k]; ++i) {
                if (found_[i].after_prose) { from = k; }
            }
        }
        kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(from));
        list = kept.size() > 1;
        break;
    }
    }
    return list;
}

/// Whom the caller's chooser wants, if it wants any in particular.
void engine::ask_chooser(std::vector<std::size_t>& kept, bool& list) {
    list_candidates(kept);
    value_chooser::choice c = options_.chooser->choose(result_.candidates);
    for (const std::size_t i : c.misfits) { found_[i].misfit = true; }
    for (const std::size_t i : c.copies) { found_[i].copy = true; }
    if (c.index < found_.size()) {
        kept.assign(1, c.index);
        list = false;
    }
    result_.candidates.clear();
}

void engine::choose() {
    if (found_.empty()) { return refuse("there is no JSON in the text", 0); }
    if (found_.size() == 1) {
        cut_ = found_.front().cut;
        if (options_.list_candidates) { list_candidates({0}); }
        return compose_only();
    }
    std::vector<std::size_t> kept(found_.size());
    for (std::size_t i = 0; i < kept.size(); ++i) { kept[i] = i; }
    bool list = usual_choice(kept);
    if (options_.chooser != nullptr) { ask_chooser(kept, list); }
    if (kept.size() > 1 && found_[kept.front()].citation) {
        return refuse("there is no JSON in the text, only citations", found_[kept.front()].begin);
    }
    cut_ = found_[kept.back()].cut;
    taken_value_ = kept.front();
    if (list && std::any_of(kept.begin(), kept.end(),
                            [&](std::size_t i) { return found_[i].depth >= options_.limits.depth; })) {
        return refuse("the list of values would be nested deeper than the limit", found_[kept.front()].begin);
    }
    if (options_.list_candidates) { list_candidates(kept); }
    compose(kept, list);
}

rule found_value::fate() const noexcept {
    if (copy) { return rule::repeated_value; }
    if (reasoning) { return rule::reasoning; }
    if (citation || scalar || foreign) { return rule::prose; }
    if (empty) { return rule::empty_value; }
    return misfit ? rule::value_misfit : rule::value_dropped;
}

void engine::list_candidates(const std::vector<std::size_t>& kept) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const found_value& v = found_[i];
        candidate c;
        c.begin = v.begin;
        c.end = v.end;
        c.json = healed_text(v);
        c.cut = v.cut;
        c.fenced = v.fenced;
        c.reasoning = v.reasoning;
        c.taken = std::binary_search(kept.begin(), kept.end(), i);
        c.why = v.fate();
        result_.candidates.push_back(std::move(c));
    }
}

/// One value was found and is the answer: what stands around it goes.
void engine::compose_only() {
    const found_value& v = found_.front();
    edits_.resize(v.edit_end + cover(std::span(edits_).subspan(v.edit_end), v.end, end_));
    const std::size_t head = cover(std::span(edits_).first(v.edit_begin), 0, v.begin);
    const auto at = [this](std::size_t i) { return edits_.begin() + static_cast<std::ptrdiff_t>(i); };
    edits_.erase(at(head), at(v.edit_begin));
}

/// Rewrites the log so that it gives the kept values, as a list or one alone, and nothing else.
void engine::compose(const std::vector<std::size_t>& kept, bool list) {
    std::vector<edit> log;
    log.reserve(edits_.size() + found_.size());
    std::size_t next = 0;      // the next value found
    std::size_t hole = 0;      // where the text before it began
    std::size_t hole_edit = 0; // and its edits
    const auto fill = [&](std::size_t upto_value, std::size_t to) {
        std::vector<edit> gap;
        for (; next < upto_value; ++next) {
            const found_value& v = found_[next];
            gap.insert(gap.end(), edits_.begin() + static_cast<std::ptrdiff_t>(hole_edit),
                       edits_.begin() + static_cast<std::ptrdiff_t>(v.edit_begin));
            gap.emplace_back(v.begin, v.end, std::string_view{}, v.fate());
            hole_edit = v.edit_end;
        }
        const std::size_t stop = next < found_.size() ? found_[next].edit_begin : edits_.size();
        gap.insert(gap.end(), edits_.begin() + static_cast<std::ptrdiff_t>(hole_edit),
                   edits_.begin() + static_cast<std::ptrdiff_t>(stop));
        gap.resize(cover(gap, hole, to));
        log.insert(log.end(), gap.begin(), gap.end());
    };
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const found_value& v = found_[kept[k]];
        if (list && k > 0) { log.emplace_back(hole, hole, ",", rule::values_listed); }
        fill(kept[k], v.begin);
        if (list && k == 0) { log.emplace_back(v.begin, v.begin, "[", rule::values_listed); }
        log.insert(log.end(), edits_.begin() + static_cast<std::ptrdiff_t>(v.edit_begin),
                   edits_.begin() + static_cast<std::ptrdiff_t>(v.edit_end));
        next = kept[k] + 1;
        hole = v.end;
        hole_edit = v.edit_end;
    }
    if (list) { log.emplace_back(hole, hole, "]", rule::values_listed); }
    fill(found_.size(), end_);
    edits_ = std::move(log);
}

} // namespace jsonheal::heal_detail

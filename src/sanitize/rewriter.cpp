#include "rewriter.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::sanitize_detail {

namespace {

/// How much of a replacement one entry takes: no character of UTF-8 is split.
std::size_t entry_size(std::string_view replacement) noexcept {
    if (replacement.size() <= edit::max_text) { return replacement.size(); }
    std::size_t size = edit::max_text;
    while (size > edit::max_text - 4 && (static_cast<unsigned char>(replacement[size]) & 0xC0) == 0x80) {
        --size;
    }
    return size;
}

} // namespace

void rewriter::refuse(std::string_view message, std::size_t offset) {
    if (!refused()) { result_.why = {message, offset, false, {}}; }
}

void rewriter::log(std::size_t begin, std::size_t end, std::string_view replacement, rule why) {
    if (result_.edits.size() >= options_.limits.edits) {
        return refuse("more edits than the limit allows", begin);
    }
    result_.edits.emplace_back(begin, end, replacement, why);
}

void rewriter::put(std::size_t begin, std::size_t end, std::string_view replacement, rule why) {
    if (refused()) { return; }
    if (options_.forbidden.has(why)) {
        result_.why = {"a change under a forbidden rule is needed", begin, true, why};
        return;
    }
    if (info(why).risk > options_.max_risk) {
        result_.why = {"a change above the ceiling is needed", begin, true, why};
        return;
    }
    result_.text.append(text_.substr(copied_, begin - copied_)).append(replacement);
    copied_ = end;
    do {
        const std::size_t size = entry_size(replacement);
        log(begin, end, replacement.substr(0, size), why);
        replacement.remove_prefix(size);
        begin = end;
    } while (!replacement.empty());
}

rewriter::mark rewriter::mark_at(std::size_t position) {
    if (!refused()) {
        result_.text.append(text_.substr(copied_, position - copied_));
        copied_ = position;
    }
    return {result_.text.size(), static_cast<std::uint32_t>(result_.edits.size()),
            static_cast<std::uint32_t>(position)};
}

void rewriter::go_back(const mark& to) {
    result_.text.resize(to.output);
    result_.edits.resize(to.edits);
    copied_ = to.position;
}

rewritten rewriter::finish(cut_place cut) {
    if (refused()) {
        result_.text.clear();
        result_.edits.clear();
        result_.verdict = verdict::refused;
        return std::move(result_);
    }
    result_.text.append(text_.substr(copied_));
    for (const edit& e : result_.edits) { result_.risk = std::max(result_.risk, e.risk()); }
    result_.cut = cut;
    result_.verdict = cut != cut_place::none  ? verdict::truncated
                      : result_.edits.empty() ? verdict::intact
                                              : verdict::healed;
    return std::move(result_);
}

} // namespace jsonheal::sanitize_detail

// The attributes of one opening tag.
#include "bytes.hpp"
#include "machine.hpp"

namespace jsonheal::dialect::detail {

std::string decode_entities(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        constexpr std::pair<std::string_view, char> entities[] = {
            {"&quot;", '"'}, {"&#34;", '"'}, {"&apos;", '\''}, {"&#39;", '\''},
            {"&lt;", '<'},   {"&gt;", '>'},  {"&amp;", '&'}};
        bool found = false;
        for (const auto& [name, c] : entities) {
            if (!text.substr(i).starts_with(name)) { continue; }
            out.push_back(c);
            i += name.size();
            found = true;
            break;
        }
        if (!found) { out.push_back(text[i++]); }
    }
    return out;
}

/// The text stops inside a tag.
attempt machine::out_of_text() const noexcept {
    attributes_cut_ = true;
    return last_ ? attempt::no : attempt::wait;
}

/// Attributes from `i` to the end of the tag, which `size` is one past. Quotes inside a value do not end it unless an
/// attribute or the tag's end follows.
attempt machine::attributes(view w, std::size_t i, view tag_end,
                            std::vector<std::pair<std::string, std::string>>& all, std::size_t& size) const {
    const auto ends_at = [&](std::size_t p) {
        const std::size_t q = p < w.size() && (w[p] == '/' || w[p] == '?') ? p + 1 : p;
        return w.substr(q).starts_with(tag_end);
    };
    attributes_cut_ = false;
    for (;;) {
        i = skip_blanks(w, i);
        if (i == w.size()) { return out_of_text(); }
        if (ends_at(i)) {
            size = i + (w.substr(i).starts_with(tag_end) ? 0 : 1) + tag_end.size();
            return attempt::taken;
        }
        if (w.size() - i < tag_end.size() + 1 && !last_) { return attempt::wait; }
        if (w[i] == '/') {
            ++i;
            continue;
        }
        const std::size_t key = i;
        while (i < w.size() && (is_name_byte(w[i]) || w[i] == '-' || w[i] == ':')) { ++i; }
        if (i == key) { return attempt::no; }
        const view name = w.substr(key, i - key);
        i = skip_blanks(w, i);
        if (i == w.size()) { return out_of_text(); }
        if (w[i] != '=') {
            all.emplace_back(name, "");
            continue;
        }
        i = skip_blanks(w, i + 1);
        if (i == w.size()) { return out_of_text(); }
        const char q = w[i];
        std::string value;
        if (q != '"' && q != '\'') {
            const std::size_t from = i;
            std::size_t depth = 0;
            for (; i < w.size() && (depth > 0 || (!is_blank(w[i]) && !ends_at(i))); ++i) {
                if (w[i] == '{') { ++depth; }
                if (w[i] == '}' && depth > 0) { --depth; }
            }
            if (i == w.size() && !last_) { return attempt::wait; }
            all.emplace_back(name, w.substr(from, i - from));
            continue;
        }
        const std::size_t from = ++i;
        bool escaped = false, closed = false;
        // no closer lies ahead: that was seen from an earlier place
        if (last_ && (q == '"' ? no_double_closes_ : no_single_closes_)) { return out_of_text(); }
        for (; i < w.size(); ++i) {
            if (w[i] == '\\' && i + 1 < w.size()) {
                escaped = escaped || w[i + 1] == q;
                ++i;
                continue;
            }
            if (w[i] != q) { continue; }
            // does an attribute follow, or the end of the tag?
            std::size_t n = skip_blanks(w, i + 1);
            if (n == w.size() || (w.size() - n < tag_end.size() + 1 && !last_)) {
                if (!last_) { return attempt::wait; }
                closed = true;
                break;
            }
            if (ends_at(n) || w[n] == '/') {
                closed = true;
                break;
            }
            if (n == i + 1) { continue; }
            const std::size_t word = n;
            while (n < w.size() && (is_name_byte(w[n]) || w[n] == '-')) { ++n; }
            if (n == w.size() && !last_) { return attempt::wait; }
            n = skip_blanks(w, n);
            if (n > word && n < w.size() && w[n] == '=') {
                closed = true;
                break;
            }
        }
        if (!closed && !last_) { return attempt::wait; }
        if (!closed) { attributes_cut_ = true; }
        if (!closed) { (q == '"' ? no_double_closes_ : no_single_closes_) = true; }
        const view raw = w.substr(from, i - from);
        if (escaped) { // one level of escapes was put around it
            for (std::size_t k = 0; k < raw.size(); ++k) {
                if (raw[k] == '\\' && k + 1 < raw.size() && (raw[k + 1] == q || raw[k + 1] == '\\')) { ++k; }
                value.push_back(raw[k]);
            }
        } else if (raw.find("&quot;") != view::npos || raw.find("&#34;") != view::npos ||
                   raw.find("&#39;") != view::npos || raw.find("&apos;") != view::npos || row_ == nullptr ||
                   row_->style == style_id::kimi_k3) {
            const bool quotes = raw.find("&quot;") != view::npos || raw.find("&#34;") != view::npos ||
                                raw.find("&#39;") != view::npos || raw.find("&apos;") != view::npos;
            value = quotes || (row_ != nullptr && row_->style == style_id::kimi_k3) ? decode_entities(raw)
                                                                                    : std::string(raw);
        } else {
            value = raw;
        }
        all.emplace_back(name, std::move(value));
        if (!closed) { // the text stops inside
            size = w.size();
            return attempt::no;
        }
        ++i;
    }
}

} // namespace jsonheal::dialect::detail

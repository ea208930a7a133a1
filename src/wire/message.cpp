// What neutral values can be asked.
#include <jsonheal/wire.hpp>

#include <algorithm>
#include <utility>

namespace jsonheal::wire {

const extra_member* find_extra(const extra_members& members, std::string_view name) noexcept {
    const auto found =
        std::find_if(members.rbegin(), members.rend(), [&](const extra_member& m) { return m.name == name; });
    return found == members.rend() ? nullptr : &*found;
}

std::string take_extra(extra_members& members, std::string_view name) {
    std::string json;
    std::erase_if(members, [&](extra_member& m) {
        if (m.name != name) { return false; }
        json = std::move(m.json);
        return true;
    });
    return json;
}

std::string message::text() const {
    std::string out;
    for (const content_block& b : blocks) {
        if (const auto* t = b.get<text_block>()) { out += t->text; }
    }
    return out;
}

std::vector<content_block> gather_system(const request& r) {
    std::vector<content_block> out = r.system;
    for (const message& m : r.messages) {
        if (m.role != role::system && m.role != role::developer) { continue; }
        out.insert(out.end(), m.blocks.begin(), m.blocks.end());
    }
    return out;
}

usage& usage::operator+=(const usage& more) {
    const auto add = [](std::optional<std::int64_t>& a, const std::optional<std::int64_t>& b) {
        if (b) { a = a.value_or(0) + *b; }
    };
    if (total || more.total) {
        const auto of = [](const usage& u) {
            return u.total.value_or(u.input.value_or(0) + u.output.value_or(0));
        };
        total = of(*this) + of(more);
    }
    add(input, more.input);
    add(output, more.output);
    add(cache_read, more.cache_read);
    add(cache_write, more.cache_write);
    add(reasoning, more.reasoning);
    return *this;
}

namespace {

constexpr std::string_view mark_open = "[ERROR";
constexpr std::size_t most_code = 32;

bool is_code(std::string_view code) noexcept {
    return !code.empty() && code.size() <= most_code && std::all_of(code.begin(), code.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_:-.").find(c) != std::string_view::npos;
    });
}

} // namespace

std::string marked_content(const tool_result& r) {
    if (!r.is_error) { return r.content; }
    std::string out(mark_open);
    if (!r.error_code.empty()) { out.append(":").append(r.error_code); }
    return out.append("] ").append(r.content);
}

bool read_error_mark(tool_result& r) {
    std::string_view text = r.content;
    if (!text.starts_with(mark_open)) { return false; }
    text.remove_prefix(mark_open.size());
    const std::size_t end = text.substr(0, most_code + 2).find("] ");
    if (end == std::string_view::npos) { return false; }
    const std::string code(end == 0 ? std::string_view() : text.substr(1, end - 1));
    if (end != 0 && (text[0] != ':' || !is_code(code))) { return false; }
    const std::size_t mark = mark_open.size() + end + 2;
    if (!r.parts.empty()) {
        auto* first = r.parts[0].get<text_block>();
        if (first == nullptr || first->text.size() < mark) { return false; }
        first->text.erase(0, mark);
        if (first->text.empty() && r.parts[0].extra.empty() && r.parts[0].cache_control.empty()) {
            r.parts.erase(r.parts.begin());
        }
    }
    r.content.erase(0, mark);
    r.is_error = true;
    r.error_code = code;
    return true;
}

} // namespace jsonheal::wire

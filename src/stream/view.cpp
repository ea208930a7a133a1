// The live document: the tape of what has settled, made whole for as long as it is looked at.
//
// What is hidden and what is open always stands at the end of the text. So to show the document is to cut the text there, to
// append the closers and to say of the containers on the path where they end; `unpatch` takes that back.

#include "state.hpp"

#include <utility>

namespace jsonheal {

using document_detail::node;

void stream_state::add_node(const open_value& v, std::size_t end) {
    const bool member = !open_.empty() && !v.item;
    const auto put = [this](value_kind k, std::size_t from, std::size_t to, bool escape) {
        node n;
        n.begin = static_cast<std::uint32_t>(from);
        n.end = static_cast<std::uint32_t>(to);
        n.bits = static_cast<std::uint32_t>(k) | (escape ? node::has_escape : 0);
        tape_.nodes.push_back(n);
        tape_.nodes.back().next = static_cast<std::uint32_t>(tape_.nodes.size());
    };
    if (member) { put(value_kind::string, key_begin_, key_end_, key_.find('\\') != std::string::npos); }
    put(v.kind, v.begin, end, false);
    if (open_.empty()) { return; }
    node& parent = tape_.nodes[open_.back().node];
    if (parent.bits < node::most_children) { parent.bits += node::one_child; }
}

void stream_state::close_node(const open_value& v, std::size_t end) {
    node& n = tape_.nodes[v.node];
    n.end = static_cast<std::uint32_t>(end);
    n.next = static_cast<std::uint32_t>(tape_.nodes.size());
    if (v.kind == value_kind::string &&
        std::string_view(doc_text_).substr(n.begin, end - n.begin).find('\\') != std::string_view::npos) {
        n.bits |= node::has_escape;
    }
}

std::optional<value_view> stream_state::view() {
    unpatch();
    const cut c = shown();
    if (c.at == 0 || tape_.nodes.empty()) { return std::nullopt; }
    patched_ = true;
    patched_size_ = c.at;
    cut_off_.assign(doc_text_, c.at);
    doc_text_.resize(c.at);
    doc_text_.append(tail(c));
    tape_.text = doc_text_;
    // the containers on the path end behind what is shown, the innermost first
    std::uint32_t next = static_cast<std::uint32_t>(tape_.nodes.size());
    const bool hides = c.depth < open_.size() && open_[c.depth].hidden();
    if (hides) {
        const open_value& first = open_[c.depth];
        const bool has_node = first.node != no_node;
        if (has_node) { next = first.node - (c.depth != 0 && !first.item ? 1 : 0); }
        if (has_node && c.depth != 0) {
            fewer_children_ = open_[c.depth - 1].node;
            node& parent = tape_.nodes[fewer_children_];
            if (parent.bits < node::most_children) { parent.bits -= node::one_child; }
        }
    }
    std::size_t end = c.at;
    if (c.in_string) {
        node& n = tape_.nodes[open_.back().node];
        n.end = static_cast<std::uint32_t>(++end);
        n.next = next;
        if (std::string_view(doc_text_).substr(n.begin, end - n.begin).find('\\') != std::string_view::npos) {
            n.bits |= node::has_escape;
        }
    }
    for (std::size_t i = c.depth; i-- != 0;) {
        node& n = tape_.nodes[open_[i].node];
        n.end = static_cast<std::uint32_t>(++end);
        n.next = next;
    }
    return value_view(tape_, 0);
}

void stream_state::unpatch() {
    if (!patched_) { return; }
    patched_ = false;
    doc_text_.resize(patched_size_);
    doc_text_.append(cut_off_);
    tape_.text = doc_text_;
    if (fewer_children_ != no_node) {
        node& parent = tape_.nodes[fewer_children_];
        if (parent.bits < node::most_children) { parent.bits += node::one_child; }
        fewer_children_ = no_node;
    }
}

bool stream_state::complete(std::uint32_t index) const noexcept {
    for (const open_value& v : open_) {
        if (v.node == index) { return false; }
    }
    return true;
}

/// The text that is shown, with `{"value": …, "state": …}` around the values that have one.
std::string stream_state::text_with_states() {
    unpatch();
    const cut c = shown();
    std::string out;
    if (c.at == 0) { return out; }
    std::size_t at = 0;
    for (const mark& m : marks_) {
        if (m.at > c.at || (m.begins && m.at == c.at)) { break; }
        out.append(doc_text_, at, m.at - at);
        out.append(m.begins ? "{\"value\": " : ", \"state\": \"complete\"}");
        at = m.at;
    }
    out.append(doc_text_, at, c.at - at);
    const auto incomplete = [&](const open_value& v) {
        if (v.state) { out.append(", \"state\": \"incomplete\"}"); }
    };
    if (c.in_string) {
        out.push_back('"');
        incomplete(open_.back());
    }
    for (std::size_t i = c.depth; i-- != 0;) {
        out.push_back(open_[i].kind == value_kind::object ? '}' : ']');
        incomplete(open_[i]);
    }
    return out;
}

} // namespace jsonheal

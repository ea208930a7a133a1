/// @file builder.cpp
/// Building a document by appending.

#include "bytes.hpp"

#include <jsonheal/document.hpp>

#include <charconv>
#include <stdexcept>

namespace jsonheal {

using namespace document_detail;

namespace {

std::uint32_t checked_offset(const std::string& text) {
    if (text.size() > document_limits{}.bytes) {
        throw std::length_error("document_builder: the text passes 4 GiB");
    }
    return static_cast<std::uint32_t>(text.size());
}

[[noreturn]] void out_of_turn(const char* what) { throw std::logic_error(what); }

} // namespace

document_builder::document_builder() : tape_(std::make_shared<tape>()) {}

void document_builder::before_key() {
    if (parent_ == no_parent || tape_->nodes[parent_].kind() != value_kind::object) {
        out_of_turn("document_builder: a key outside an object");
    }
    if (has_key_) { out_of_turn("document_builder: a second key before the value of the first"); }
    if (tape_->nodes[parent_].bits >= node::one_child) { tape_->owned.push_back(','); }
}

/// Puts the comma that an element needs, and counts the value as its parent's child.
void document_builder::before_value() {
    if (complete_) { out_of_turn("document_builder: a second value after the first was complete"); }
    if (parent_ == no_parent) { return; }
    node& parent = tape_->nodes[parent_];
    if (parent.kind() == value_kind::object) {
        if (!has_key_) { out_of_turn("document_builder: a value in an object without its key"); }
        has_key_ = false;
    } else if (parent.bits >= node::one_child) {
        tape_->owned.push_back(',');
    }
    if (parent.bits < node::most_children) { parent.bits += node::one_child; }
}

/// Gives the node of the text that was appended since `from`.
void document_builder::append_node(value_kind k, std::uint32_t from, std::uint32_t flags) {
    const std::uint32_t to = checked_offset(tape_->owned);
    const auto here = static_cast<std::uint32_t>(tape_->nodes.size());
    tape_->nodes.push_back({from, to, here + 1, static_cast<std::uint32_t>(k) | flags});
}

void document_builder::append_string(std::string_view wtf8) {
    const std::uint32_t from = checked_offset(tape_->owned);
    encode_string(wtf8, tape_->owned);
    const bool escaped = std::string_view(tape_->owned).substr(from).find('\\') != std::string_view::npos;
    append_node(value_kind::string, from, escaped ? node::has_escape : 0);
}

/// Copies source and nodes; positions move by the difference of the places.
void document_builder::append_copy(value_view v) {
    const std::uint32_t from = checked_offset(tape_->owned);
    const auto first = static_cast<std::uint32_t>(tape_->nodes.size());
    const node& root = v.node();
    tape_->owned.append(v.source());
    checked_offset(tape_->owned);
    tape_->nodes.reserve(std::max(tape_->nodes.capacity(), tape_->nodes.size() + (root.next - v.index_)));
    for (std::uint32_t i = v.index_; i != root.next; ++i) {
        const node& n = v.tape_->nodes[i];
        tape_->nodes.push_back(
            {n.begin - root.begin + from, n.end - root.begin + from, n.next - v.index_ + first, n.bits});
    }
}

document_builder& document_builder::scalar(value_kind k, std::string_view spelling) {
    before_value();
    const std::uint32_t from = checked_offset(tape_->owned);
    tape_->owned.append(spelling);
    append_node(k, from, 0);
    complete_ = parent_ == no_parent;
    return *this;
}

document_builder& document_builder::begin(value_kind k) {
    before_value();
    const std::uint32_t from = checked_offset(tape_->owned);
    tape_->owned.push_back(k == value_kind::object ? '{' : '[');
    append_node(k, from, 0);
    tape_->nodes.back().next = parent_; // until it is closed
    parent_ = static_cast<std::uint32_t>(tape_->nodes.size() - 1);
    return *this;
}

document_builder& document_builder::end(value_kind k) {
    if (parent_ == no_parent || tape_->nodes[parent_].kind() != k) {
        out_of_turn("document_builder: the end of a container that is not open");
    }
    if (has_key_) { out_of_turn("document_builder: the end of an object before the value of its last key"); }
    tape_->owned.push_back(k == value_kind::object ? '}' : ']');
    node& container = tape_->nodes[parent_];
    parent_ = container.next;
    container.next = static_cast<std::uint32_t>(tape_->nodes.size());
    container.end = checked_offset(tape_->owned);
    complete_ = parent_ == no_parent;
    return *this;
}

document_builder& document_builder::begin_object() { return begin(value_kind::object); }
document_builder& document_builder::end_object() { return end(value_kind::object); }
document_builder& document_builder::begin_array() { return begin(value_kind::array); }
document_builder& document_builder::end_array() { return end(value_kind::array); }

document_builder& document_builder::key(std::string_view wtf8) {
    before_key();
    append_string(wtf8);
    tape_->owned.push_back(':');
    has_key_ = true;
    return *this;
}

document_builder& document_builder::key_copy(value_view k) {
    before_key();
    append_copy(k);
    tape_->owned.push_back(':');
    has_key_ = true;
    return *this;
}

document_builder& document_builder::string(std::string_view wtf8) {
    before_value();
    append_string(wtf8);
    complete_ = parent_ == no_parent;
    return *this;
}

document_builder& document_builder::number_text(std::string_view spelling) {
    const char* const end = spelling.data() + spelling.size();
    if (spelling.empty()) { throw std::invalid_argument("document_builder: a number without a digit"); }
    const number_scan found = scan_number(spelling.data(), end);
    if (!found.message.empty() || found.end != end) {
        throw std::invalid_argument("document_builder: no JSON number: " +
                                    std::string(spelling.substr(0, 40)));
    }
    return scalar(value_kind::number, spelling);
}

document_builder& document_builder::number(std::int64_t n) {
    char text[24];
    const auto written = std::to_chars(text, text + sizeof text, n);
    return scalar(value_kind::number, std::string_view(text, static_cast<std::size_t>(written.ptr - text)));
}

document_builder& document_builder::boolean(bool b) {
    return scalar(value_kind::boolean, b ? "true" : "false");
}
document_builder& document_builder::null() { return scalar(value_kind::null, "null"); }

document_builder& document_builder::copy(value_view v) {
    before_value();
    append_copy(v);
    complete_ = parent_ == no_parent;
    return *this;
}

document document_builder::finish() {
    if (!complete_) { out_of_turn("document_builder: finish before one whole value was there"); }
    tape_->text = tape_->owned;
    document built(std::move(tape_));
    *this = document_builder();
    return built;
}

} // namespace jsonheal

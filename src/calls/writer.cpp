#include "writer.hpp"

namespace jsonheal::calls_detail {

namespace {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

void append_content(std::string_view text, std::string& out) {
    const std::size_t before = out.size();
    encode_string(text, out);
    out.pop_back();
    out.erase(before, 1);
}

value_kind kind_of(char first) noexcept {
    switch (first) {
    case '{': return value_kind::object;
    case '[': return value_kind::array;
    case '"': return value_kind::string;
    case 'n': return value_kind::null;
    case 't':
    case 'f': return value_kind::boolean;
    default: return value_kind::number;
    }
}

} // namespace

void argument_writer::start(const call_tool* tool, std::string& out) {
    *this = argument_writer();
    tool_ = tool;
    out_ = &out;
}

value_type argument_writer::type_of_key() const {
    return tool_ != nullptr && tool_->has_schema ? type_of_member(tool_->program, key_) : value_type{};
}

void argument_writer::put(typed&& t) {
    if (t.changed || !t.fits) { retyped_.push_back({key_, t.fits, t.risk}); }
    changed_ = changed_ || t.changed;
    out_->append(t.json);
}

/// A value of the JSON begins: may it go out as it comes?
void argument_writer::value_start(char first) {
    type_ = type_of_key();
    const value_kind k = kind_of(first);
    const bool container = k == value_kind::object || k == value_kind::array;
    const bool sure = !type_.known ||
                      (type_.values.empty() && type_.kinds.has(k) && (container || k == value_kind::string));
    place_ = sure ? place::pass : place::hold;
    held_.clear();
    depth_ = 0;
    in_string_ = escape_ = false;
    scalar_ = !container && k != value_kind::string;
}

/// The bytes from `i` on that belong to the value.
std::size_t argument_writer::run_of_value(std::string_view bytes, std::size_t i, bool& ended) {
    for (; i < bytes.size(); ++i) {
        const char c = bytes[i];
        if (in_string_) {
            if (escape_) {
                escape_ = false;
            } else if (c == '\\') {
                escape_ = true;
            } else if (c == '"') {
                in_string_ = false;
                if (depth_ == 0) {
                    ended = true;
                    return i + 1;
                }
            }
            continue;
        }
        if (scalar_ && (c == ',' || c == '}' || is_blank(c))) {
            ended = true;
            return i;
        }
        if (c == '"') { in_string_ = true; }
        if (c == '{' || c == '[') { ++depth_; }
        if ((c == '}' || c == ']') && --depth_ == 0) {
            ended = true;
            return i + 1;
        }
    }
    return i;
}

void argument_writer::json(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
        const char c = bytes[i];
        switch (place_) {
        case place::outside:
            opened_ = opened_ || c == '{';
            place_ = c == '{' ? place::key : place_;
            out_->push_back(c);
            ++i;
            break;
        case place::key:
            if (c == '"') {
                held_ = "\"";
                place_ = place::in_key;
                escape_ = false;
            } else if (c == '}') {
                place_ = place::behind;
            }
            out_->push_back(c);
            ++i;
            break;
        case place::in_key: {
            held_.push_back(c);
            out_->push_back(c);
            ++i;
            if (escape_) {
                escape_ = false;
            } else if (c == '\\') {
                escape_ = true;
            } else if (c == '"') {
                key_.clear();
                (void)decode_string(held_, key_);
                place_ = place::colon;
            }
            break;
        }
        case place::colon:
            if (c == ':') { place_ = place::value_start; }
            out_->push_back(c);
            ++i;
            break;
        case place::value_start:
            if (is_blank(c)) {
                out_->push_back(c);
                ++i;
            } else {
                value_start(c);
            }
            break;
        case place::pass:
        case place::hold: {
            bool ended = false;
            const std::size_t end = run_of_value(bytes, i, ended);
            (place_ == place::pass ? *out_ : held_).append(bytes.substr(i, end - i));
            i = end;
            if (ended) {
                if (place_ == place::hold) { put(json_of_json(held_, type_, key_)); }
                place_ = place::key;
            }
            break;
        }
        case place::behind: ++i; break; // blanks
        }
    }
}

void argument_writer::parameter(std::string_view key, bool as_json) {
    key_ = key;
    as_json_ = as_json;
    type_ = type_of_key();
    held_.clear();
    streaming_ = type_.known ? type_.only_strings() : !as_json;
    if (!streaming_) { return; } // it is written once its value is known
    put_key();
    out_->push_back('"');
}

void argument_writer::put_key() {
    out_->append(opened_ ? "," : "{");
    opened_ = true;
    encode_string(key_, *out_);
    out_->push_back(':');
}

void argument_writer::value(std::string_view text) {
    if (streaming_) {
        append_content(text, *out_);
    } else {
        held_.append(text);
    }
}

void argument_writer::value_end(bool whole) {
    if (streaming_) {
        out_->push_back('"');
        return;
    }
    if (whole) {
        put_key();
        put(aligned(json_of_text(held_, type_, as_json_), type_, key_));
        return;
    }
    // cut inside: of a number or a word nothing is certain
    if (!type_.known || type_.kinds.has(value_kind::string)) {
        put_key();
        encode_string(held_, *out_);
        return;
    }
    heal_options o;
    o.cut_number = cut_number_policy::withhold;
    const healing h = heal(std::string_view(held_), o);
    const bool container = h.ok() && (h.json().starts_with('{') || h.json().starts_with('['));
    if (!container) { return; } // nothing of it is certain
    put_key();
    out_->append(h.json());
}

void argument_writer::finish() {
    if (!opened_) { // nothing came
        out_->append("{}");
        return;
    }
    if (place_ == place::outside) { out_->push_back('}'); }
}

} // namespace jsonheal::calls_detail

// Appends JSON to a string as it goes, keeping the commas right. For values of any depth in one object without scopes, so
// that a codec's functions can share it.
#pragma once

#include <jsonheal/document.hpp>
#include <jsonheal/wire_message.hpp>

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace jsonheal::wire_detail {

/// @code
/// std::string out;
/// writer w(out);
/// w.open('{').text("type", "text").key("n").number(3).close('}');   // {"type":"text","n":3}
/// @endcode
class writer {
public:
    explicit writer(std::string& out) noexcept : out_(out) {}

    writer& open(char bracket) {
        before();
        out_ += bracket;
        first_ = true;
        return *this;
    }
    writer& close(char bracket) {
        out_ += bracket;
        first_ = false;
        return *this;
    }
    /// The key of the next value; needs no escapes.
    writer& key(std::string_view name) {
        before();
        out_ += '"';
        out_ += name;
        out_ += "\":";
        first_ = true; // no comma before the value
        return *this;
    }
    writer& string(std::string_view wtf8) {
        before();
        encode_string(wtf8, out_);
        return *this;
    }
    /// JSON text as it is.
    writer& raw(std::string_view json) {
        before();
        out_ += json;
        return *this;
    }
    writer& number(std::integral auto n) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
        return raw({digits, static_cast<std::size_t>(end - digits)});
    }
    writer& boolean(bool b) { return raw(b ? "true" : "false"); }
    writer& null() { return raw("null"); }

    writer& open(std::string_view name, char bracket) { return key(name).open(bracket); }
    writer& text(std::string_view name, std::string_view wtf8) { return key(name).string(wtf8); }
    writer& json(std::string_view name, std::string_view json) { return key(name).raw(json); }
    /// Members that are left out where there is nothing.
    writer& text_if(std::string_view name, std::string_view wtf8) {
        return wtf8.empty() ? *this : text(name, wtf8);
    }
    writer& json_if(std::string_view name, std::string_view text) {
        return text.empty() ? *this : json(name, text);
    }
    template <std::integral Number>
    writer& number_if(std::string_view name, const std::optional<Number>& n) {
        if (!n) { return *this; }
        key(name);
        if constexpr (std::same_as<Number, bool>) {
            return boolean(*n);
        } else {
            return number(*n);
        }
    }
    writer& extra(const wire::extra_members& members) {
        for (const wire::extra_member& m : members) {
            string(m.name);
            out_ += ':';
            out_ += m.json;
        }
        return *this;
    }

private:
    void before() {
        if (!first_) { out_ += ','; }
        first_ = false;
    }
    std::string& out_;
    bool first_ = true;
};

} // namespace jsonheal::wire_detail

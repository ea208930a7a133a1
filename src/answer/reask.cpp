// What to say to the model when its reply does not do.

#include <jsonheal/answer.hpp>
#include <jsonheal/unicode.hpp>

#include <algorithm>

namespace jsonheal {

namespace {

/// Where the text stopped, in words.
std::string_view describe(cut_place c) noexcept {
    switch (c) {
    case cut_place::in_key: return "inside a key";
    case cut_place::in_string: return "inside a string";
    case cut_place::in_number: return "inside a number";
    case cut_place::in_literal: return "inside a literal";
    case cut_place::after_colon: return "before a value";
    case cut_place::between: return "after a comma";
    case cut_place::closers:
    case cut_place::none: break;
    }
    return "before its closing brackets";
}

/// At most `most` bytes, not cut inside a character.
std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) { return std::string(text); }
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) { --most; }
    return std::string(text.substr(0, most)) + "…";
}

/// The place that a patch has to name: for a key that is missing, the key's own.
std::string patch_pointer(const schema::violation& v) {
    if (v.keyword != "required") { return v.instance; }
    const std::size_t open = v.expected.find('"');
    if (open == std::string::npos) { return v.instance; }
    std::string key, out = v.instance + "/";
    if (!decode_string(std::string_view(v.expected).substr(open), key)) { return v.instance; }
    for (const char c : key) {
        if (c == '~' || c == '/') {
            out += c == '~' ? "~0" : "~1";
        } else {
            out += c;
        }
    }
    return out;
}

void list(const fitted& f, const reask_options& options, std::string& out) {
    const auto& all = f.value.violations;
    std::size_t listed = 0;
    for (const schema::violation& v : all) {
        if (listed == options.violations) { break; }
        out += std::to_string(++listed) + ". ";
        out += shortened(v.message, options.value_bytes);
        if (options.style == reask_style::patch) { out += " (pointer: \"" + patch_pointer(v) + "\")"; }
        out += '\n';
    }
    if (listed < all.size()) { out += "… and " + std::to_string(all.size() - listed) + " more.\n"; }
}

} // namespace

std::string reask_message(const fitted& f, const reask_options& options) {
    if (!f.text.ok()) {
        return "Your reply could not be used: " + std::string(f.text.why.message) +
               ".\nReply with only one JSON value that fits the schema, and nothing before or after it.";
    }
    const bool cut = f.text.verdict == verdict::truncated;
    if (f.value.fits && !cut) { return {}; }
    std::string out;
    if (cut) {
        out += "Your reply was cut off " + std::string(describe(f.text.cut)) + ".\n";
        if (f.value.fits) { return out + "Reply with only the whole JSON value, as short as it can be."; }
    }
    out += "Your reply does not fit the JSON Schema:\n";
    list(f, options, out);
    if (options.style == reask_style::patch && !cut) {
        const std::string pointer =
            f.value.violations.empty() ? std::string() : patch_pointer(f.value.violations.front());
        std::string key;
        encode_string(pointer, key);
        out += "Reply with only one JSON object that gives the corrected value for each pointer above, in "
               "the form {" +
               key + ": corrected value}. Do not repeat what is right.";
    } else {
        out += "Reply with only the corrected JSON value, whole, and nothing before or after it.";
    }
    return out;
}

} // namespace jsonheal

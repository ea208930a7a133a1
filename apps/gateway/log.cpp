#include "log.hpp"

#include "../cli/json_writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace jsonheal::gateway {

namespace {

constexpr std::size_t most_bytes = 4096;
constexpr std::string_view level_names[] = {"debug", "info", "warning", "error", "off"};
constexpr std::string_view secrets[] = {"authorization", "x-api-key",  "api-key",
                                        "cookie",        "set-cookie", "proxy-authorization"};

bool is_secret(std::string_view name) {
    const auto same = [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a == '_' ? '-' : a) == b;
    };
    return std::any_of(std::begin(secrets), std::end(secrets), [&](std::string_view secret) {
        return std::equal(name.begin(), name.end(), secret.begin(), secret.end(), same);
    });
}

/// At most that many bytes, up to the beginning of a character.
std::string_view cut(std::string_view text) {
    if (text.size() <= most_bytes) { return text; }
    std::size_t end = most_bytes;
    while (end > most_bytes - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) { --end; }
    return text.substr(0, end);
}

std::string now() {
    const auto time = std::chrono::system_clock::now();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
    const std::time_t seconds = ms / 1000;
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    std::array<char, 80> out{};
    const int size = std::snprintf(out.data(), out.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                                   utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
                                   utc.tm_sec, static_cast<int>(ms % 1000));
    return {out.data(), static_cast<std::size_t>(size)};
}

void write_number(double n, std::string& out) {
    if (!std::isfinite(n)) {
        out += "null";
        return;
    }
    std::array<char, 32> digits{};
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr);
}

void write_value(const log_value& v, cli::json_writer& object) {
    if (is_secret(v.name)) {
        object.text(v.name, "[redacted]");
    } else if (const auto* const text = std::get_if<std::string_view>(&v.value)) {
        const std::string_view shown = cut(*text);
        if (shown.size() == text->size()) {
            object.text(v.name, shown);
        } else {
            object.text(v.name, std::string(shown) + "…");
        }
    } else if (const auto* const whole = std::get_if<std::int64_t>(&v.value)) {
        object.member(v.name) += std::to_string(*whole);
    } else if (const auto* const number = std::get_if<double>(&v.value)) {
        write_number(*number, object.member(v.name));
    } else {
        object.member(v.name) += std::get<bool>(v.value) ? "true" : "false";
    }
}

} // namespace

logger::logger(const log_config& c, int descriptor)
    : descriptor_(descriptor), least_(c.least), bodies_(c.bodies) {}

void logger::set(const log_config& c) noexcept {
    least_.store(c.least, std::memory_order_relaxed);
    bodies_.store(c.bodies, std::memory_order_relaxed);
}

void logger::write(log_config::level l, std::string_view event,
                   std::initializer_list<log_value> values) const {
    if (!shows(l)) { return; }
    std::string line;
    {
        cli::json_writer object(line, '{');
        object.text("ts", now()).text("level", level_names[static_cast<std::size_t>(l)]).text("event", event);
        for (const log_value& v : values) { write_value(v, object); }
    }
    line += '\n';
    const std::lock_guard lock(mutex_);
    for (std::size_t at = 0; at < line.size();) {
        const ssize_t n = ::write(descriptor_, line.data() + at, line.size() - at);
        if (n < 0 && errno == EINTR) { continue; }
        if (n <= 0) { return; } // nobody is left to be told
        at += static_cast<std::size_t>(n);
    }
}

} // namespace jsonheal::gateway

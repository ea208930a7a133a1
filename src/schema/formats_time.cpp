/// @file formats_time.cpp
/// Dates and times of RFC 3339, durations of its appendix A.

#include "characters.hpp"
#include "formats.hpp"

namespace jsonheal::schema::detail {

namespace {

/// Reads exactly `digits` digits off the front; -1 if they are not there.
int take_digits(std::string_view& s, std::size_t digits) noexcept {
    if (s.size() < digits) { return -1; }
    int value = 0;
    for (const char c : s.substr(0, digits)) {
        if (!is_digit(c)) { return -1; }
        value = value * 10 + (c - '0');
    }
    s.remove_prefix(digits);
    return value;
}

bool take(std::string_view& s, char c) noexcept {
    if (s.empty() || s.front() != c) { return false; }
    s.remove_prefix(1);
    return true;
}

int days_of(int year, int month) noexcept {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

bool take_date(std::string_view& s) noexcept {
    const int year = take_digits(s, 4);
    if (year < 0 || !take(s, '-')) { return false; }
    const int month = take_digits(s, 2);
    if (month < 1 || month > 12 || !take(s, '-')) { return false; }
    const int day = take_digits(s, 2);
    return day >= 1 && day <= days_of(year, month);
}

/// Minutes east of UTC, or -10000.
int take_offset(std::string_view& s) noexcept {
    constexpr int bad = -10000;
    if (take(s, 'Z') || take(s, 'z')) { return 0; }
    const bool west = !s.empty() && s.front() == '-';
    if (!take(s, '+') && !take(s, '-')) { return bad; }
    const int hours = take_digits(s, 2);
    if (hours < 0 || hours > 23 || !take(s, ':')) { return bad; }
    const int minutes = take_digits(s, 2);
    if (minutes < 0 || minutes > 59) { return bad; }
    return west ? -(hours * 60 + minutes) : hours * 60 + minutes;
}

bool take_time(std::string_view& s) noexcept {
    const int hour = take_digits(s, 2);
    if (hour < 0 || hour > 23 || !take(s, ':')) { return false; }
    const int minute = take_digits(s, 2);
    if (minute < 0 || minute > 59 || !take(s, ':')) { return false; }
    const int second = take_digits(s, 2);
    if (second < 0 || second > 60) { return false; }
    if (take(s, '.')) {
        if (take_digits(s, 1) < 0) { return false; }
        while (!s.empty() && is_digit(s.front())) { s.remove_prefix(1); }
    }
    const int offset = take_offset(s);
    if (offset == -10000) { return false; }
    // A leap second is the last of a day in UTC.
    const int utc = ((hour * 60 + minute - offset) % 1440 + 1440) % 1440;
    return second != 60 || utc == 23 * 60 + 59;
}

/// `1Y2M`: digits and a letter each, the letters in the order of `units`, none left out between two. False if there is none.
bool take_units(std::string_view& s, std::string_view units) noexcept {
    std::size_t next = 0;
    bool any = false;
    while (!s.empty() && is_digit(s.front())) {
        while (!s.empty() && is_digit(s.front())) { s.remove_prefix(1); }
        const std::size_t at = s.empty() ? std::string_view::npos : units.find(s.front(), next);
        if (at == std::string_view::npos || (any && at != next)) { return false; }
        s.remove_prefix(1);
        next = at + 1;
        any = true;
    }
    return any;
}

} // namespace

bool is_date(std::string_view s) noexcept { return take_date(s) && s.empty(); }

bool is_time(std::string_view s) noexcept { return take_time(s) && s.empty(); }

bool is_date_time(std::string_view s) noexcept {
    if (!take_date(s) || !(take(s, 'T') || take(s, 't'))) { return false; }
    return take_time(s) && s.empty();
}

bool is_duration(std::string_view s) noexcept {
    if (!take(s, 'P') || s.empty()) { return false; }
    std::string_view weeks = s;
    if (take_units(weeks, "W") && weeks.empty()) { return true; }
    if (s.front() != 'T' && !take_units(s, "YMD")) { return false; }
    if (s.empty()) { return true; }
    return take(s, 'T') && take_units(s, "HMS") && s.empty();
}

} // namespace jsonheal::schema::detail

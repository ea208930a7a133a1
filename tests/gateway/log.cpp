// Lines of the log: strict JSON whatever comes in, and no secrets.
#include "log.hpp"

#include <jsonheal/document.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace jsonheal;
using namespace jsonheal::gateway;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using level = log_config::level;

/// A pipe that a logger writes to.
struct captured {
    int ends[2]{};
    captured() {
        if (pipe(ends) != 0) { std::abort(); }
    }
    captured(const captured&) = delete;
    captured& operator=(const captured&) = delete;
    ~captured() { close(ends[0]); }
    /// All that was written. Once.
    std::string text() {
        close(ends[1]);
        std::string out, piece(4096, '\0');
        for (ssize_t n = 0; (n = read(ends[0], piece.data(), piece.size())) > 0;) {
            out.append(piece, 0, static_cast<std::size_t>(n));
        }
        return out;
    }
};

std::string line_of(std::initializer_list<log_value> values, const char* event = "request") {
    captured out;
    const logger log({}, out.ends[1]);
    log.write(level::info, event, values);
    return out.text();
}

TEST(log, one_object_a_line) {
    EXPECT_THAT(
        line_of({{"path", "/v1"}, {"status", std::int64_t{200}}, {"ms", 1.5}, {"stream", false}}),
        MatchesRegex(
            "\\{\"ts\":\"20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\\.[0-9]{3}Z\","
            "\"level\":\"info\",\"event\":\"request\",\"path\":\"/v1\",\"status\":200,\"ms\":1.5,"
            "\"stream\":false\\}\n"));
}

TEST(log, always_strict_json_of_one_line) {
    const std::string_view nasty[] = {"a\nb\r\n",
                                      "\"}{",
                                      "\\",
                                      std::string_view("\0\x01\x1f", 3),
                                      "\xff\xfe",
                                      "\xed\xa0\x80",
                                      "\xe2\x80\xa8 \xc2\x85",
                                      "\xf0\x9f\x98"};
    for (const std::string_view text : nasty) {
        std::string line = line_of({{"v", text},
                                    {"nan", std::numeric_limits<double>::quiet_NaN()},
                                    {"inf", std::numeric_limits<double>::infinity()},
                                    {"least", std::numeric_limits<std::int64_t>::min()}});
        ASSERT_EQ(line.find('\n'), line.size() - 1);
        EXPECT_THAT(line, Not(HasSubstr("\xe2\x80\xa8"))) << "some readers split there";
        line.pop_back();
        const auto parsed = document::parse(line);
        ASSERT_FALSE(parsed.error) << line;
        EXPECT_EQ(parsed.value.root().find("nan")->source(), "null");
    }
}

TEST(log, secrets_are_not_shown) {
    for (const char* const name : {"authorization", "Authorization", "x-api-key", "X_API_KEY", "api_key",
                                   "cookie", "Set-Cookie", "proxy-authorization"}) {
        EXPECT_THAT(line_of({{name, "sk-secret"}, {"other", "shown"}}),
                    testing::AllOf(HasSubstr("[redacted]"), HasSubstr("shown"), Not(HasSubstr("sk-secret"))))
            << name;
    }
}

TEST(log, long_values_are_cut_at_a_character) {
    for (std::size_t before = 4090; before < 4100; ++before) {
        const std::string line = line_of({{"v", std::string(before, 'x') + std::string(5000, 'y')}});
        EXPECT_LT(line.size(), 4200u + before - 4090);
        EXPECT_THAT(line, HasSubstr("…\"}"));
        std::string wide(before, 'x');
        for (int i = 0; i < 100; ++i) { wide += "ß€😀"; }
        EXPECT_THAT(line_of({{"v", wide}}), Not(HasSubstr("\xEF\xBF\xBD"))) << before;
    }
    EXPECT_THAT(line_of({{"v", std::string(4096, 'x')}}), Not(HasSubstr("…")));
}

TEST(log, levels) {
    log_config c;
    c.least = level::warning;
    captured out;
    logger log(c, out.ends[1]);
    EXPECT_FALSE(log.shows(level::info));
    EXPECT_TRUE(log.shows(level::warning));
    log.write(level::info, "no", {});
    log.write(level::error, "yes", {});
    c.least = level::debug;
    c.bodies = true;
    EXPECT_FALSE(log.bodies());
    log.set(c);
    EXPECT_TRUE(log.bodies());
    log.write(level::debug, "now", {});
    c.least = level::off;
    log.set(c);
    EXPECT_FALSE(log.shows(level::error));
    EXPECT_FALSE(log.shows(level::off));
    log.write(level::off, "never", {});
    const std::string text = out.text();
    EXPECT_THAT(text, testing::AllOf(HasSubstr("\"yes\""), HasSubstr("\"now\""), Not(HasSubstr("\"no\"")),
                                     Not(HasSubstr("never"))));
}

TEST(log, lines_of_threads_do_not_mix) {
    captured out;
    const logger log({}, out.ends[1]);
    std::string text;
    std::thread reader([&] {
        std::string piece(65536, '\0');
        for (ssize_t n = 0; (n = read(out.ends[0], piece.data(), piece.size())) > 0;) {
            text.append(piece, 0, static_cast<std::size_t>(n));
        }
    });
    std::vector<std::thread> writers;
    for (int t = 0; t < 4; ++t) {
        writers.emplace_back([&log, t] {
            const std::string value(4000, static_cast<char>('a' + t));
            for (int i = 0; i < 100; ++i) { log.write(level::info, "e", {{"v", value}, {"w", value}}); }
        });
    }
    for (std::thread& t : writers) { t.join(); }
    close(out.ends[1]);
    reader.join();
    std::size_t lines = 0;
    for (std::size_t at = 0; at < text.size(); ++lines) {
        const std::size_t end = text.find('\n', at);
        ASSERT_NE(end, std::string::npos);
        const auto parsed = document::parse(text.substr(at, end - at));
        ASSERT_FALSE(parsed.error);
        const std::string value = parsed.value.root().find("v")->string();
        EXPECT_EQ(value, std::string(4000, value[0]));
        at = end + 1;
    }
    EXPECT_EQ(lines, 400u);
}

} // namespace

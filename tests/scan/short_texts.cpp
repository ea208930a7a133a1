// Every text of up to five bytes over those that matter, alone and inside of each sort of value.

#include "reference.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

constexpr std::string_view alphabet = "{}[]:,\"\\a1-.eu0 \n";
constexpr std::size_t longest = 5;

struct surroundings {
    std::string_view name, before, after;
};

constexpr surroundings places[] = {
    {"alone", "", ""},
    {"in_array", "[1", "]"},
    {"in_object", "{\"k\"", "}"},
    {"in_string", "\"", "\""},
};

/// Runs `check` on every text of exactly `size` bytes.
template <class Check>
void for_each_text(std::size_t size, Check check) {
    std::size_t count = 1;
    for (std::size_t i = 0; i != size; ++i) { count *= alphabet.size(); }
    std::string text(size, ' ');
    for (std::size_t number = 0; number != count; ++number) {
        std::size_t rest = number;
        for (char& c : text) {
            c = alphabet[rest % alphabet.size()];
            rest /= alphabet.size();
        }
        check(text);
    }
}

class short_texts : public testing::TestWithParam<surroundings> {};

TEST_P(short_texts, get_the_answer_of_the_plain_checker) {
    std::size_t valid = 0;
    for (std::size_t size = 0; size <= longest; ++size) {
        for_each_text(size, [&](const std::string& inner) {
            if (HasFatalFailure()) { return; }
            const std::string text = std::string(GetParam().before).append(inner).append(GetParam().after);
            const auto wanted = jsonheal_test::expected_validation(text, 4);
            ASSERT_EQ(jsonheal_test::disagreement(text, 4, wanted), "");
            valid += wanted.valid ? 1 : 0;
        });
    }
    EXPECT_GT(valid, 500u);
}

INSTANTIATE_TEST_SUITE_P(all, short_texts, testing::ValuesIn(places),
                         [](const auto& place) { return std::string(place.param.name); });

} // namespace

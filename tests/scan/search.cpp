// The searches against loops over single bytes: every alignment, every length to 80, every place of a stop.

#include "reference.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using jsonheal::scan::kernel;
using jsonheal_test::exact_copy;

constexpr std::size_t longest = 80;

struct search_case {
    std::string_view name;
    kernel::search kernel::*search;
    kernel::search plain;
    std::string_view fillers; ///< bytes that it passes
    std::string_view stops;   ///< some bytes that it stops at
};

constexpr search_case cases[] = {
    {"string_stop", &kernel::find_string_stop, jsonheal_test::plain_string_stop, "a !#&(;=[]_a\x7F",
     "\"'\\`<\n\x1F\x80\xFF"},
    {"skip_blanks", &kernel::skip_blanks, jsonheal_test::plain_skip_blanks, " \t\n\r", "a!\x1F\v\xA0\x89{"},
    {"prose_stop", &kernel::find_prose_stop, jsonheal_test::plain_prose_stop, "a;|z)\v\t\x80\xDB\xFB\xA8\xE0",
     "{[(`<\n"},
};

class search : public testing::TestWithParam<search_case> {
protected:
    void check(const char* begin, const char* end) const {
        for (const kernel& k : jsonheal::scan::kernels()) {
            const auto got = (k.*GetParam().search)(begin, end);
            const auto wanted = GetParam().plain(begin, end);
            ASSERT_EQ(got - begin, wanted - begin)
                << k.name << ": " << jsonheal_test::shown({begin, static_cast<std::size_t>(end - begin)});
        }
    }
};

TEST_P(search, finds_a_stop_at_every_place) {
    for (std::size_t shift = 0; shift != 16; ++shift) {
        for (std::size_t size = 0; size <= longest; ++size) {
            std::string text;
            for (std::size_t i = 0; i != size; ++i) {
                text += GetParam().fillers[i % GetParam().fillers.size()];
            }
            exact_copy copy(text, shift);
            ASSERT_NO_FATAL_FAILURE(check(copy.begin(), copy.end()));
            for (std::size_t at = 0; at != size; ++at) {
                std::string stopped = text;
                stopped[at] = GetParam().stops[at % GetParam().stops.size()];
                exact_copy other(stopped, shift);
                ASSERT_NO_FATAL_FAILURE(check(other.begin(), other.end()));
            }
        }
    }
}

TEST_P(search, looks_at_nothing_behind_the_end) {
    for (const char stop : GetParam().stops) {
        for (std::size_t size = 0; size <= longest; ++size) {
            const std::string text = std::string(size, GetParam().fillers[0]) + std::string(16, stop);
            ASSERT_NO_FATAL_FAILURE(check(text.data(), text.data() + size));
            ASSERT_EQ(GetParam().plain(text.data(), text.data() + size), text.data() + size);
        }
    }
}

// A carry out of one byte must not hide or feign a stop before it.
TEST_P(search, judges_every_pair_of_bytes_in_every_place_of_a_word) {
    for (std::size_t place = 0; place != 9; ++place) {
        std::string text(16, GetParam().fillers[0]);
        for (int first = 0; first != 256; ++first) {
            text[place] = static_cast<char>(first);
            for (int second = 0; second != 256; ++second) {
                text[place + 1] = static_cast<char>(second);
                ASSERT_NO_FATAL_FAILURE(check(text.data(), text.data() + text.size()));
            }
        }
    }
}

TEST_P(search, takes_runs_of_one_byte_and_no_bytes_at_all) {
    ASSERT_NO_FATAL_FAILURE(check(nullptr, nullptr));
    for (int byte = 0; byte != 256; ++byte) {
        for (std::size_t size = 1; size <= longest; ++size) {
            const exact_copy copy(std::string(size, static_cast<char>(byte)), size % 8);
            ASSERT_NO_FATAL_FAILURE(check(copy.begin(), copy.end()));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(all, search, testing::ValuesIn(cases),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

} // namespace

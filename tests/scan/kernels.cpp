// Which kernels there are, and which one answers.

#include <jsonheal/scan.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace scan = jsonheal::scan;

TEST(kernels, begin_with_the_portable_one_and_have_names_of_their_own) {
    ASSERT_FALSE(scan::kernels().empty());
    EXPECT_EQ(scan::kernels().front().name, "scalar");
    std::set<std::string_view> names;
    for (const auto& kernel : scan::kernels()) {
        EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
        EXPECT_TRUE(kernel.is_json && kernel.find_string_stop && kernel.skip_blanks &&
                    kernel.find_prose_stop);
    }
    EXPECT_EQ(scan::kernels().data(), scan::kernels().data());
}

// Says which kernels this run proves nothing about.
TEST(kernels, those_that_this_processor_lacks_are_not_run) {
#if defined(__x86_64__)
    constexpr std::string_view built[] = {"scalar", "sse42", "avx2", "avx512"};
#elif defined(__aarch64__)
    constexpr std::string_view built[] = {"scalar", "neon"};
#else
    constexpr std::string_view built[] = {"scalar"};
#endif
    std::string lacking;
    auto usable = scan::kernels().begin();
    for (const std::string_view name : built) {
        if (usable != scan::kernels().end() && usable->name == name) {
            ++usable;
        } else {
            lacking.append(" ").append(name);
        }
    }
    ASSERT_EQ(usable, scan::kernels().end()) << "a kernel out of order, or of another name";
    if (!lacking.empty()) { GTEST_SKIP() << "not run, this processor lacks them:" << lacking; }
}

TEST(kernels, many_threads_may_ask_first) {
    std::vector<std::thread> threads;
    std::array<const scan::kernel*, 8> seen{};
    for (auto& answer : seen) {
        threads.emplace_back([&answer] { answer = &scan::active_kernel(); });
    }
    for (std::thread& t : threads) { t.join(); }
    for (const scan::kernel* k : seen) { EXPECT_EQ(k, &scan::active_kernel()); }
}

TEST(kernels, one_of_them_is_active_and_any_can_be_forced) {
    const scan::kernel* const first = &scan::active_kernel();
    EXPECT_EQ(first, &scan::active_kernel());
    for (const auto& kernel : scan::kernels()) {
        EXPECT_TRUE(scan::force_kernel(kernel.name));
        EXPECT_EQ(&scan::active_kernel(), &kernel);
        EXPECT_FALSE(scan::force_kernel("abacus"));
        EXPECT_FALSE(scan::force_kernel(""));
        EXPECT_EQ(&scan::active_kernel(), &kernel);
    }
    EXPECT_TRUE(scan::force_kernel(first->name));
}

TEST(kernels, the_plain_functions_ask_the_active_one) {
    constexpr std::string_view text = "  plain text 'quoted' {";
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    EXPECT_EQ(scan::skip_blanks(begin, end) - begin, 2);
    EXPECT_EQ(scan::find_string_stop(begin, end) - begin, 13);
    EXPECT_EQ(scan::find_prose_stop(begin, end) - begin, 22);
    EXPECT_EQ(scan::validate_json(text, 9), (scan::validation{false, 2}));
    EXPECT_FALSE(scan::is_json(text, 9));
    EXPECT_TRUE(scan::is_json("[[1]]", 2));
    EXPECT_FALSE(scan::is_json("[[1]]", 1));
}

// The example of the header.
TEST(kernels, the_example_holds) {
    EXPECT_EQ(scan::validate_json(R"({"a":[1,2]})", 100), (scan::validation{true, 11}));
    EXPECT_EQ(scan::validate_json(R"({"a":[1,2,]})", 100), (scan::validation{false, 10}));
    EXPECT_TRUE(scan::validate_json("[]", 1));
    EXPECT_FALSE(scan::validate_json("[", 1));
}

} // namespace

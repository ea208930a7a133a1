// Equality and hashes.

#include "../support/random.hpp"

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using jsonheal::document;

document parsed(std::string_view text) {
    auto result = document::parse(std::string(text));
    EXPECT_TRUE(result) << text;
    return result.value;
}

TEST(same_value, looks_through_spelling_and_order) {
    constexpr std::string_view same[][2] = {
        {"1", "1.0"},
        {"[0]", "[ -0.0 ]"},
        {R"("é")", R"("\u00e9")"},
        {R"("\ud83d\ude00")", R"("😀")"},
        {R"({"a":1,"b":[2]})", R"({"b":[2.0],"a":10e-1})"},
        {R"({"a":1,"x":0,"a":2})", R"({"x":0,"a":1,"a":2})"},
        {R"({"\u0061":1,"b":2})", R"({"b":2,"a":1})"},
        {"{}", "{ }"},
    };
    for (const auto& [a, b] : same) {
        EXPECT_TRUE(same_value(parsed(a).root(), parsed(b).root())) << a << " and " << b;
        EXPECT_EQ(hash_value(parsed(a).root()), hash_value(parsed(b).root())) << a << " and " << b;
    }
}

TEST(same_value, tells_values_apart) {
    constexpr std::string_view apart[][2] = {
        {"1", "2"},
        {"1", "\"1\""},
        {"true", "false"},
        {"null", "false"},
        {"[]", "{}"},
        {"[1,2]", "[2,1]"},
        {"[1]", "[1,1]"},
        {"[[1],2]", "[[1,2]]"},
        {R"({"a":1})", R"({"a":2})"},
        {R"({"a":1})", R"({"b":1})"},
        {R"({"a":1})", R"({"a":1,"b":1})"},
        {R"({"a":1,"b":2})", R"({"b":1,"a":2})"},
        {R"({"a":1,"a":2})", R"({"a":2,"a":1})"},
        {R"("\ud800")", R"("\ud801")"},
        {"9007199254740992", "9007199254740993"},
    };
    for (const auto& [a, b] : apart) {
        EXPECT_FALSE(same_value(parsed(a).root(), parsed(b).root())) << a << " and " << b;
    }
}

// A value written twice, the second time with members shuffled and spellings changed.
class twin_writer {
public:
    explicit twin_writer(std::uint64_t seed) : random_(seed) {}
    std::pair<std::string, std::string> value(int depth) {
        const std::size_t kind = random_.below(depth == 0 ? 3 : 5);
        if (kind == 0) { return {"12.50", "0.125e2"}; }
        if (kind == 1) { return {R"("aé")", R"("\u0061\u00e9")"}; }
        if (kind == 2) { return {"null", " null"}; }
        std::vector<std::pair<std::string, std::string>> parts;
        for (std::size_t n = random_.below(5); n != 0; --n) {
            auto part = value(depth - 1);
            if (kind == 4) {
                const std::string key = "\"" + std::string(1, static_cast<char>('a' + parts.size())) + "\":";
                part = {key + part.first, key + part.second};
            }
            parts.push_back(std::move(part));
        }
        const std::string plain = joined(parts, &std::pair<std::string, std::string>::first);
        if (kind == 4) {
            for (std::size_t i = parts.size(); i > 1; --i) {
                std::swap(parts[i - 1], parts[random_.below(i)]);
            }
        }
        const std::string other = joined(parts, &std::pair<std::string, std::string>::second);
        return kind == 4 ? std::pair{"{" + plain + "}", "{" + other + "}"}
                         : std::pair{"[" + plain + "]", "[" + other + "]"};
    }

private:
    static std::string joined(const std::vector<std::pair<std::string, std::string>>& parts,
                              std::string std::pair<std::string, std::string>::*side) {
        std::string text;
        for (const auto& part : parts) { text += (text.empty() ? "" : ",") + part.*side; }
        return text;
    }
    jsonheal_test::random_source random_;
};

TEST(same_value, holds_for_shuffled_and_respelled_twins) {
    twin_writer writer(3);
    for (int round = 0; round != 3000; ++round) {
        const auto [a, b] = writer.value(5);
        const document x = parsed(a);
        const document y = parsed(b);
        ASSERT_TRUE(same_value(x.root(), y.root())) << a << "\n" << b;
        ASSERT_EQ(hash_value(x.root()), hash_value(y.root())) << a << "\n" << b;
    }
}

TEST(same_value, is_fast_on_large_objects_in_opposite_order) {
    const auto object = [](bool backwards) {
        std::vector<std::string> members;
        for (int i = 0; i != 100'000; ++i) {
            members.push_back("\"key" + std::to_string(i) + "\":" + std::to_string(i));
        }
        if (backwards) { std::reverse(members.begin(), members.end()); }
        std::string text = "{";
        for (const auto& m : members) { text += (text.size() > 1 ? "," : "") + m; }
        return parsed(text + "}");
    };
    EXPECT_TRUE(same_value(object(false).root(), object(true).root()));
}

} // namespace

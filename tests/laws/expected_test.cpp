// The laws hold whatever a schema lets the engine expect: valid JSON stays as it is, and chunks and paths make no difference.
#include "corpus.hpp"
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace jsonheal_test {
namespace {

using jsonheal::expectation;
using jsonheal::heal_options;
using jsonheal::kind_set;
using jsonheal::rule;
using jsonheal::value_kind;

/// Wants everywhere what it was told to want: the worst hint that a schema could give.
class stubborn final : public expectation {
public:
    explicit stubborn(kind_set kinds) : kinds_(kinds) {}
    kind_set kinds() const noexcept override { return kinds_; }
    std::span<const std::string_view> known_keys() const noexcept override { return keys; }
    const expectation* member(std::string_view) const noexcept override { return this; }
    const expectation* element(std::size_t) const noexcept override { return this; }

private:
    static constexpr std::array<std::string_view, 4> keys = {"a", "b", "name", "id"};
    kind_set kinds_;
};

const stubborn text(kind_set().add(value_kind::string));
const stubborn number(kind_set().add(value_kind::number));

std::vector<heal_options> variants() {
    std::vector<heal_options> all;
    for (const heal_options& base : both_presets()) {
        for (const stubborn* e : {&text, &number}) {
            heal_options o = base;
            o.expect = e;
            o.fast_path = false;
            all.push_back(o);
        }
    }
    return all;
}

TEST(expected, valid_json_is_read_the_same) {
    sweep run([all = variants()](std::string_view json) -> failure {
        if (!check_strict_json(json).valid) { return std::nullopt; }
        for (const heal_options& o : all) {
            if (auto why = check_identity(json, o)) { return show(o) + ": " + *why; }
        }
        return std::nullopt;
    });
    random_source random(51);
    for (int i = 0; i < 6000; ++i) {
        run(hostile_valid(random));
        run(join(random_document(random)));
    }
    for (std::size_t i = 0; i < hostile_pair_count(); i += 17) { run(hostile_pair(i)); }
}

TEST(expected, damaged_documents_keep_every_law) {
    sweep run([all = variants()](std::string_view json) -> failure {
        for (const heal_options& o : all) {
            if (auto why = check_all(json, o, {chunks_of(1), chunks_of(3)})) { return show(o) + ": " + *why; }
        }
        return std::nullopt;
    });
    random_source random(52);
    for (int i = 0; i < 4000; ++i) { run(damaged(random, static_cast<std::size_t>(i % 3 + 1))); }
}

TEST(expected, keys_that_close_keep_every_law) {
    heal_options o;
    o.expect = &text;
    o.close_at_known_keys = true;
    sweep run([&](std::string_view json) { return check_all(json, o, {chunks_of(1)}); });
    random_source random(53);
    for (int i = 0; i < 4000; ++i) { run(damaged(random, static_cast<std::size_t>(i % 3 + 1))); }
}

struct reading {
    const char* name;
    std::string_view input, as_text, as_number;
};

class expected_reading : public testing::TestWithParam<reading> {};

TEST_P(expected_reading, is_what_the_schema_wants) {
    const reading& r = GetParam();
    heal_options o;
    o.expect = &text;
    EXPECT_EQ(jsonheal::heal(r.input, o).json(), r.as_text);
    o.expect = &number;
    EXPECT_EQ(jsonheal::heal(r.input, o).json(), r.as_number);
}

INSTANTIATE_TEST_SUITE_P(
    all, expected_reading,
    testing::Values(reading{"leading_zeros", "{a: 007}", R"({"a": "007"})", R"({"a": 7})"},
                    reading{"separators", "{a: 1_000}", R"({"a": "1_000"})", R"({"a": 1000})"},
                    reading{"thousands", "{a: 1,000}", R"({"a": "1,000"})", R"({"a": 1000})"},
                    reading{"hexadecimal", "[0xff]", R"(["0xff"])", "[255]"},
                    reading{"a_boolean_of_python", "{a: True}", R"({"a": "True"})", R"({"a": true})"},
                    reading{"null_is_no_text", "{a: None}", R"({"a": null})", R"({"a": null})"},
                    reading{"json_is_json", "{a: 1.10, b: true}", R"({"a": 1.10, "b": true})",
                            R"({"a": 1.10, "b": true})"}),
    [](const auto& row) { return row.param.name; });

TEST(expected, several_values_are_chosen_by_whoever_was_asked) {
    class first final : public jsonheal::value_chooser {
    public:
        choice choose(std::span<const jsonheal::candidate> found) override {
            EXPECT_EQ(found.size(), 2U);
            EXPECT_TRUE(found[1].taken);
            choice c;
            c.index = 0;
            c.misfits = {1};
            return c;
        }
    } chooser;
    heal_options o;
    o.chooser = &chooser;
    const auto h = jsonheal::heal("{a: 1} or else {b: 2}", o);
    EXPECT_EQ(h.json(), R"({"a": 1})");
    EXPECT_EQ(h.risk, jsonheal::risk::likely) << "what cannot be meant is no loss";
    EXPECT_FALSE(check_proof("{a: 1} or else {b: 2}", h));
}

} // namespace
} // namespace jsonheal_test

// Short ways to parse, compile and validate in tests.
#pragma once

#include <jsonheal/schema.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace schema_test {

inline jsonheal::document doc(std::string_view text) {
    jsonheal::parse_result parsed = jsonheal::document::parse(std::string(text));
    EXPECT_TRUE(parsed) << text;
    return parsed.value;
}

inline jsonheal::schema::program compiled(std::string_view schema,
                                          const jsonheal::schema::compile_options& options = {}) {
    jsonheal::schema::compile_result made = jsonheal::schema::compile(doc(schema), options);
    EXPECT_FALSE(made.error) << schema << "\n" << (made.error ? made.error->reason : "");
    return made.value;
}

inline bool valid(const jsonheal::schema::program& p, std::string_view instance) {
    const jsonheal::document d = doc(instance);
    const bool fast = jsonheal::schema::fits(p, d.root());
    const jsonheal::schema::validation full = jsonheal::schema::validate(p, d.root());
    EXPECT_EQ(fast, full.valid) << instance;
    EXPECT_EQ(fast, full.violations.empty()) << instance;
    return fast;
}
inline bool valid(std::string_view schema, std::string_view instance) {
    return valid(compiled(schema), instance);
}

inline std::string error_of(std::string_view schema, const jsonheal::schema::compile_options& options = {}) {
    const jsonheal::schema::compile_result made = jsonheal::schema::compile(doc(schema), options);
    return made.error ? made.error->pointer + ": " + made.error->reason : "";
}

/// `KEYWORD INSTANCE` of each violation, parted by `; `.
inline std::string faults(std::string_view schema, std::string_view instance) {
    const jsonheal::document d = doc(instance);
    std::string out;
    for (const auto& v : jsonheal::schema::validate(compiled(schema), d.root()).violations) {
        out.append(out.empty() ? "" : "; ").append(v.keyword).append(" ").append(v.instance);
    }
    return out;
}

} // namespace schema_test

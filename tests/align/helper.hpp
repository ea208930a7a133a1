// What the tests of alignment share.
#pragma once

#include <jsonheal/align.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace jsonheal_test {

inline jsonheal::schema::program compiled(std::string_view schema) {
    const auto source = jsonheal::document::parse(std::string(schema));
    EXPECT_TRUE(source) << schema;
    const auto made = jsonheal::schema::compile(source.value);
    EXPECT_FALSE(made.error) << schema << ": " << (made.error ? made.error->reason : "");
    return made.value;
}

inline jsonheal::alignment aligned(std::string_view schema, std::string_view value,
                                   const jsonheal::align_options& options = {}) {
    const auto parsed = jsonheal::document::parse(std::string(value));
    EXPECT_TRUE(parsed) << value;
    return jsonheal::align(parsed.value, compiled(schema), options);
}

inline std::string rules_of(const jsonheal::alignment& a) {
    std::string all;
    for (const jsonheal::change& c : a.changes) {
        all.append(all.empty() ? "" : " ").append(jsonheal::info(c.rule).id);
    }
    return all;
}

inline std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace jsonheal_test

#include <jsonheal/quotes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using jsonheal::is_code_path;
using jsonheal::normalize_code_file;
using jsonheal::normalize_quotes;

constexpr std::string_view code[] = {
    ".go",        ".py",           ".js",         ".ts",         ".jsx",     ".tsx",      ".java",
    ".c",         ".cpp",          ".h",          ".hpp",        ".rs",      ".rb",       ".php",
    ".swift",     ".kt",           ".scala",      ".cs",         ".r",       ".m",        ".mm",
    ".sh",        ".bash",         ".zsh",        ".fish",       ".sql",     ".json",     ".yaml",
    ".yml",       ".toml",         ".xml",        ".html",       ".css",     ".scss",     ".less",
    ".lua",       ".pl",           ".pm",         ".ex",         ".exs",     ".erl",      ".hrl",
    ".hs",        ".elm",          ".clj",        ".lisp",       ".el",      ".vim",      ".conf",
    ".ini",       ".env",          ".dockerfile", ".tf",         ".hcl",     ".proto",    ".graphql",
    ".gql",       ".makefile",     ".cmake",      ".gradle",     ".vue",     ".svelte",   ".ps1",
    ".bat",       ".dart",         ".jl",         ".zig",        ".nim",     ".ipynb",    ".mjs",
    ".cjs",       ".cc",           ".hh",         ".kts",        ".groovy",  ".sol",      "makefile",
    "Dockerfile", "jenkinsfile",   "Vagrantfile", "gemfile",     "rakefile", "guardfile", "procfile",
    ".gitignore", ".dockerignore", ".eslintrc",   ".prettierrc",
};

TEST(quotes, every_listed_path_is_code_in_any_case_and_folder) {
    for (const std::string_view entry : code) {
        std::string upper(entry);
        std::transform(upper.begin(), upper.end(), upper.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
        for (const std::string& path :
             {std::string(entry), upper, "a.md/" + upper, "C:\\a\\" + std::string(entry)}) {
            EXPECT_TRUE(is_code_path(path)) << path;
        }
    }
}

TEST(quotes, other_paths_are_not) {
    for (const std::string_view path :
         {"a.md", "a.txt", "a.rst", ".env.local", "Dockerfile.prod", "CMakeLists.txt", "notes", "a.py/notes",
          "a.", "/", "a.jsonx", "xmakefile"}) {
        EXPECT_FALSE(is_code_path(path)) << path;
        EXPECT_EQ(normalize_code_file(path, "\u201Cx\u201D").text, "\u201Cx\u201D");
    }
    EXPECT_TRUE(is_code_path(""));
}

TEST(quotes, every_edit_is_one_character) {
    const std::string_view text = "a\u2018b\u00AB\u2033";
    const auto q = normalize_quotes(text);
    EXPECT_EQ(q.text, "a'b<<\"");
    ASSERT_EQ(q.edits.size(), 3U);
    EXPECT_EQ(q.edits[0], jsonheal::edit(1, 4, "'", jsonheal::rule::quote_style));
    EXPECT_EQ(q.edits[1], jsonheal::edit(5, 7, "<<", jsonheal::rule::quote_style));
}

TEST(quotes, bytes_that_are_not_utf8_stay) {
    for (const std::string_view text : {"\xE2\x80", "\xE2", "\xC2", "\xE2\x80\xC2\xAB", "\xFF\xE2\x80\x9C"}) {
        const auto q = normalize_quotes(text);
        EXPECT_EQ(jsonheal::replay(text, q.edits), q.text);
    }
    EXPECT_EQ(normalize_quotes("\xE2\x80").text, "\xE2\x80");
    EXPECT_EQ(normalize_quotes("\xE2\xE2\x80\x9C").text, "\xE2\"");
}

TEST(quotes, a_text_that_is_too_long_is_refused) {
    jsonheal::quote_options o;
    o.max_bytes = 3;
    EXPECT_TRUE(normalize_quotes("abcd", o).refused);
    EXPECT_TRUE(normalize_code_file("a.md", "abcd", o).refused);
    EXPECT_FALSE(normalize_quotes("abc", o).refused);
}

} // namespace

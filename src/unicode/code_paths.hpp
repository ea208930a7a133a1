/// @file code_paths.hpp
/// Which files hold code or configuration: by extension and by name, in lower case. One more is one more entry.
#pragma once

#include <string_view>

namespace jsonheal::unicode {

/// An extension is what stands from the last point of the name on, so that `.env` is one too. In order, for a binary
/// search.
inline constexpr std::string_view code_extensions[] = {
    ".bash", ".bat",  ".c",          ".cc",      ".cjs",    ".clj",      ".cmake", ".conf", ".cpp",   ".cs",
    ".css",  ".dart", ".dockerfile", ".el",      ".elm",    ".env",      ".erl",   ".ex",   ".exs",   ".fish",
    ".go",   ".gql",  ".gradle",     ".graphql", ".groovy", ".h",        ".hcl",   ".hh",   ".hpp",   ".hrl",
    ".hs",   ".html", ".ini",        ".ipynb",   ".java",   ".jl",       ".js",    ".json", ".jsx",   ".kt",
    ".kts",  ".less", ".lisp",       ".lua",     ".m",      ".makefile", ".mjs",   ".mm",   ".nim",   ".php",
    ".pl",   ".pm",   ".proto",      ".ps1",     ".py",     ".r",        ".rb",    ".rs",   ".scala", ".scss",
    ".sh",   ".sol",  ".sql",        ".svelte",  ".swift",  ".tf",       ".toml",  ".ts",   ".tsx",   ".vim",
    ".vue",  ".xml",  ".yaml",       ".yml",     ".zig",    ".zsh",
};

/// Names that say it without an extension. In order.
inline constexpr std::string_view code_names[] = {
    ".dockerignore", ".eslintrc",   ".gitignore", ".prettierrc", "dockerfile", "gemfile",
    "guardfile",     "jenkinsfile", "makefile",   "procfile",    "rakefile",   "vagrantfile",
};

} // namespace jsonheal::unicode

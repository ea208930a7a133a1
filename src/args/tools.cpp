// The catalogue of tools: one table, and look-ups in it.

#include "ascii.hpp"

#include <jsonheal/args_tools.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace jsonheal {

namespace {

using bare = tool_spec::bare_text;

/// Tools that take the same field and hold code in the same members.
struct family {
    std::string_view field;
    bare how;
    std::array<std::string_view, 5> code;
    std::array<std::string_view, 16> names;
};

// One more tool is one more name. Case tells tools apart: Read has file_path, read has file.
constexpr family families[] = {
    {"file",
     bare::value,
     {"content", "search", "replace", "diff"},
     {"read_file", "write_file", "patch_file", "rollback_file", "read", "write", "patch", "rollback"}},
    {"dir",
     bare::value,
     {},
     {"list_directory", "git_status", "git_diff", "git_log", "git_changed", "git_branch", "run_tests",
      "clean_backups", "tree", "git-status", "git-diff", "git-log", "git-changed", "git-branch", "test",
      "clean"}},
    {"term", bare::value, {}, {"search_files", "search"}},
    {"cmd", bare::shell, {"cmd"}, {"run_command", "exec"}},
    {"cmd", bare::subcommands, {"cmd", "content", "search", "replace", "diff"}, {"@coder", "coder"}},
    {"command", bare::shell, {"command"}, {"bash", "shell", "Bash"}},
    {"file_path", bare::value, {"content", "old_string", "new_string"}, {"Read", "Write", "Edit"}},
    {"pattern", bare::value, {"pattern"}, {"Glob", "Grep"}},
};

// Members that hold the same thing under other names; the tool's own name for it must be one that is meant.
constexpr member_alias aliases[] = {
    {"path", "file"},
    {"filepath", "file"},
    {"filename", "file"},
    {"file_name", "file"},
    {"file_path", "file"},
    {"path", "file_path"},
    {"filepath", "file_path"},
    {"filename", "file_path"},
    {"file", "file_path"},
    {"pattern", "term"},
    {"query", "term"},
    {"regex", "term"},
    {"directory", "dir"},
    {"folder", "dir"},
    {"cwd", "dir"},
    {"workdir", "dir"},
    {"path", "dir"},
    {"command", "cmd"},
    {"cmd", "command"},
    {"body", "content"},
    {"data", "content"},
    {"begin", "start"},
    {"from", "start"},
    {"to", "end"},
    {"depth", "max-depth"},
    {"max_depth", "max-depth"},
    {"maxdepth", "max-depth"},
    {"query", "pattern"},
    {"regex", "pattern"},
    {"glob", "pattern"},
};

bool by_name(const tool_spec& a, std::string_view name) noexcept { return a.name < name; }

const tool_spec* find_exact(std::span<const tool_spec> tools, std::string_view name) noexcept {
    const auto found = std::lower_bound(tools.begin(), tools.end(), name, by_name);
    return found != tools.end() && found->name == name ? &*found : nullptr;
}

} // namespace

std::span<const member_alias> member_aliases() noexcept { return aliases; }

const tool_spec::property* tool_spec::find_property(std::string_view key) const noexcept {
    for (const property& p : properties) {
        if (p.name == key) { return &p; }
    }
    return nullptr;
}

tool_catalogue::tool_catalogue() {
    for (const family& f : families) {
        for (const std::string_view name : f.names) {
            if (name.empty()) { break; }
            tool_spec t;
            t.name = name;
            t.field = f.field;
            t.bare = f.how;
            for (const std::string_view code : f.code) {
                if (!code.empty()) { t.code_fields.emplace_back(code); }
            }
            tools_.push_back(std::move(t));
        }
    }
    std::sort(tools_.begin(), tools_.end(),
              [](const tool_spec& a, const tool_spec& b) { return a.name < b.name; });
}

const tool_catalogue& tool_catalogue::standard() {
    static const tool_catalogue all;
    return all;
}

void tool_catalogue::add(tool_spec tool) {
    if (tool.name.empty()) { throw std::invalid_argument("jsonheal: a tool needs a name"); }
    const auto place = std::lower_bound(tools_.begin(), tools_.end(), tool.name, by_name);
    if (place != tools_.end() && place->name == tool.name) {
        *place = std::move(tool);
    } else {
        tools_.insert(place, std::move(tool));
    }
}

void tool_catalogue::add(std::string_view name, value_view schema) {
    add(tool_from_schema(name, schema, find(name)));
}

const tool_spec* tool_catalogue::find(std::string_view name) const noexcept {
    if (const tool_spec* exact = find_exact(tools_, name)) { return exact; }
    constexpr std::size_t longest = 128; // names beyond it have no second chance: no memory is taken here
    if (name.size() > longest) { return nullptr; }
    std::array<char, longest> lower{};
    std::transform(name.begin(), name.end(), lower.begin(), args_detail::to_lower);
    const std::string_view lowered(lower.data(), name.size());
    return lowered != name ? find_exact(tools_, lowered) : nullptr;
}

} // namespace jsonheal

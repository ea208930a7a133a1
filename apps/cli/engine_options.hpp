/// @file engine_options.hpp
/// The options of the engine as words of the command line, the same for every subcommand that heals.
#pragma once

#include <jsonheal/heal.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::cli {

template <class Value>
using choices = std::vector<std::pair<std::string_view, Value>>;

/// `--flag WORD`, where WORD is one of a few and each stands for a value. `target` keeps its value if the
/// flag is not given.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Value& target, choices<Value> table,
                        const std::string& help) {
    std::string all;
    for (const auto& word : table) { all.append(all.empty() ? "" : "|").append(word.first); }
    const auto take = [flag, &target, all, table = std::move(table)](const std::string& given) {
        const auto found =
            std::find_if(table.begin(), table.end(), [&](const auto& word) { return word.first == given; });
        if (found == table.end()) {
            throw CLI::ValidationError(flag, "'" + given + "' is not one of " + all);
        }
        target = found->second;
    };
    return app.add_option_function<std::string>(flag, take, help)->option_text(all);
}

/// Adds the options to `app`; they write to `options` when it parses. `options` must live that long.
void add_engine_options(CLI::App& app, heal_options& options);

/// `there is no rule 'fnece'; did you mean fence? ...`
[[nodiscard]] std::string no_such_rule(std::string_view id);

/// Why the options contradict each other; empty if they do not. They do where `--preset live` meets a policy
/// that only the end of the text can decide.
[[nodiscard]] std::string contradiction(const heal_options& options);

} // namespace jsonheal::cli

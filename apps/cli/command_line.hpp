/// @file command_line.hpp
/// The options of one subcommand. CLI11 parses them; its header takes seconds to compile, so it is seen in few files.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): that is CLI11's name
class App;
class Option;
} // namespace CLI

namespace jsonheal::cli {

/// What a value's reader throws where the value cannot be used: `--accept: 'all' is not truncated`.
class usage_mistake : public std::runtime_error {
public:
    usage_mistake(std::string flag, const std::string& message)
        : std::runtime_error(message), flag_(std::move(flag)) {}
    [[nodiscard]] const std::string& flag() const noexcept { return flag_; }

private:
    std::string flag_;
};

/// An option that was just added. A handle.
class option {
public:
    explicit option(CLI::Option* o) noexcept : option_(o) {}
    /// What help calls its value: `FILE`, `N`, `whole|live`. Completions read it too, see option_tree.cpp.
    option& shows(const std::string& value);
    /// The heading that it stands under in help.
    option& under(const std::string& heading);
    option& required();

private:
    CLI::Option* option_;
};

struct number_range {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Options write to what they were given when the words are parsed; it must live that long. `names` is `-q,--quiet`;
/// without dashes it is a positional.
class command_line {
public:
    /// `name` as help shows it: `jsonheal heal`.
    command_line(const std::string& summary, const std::string& name);
    ~command_line();
    command_line(const command_line&) = delete;
    command_line& operator=(const command_line&) = delete;

    option flag(const std::string& names, bool& target, const std::string& help);
    option flag(const std::string& names, std::function<void()> take, const std::string& help);

    option text(const std::string& names, std::string& target, const std::string& help);
    option text(const std::string& names, std::optional<std::string>& target, const std::string& help);
    option text(const std::string& names, std::function<void(const std::string&)> take,
                const std::string& help);

    /// Any number of words, for positionals.
    option texts(const std::string& names, std::vector<std::string>& target, const std::string& help);
    /// May be given several times, with one word each; `take` is called for each.
    option repeated(const std::string& names, std::function<void(const std::string&)> take,
                    const std::string& help);
    /// Words with commas between them: `--forbid RULE,RULE`. `take` is called for each.
    option list(const std::string& names, std::function<void(const std::string&)> take,
                const std::string& help);

    option number(const std::string& names, std::function<void(std::uint64_t)> take, number_range range,
                  const std::string& help);
    template <std::unsigned_integral Number>
    option number(const std::string& names, Number& target, number_range range, const std::string& help) {
        range.most = std::min<std::uint64_t>(range.most, std::numeric_limits<Number>::max());
        return number(
            names, [&target](std::uint64_t n) { target = static_cast<Number>(n); }, range, help);
    }

    /// Whether it was given. @pre parsed; `name` is one of an option, with its dashes
    [[nodiscard]] bool given(const std::string& name) const;

    /// What parses, for the files that read its options.
    [[nodiscard]] CLI::App& app() noexcept { return *app_; }
    [[nodiscard]] const CLI::App& app() const noexcept { return *app_; }

private:
    std::unique_ptr<CLI::App> app_;
};

template <class Value>
using choices = std::vector<std::pair<std::string_view, Value>>;

/// `--flag WORD`, where WORD is one of a few and each stands for a value. `target` keeps its value if the
/// flag is not given.
template <class Value>
option add_choice(command_line& line, const std::string& flag, Value& target, choices<Value> table,
                  const std::string& help) {
    std::string all;
    for (const auto& word : table) { all.append(all.empty() ? "" : "|").append(word.first); }
    const auto take = [flag, &target, all, table = std::move(table)](const std::string& given) {
        const auto found =
            std::find_if(table.begin(), table.end(), [&](const auto& word) { return word.first == given; });
        if (found == table.end()) { throw usage_mistake(flag, "'" + given + "' is not one of " + all); }
        target = found->second;
    };
    return line.text(flag, take, help).shows(all);
}

/// `--report json`.
option add_report(command_line& line, bool& target, const std::string& help);

} // namespace jsonheal::cli

#include "command_line.hpp"

#include <CLI/CLI.hpp>

namespace jsonheal::cli {

namespace {

/// Hands a value on; a mistake becomes one that CLI11 reports.
template <class Take, class Value>
void hand_on(const Take& take, const Value& value) {
    try {
        take(value);
    } catch (const usage_mistake& m) { throw CLI::ValidationError(m.flag(), m.what()); }
}

template <class Take>
auto each_of(Take take) {
    return [take = std::move(take)](const std::vector<std::string>& words) {
        for (const std::string& word : words) { hand_on(take, word); }
    };
}

} // namespace

option& option::shows(const std::string& value) {
    option_->option_text(value);
    return *this;
}

option& option::under(const std::string& heading) {
    option_->group(heading);
    return *this;
}

option& option::required() {
    option_->required();
    return *this;
}

command_line::command_line(const std::string& summary, const std::string& name)
    : app_(std::make_unique<CLI::App>(summary, name)) {}

command_line::~command_line() = default;

option command_line::flag(const std::string& names, bool& target, const std::string& help) {
    return option(app_->add_flag(names, target, help));
}

option command_line::flag(const std::string& names, std::function<void()> take, const std::string& help) {
    return option(app_->add_flag_function(
        names, [take = std::move(take)](std::int64_t) { take(); }, help));
}

option command_line::text(const std::string& names, std::string& target, const std::string& help) {
    return option(app_->add_option(names, target, help));
}

option command_line::text(const std::string& names, std::optional<std::string>& target,
                          const std::string& help) {
    return option(app_->add_option(names, target, help));
}

option command_line::text(const std::string& names, std::function<void(const std::string&)> take,
                          const std::string& help) {
    const auto hand = [take = std::move(take)](const std::string& word) { hand_on(take, word); };
    return option(app_->add_option_function<std::string>(names, hand, help));
}

option command_line::texts(const std::string& names, std::vector<std::string>& target,
                           const std::string& help) {
    return option(app_->add_option(names, target, help));
}

option command_line::repeated(const std::string& names, std::function<void(const std::string&)> take,
                              const std::string& help) {
    return option(app_->add_option_function<std::vector<std::string>>(names, each_of(std::move(take)), help));
}

option command_line::list(const std::string& names, std::function<void(const std::string&)> take,
                          const std::string& help) {
    CLI::Option* o =
        app_->add_option_function<std::vector<std::string>>(names, each_of(std::move(take)), help);
    o->delimiter(',')->allow_extra_args(false);
    return option(o);
}

option command_line::number(const std::string& names, std::function<void(std::uint64_t)> take,
                            number_range range, const std::string& help) {
    const std::string flag = names.substr(names.rfind(',') + 1);
    const auto hand = [take = std::move(take), range, flag](const std::uint64_t& n) {
        if (n < range.least) {
            throw CLI::ValidationError(flag, "must be at least " + std::to_string(range.least));
        }
        if (n > range.most) {
            throw CLI::ValidationError(flag, "may be at most " + std::to_string(range.most));
        }
        hand_on(take, n);
    };
    return option(app_->add_option_function<std::uint64_t>(names, hand, help));
}

bool command_line::given(const std::string& name) const { return app_->count(name) != 0; }

option add_report(command_line& line, bool& target, const std::string& help) {
    return add_choice<bool>(line, "--report", target, {{"json", true}}, help);
}

} // namespace jsonheal::cli

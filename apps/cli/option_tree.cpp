#include "option_tree.hpp"

#include "glyphs.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace jsonheal::cli {

namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

bool has_capital(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// What help calls the value says what it is: `FILE`, `RULE,...`, `whole|live`, `truncated,lossy`, `N`.
void read_value(option_info& o) {
    if (o.value.empty()) { return; }
    if (o.value == "FILE") {
        o.takes = operand::file;
    } else if (o.value.starts_with("RULE")) {
        o.takes = operand::rule;
    } else if (has_capital(o.value)) {
        o.takes = operand::text;
    } else {
        const bool several = o.value.find(',') != std::string::npos;
        o.takes = several ? operand::choices : operand::choice;
        o.choices = split(o.value, several ? ',' : '|');
    }
}

option_info describe_option(const CLI::Option& option) {
    option_info o;
    for (const std::string& name : option.get_snames()) { o.names.push_back("-" + name); }
    for (const std::string& name : option.get_lnames()) { o.names.push_back("--" + name); }
    const bool positional = option.get_positional();
    if (positional || option.get_items_expected_max() != 0) {
        o.value = option.get_option_text();
        if (o.value.empty()) { o.value = positional ? option.get_name(true) : "VALUE"; }
    }
    o.many = positional && option.get_items_expected_max() > 1;
    o.help = option.get_description();
    o.group = option.get_group();
    read_value(o);
    return o;
}

} // namespace

command_info describe_options(const CLI::App& app) {
    command_info c;
    c.name = app.get_name().substr(app.get_name().rfind(' ') + 1);
    c.description = app.get_description();
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) { continue; } // hidden on purpose
        (option->get_positional() ? c.positionals : c.options).push_back(describe_option(*option));
    }
    // Headings in the order in which they first come, each once.
    std::vector<std::string> groups;
    for (const option_info& o : c.options) {
        if (std::find(groups.begin(), groups.end(), o.group) == groups.end()) { groups.push_back(o.group); }
    }
    const auto place = [&](const option_info& o) { return std::find(groups.begin(), groups.end(), o.group); };
    std::stable_sort(c.options.begin(), c.options.end(),
                     [&](const option_info& a, const option_info& b) { return place(a) < place(b); });
    return c;
}

std::vector<command_info> describe_commands() {
    std::vector<command_info> commands;
    for (const subcommand& s : all_subcommands()) {
        const std::function<void(const CLI::App&)> take = [&](const CLI::App& app) {
            commands.push_back(describe_options(app));
            commands.back().name = s.name;
            commands.back().summary = s.summary;
        };
        words none;
        none.show_options = &take;
        (void)s.run(none);
    }
    return commands;
}

std::string usage_of(const command_info& command) {
    std::string text = "jsonheal " + command.name + " [OPTIONS]";
    for (const option_info& p : command.positionals) {
        text.append(" [").append(p.value).append(p.many ? "...]" : "]");
    }
    return text;
}

std::string heading_of(const option_info& o) {
    std::string text;
    for (const std::string& name : o.names) { text.append(text.empty() ? "" : ", ").append(name); }
    if (!o.value.empty()) {
        text.append(text.empty() ? "" : " ").append(o.value).append(o.many ? "..." : "");
    }
    return text;
}

namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t help_column = 28;

/// Appends words from `column` on; further lines begin at `indent`.
void append_wrapped(std::string_view text, std::size_t column, std::size_t indent, std::string& out) {
    bool first = true;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        const std::size_t width = columns(word);
        if (!first && column + 1 + width > page_width - 1) {
            out.append("\n").append(indent, ' ');
            column = indent;
            first = true;
        }
        if (!first) {
            out.push_back(' ');
            ++column;
        }
        out.append(word);
        column += width;
        first = false;
        text.remove_prefix(std::min(text.size(), word.size() + 1));
    }
    out.push_back('\n');
}

void append_option(const option_info& o, std::string& out) {
    // Long names stand below each other, whether there is a short one or not.
    std::string heading = "  ";
    if (!o.names.empty() && o.names.front().starts_with("--")) { heading.append("    "); }
    heading.append(heading_of(o));
    out.append(heading);
    if (heading.size() + 2 > help_column) {
        out.append("\n").append(help_column, ' ');
    } else {
        out.append(help_column - heading.size(), ' ');
    }
    append_wrapped(o.help, help_column, help_column, out);
}

} // namespace

std::string help_of(const command_info& command) {
    std::string out = "usage: " + usage_of(command) + "\n\n";
    append_wrapped(command.description, 0, 0, out);
    if (!command.positionals.empty()) { out.push_back('\n'); }
    for (const option_info& p : command.positionals) { append_option(p, out); }
    std::string group;
    for (const option_info& o : command.options) {
        if (o.group != group) {
            group = o.group;
            out.append("\n").append(group).append(":\n");
        }
        append_option(o, out);
    }
    return out;
}

} // namespace jsonheal::cli

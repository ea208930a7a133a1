// An object of arguments to the words of a command line.

#include "ascii.hpp"
#include "command_words.hpp"
#include "writer.hpp"

#include <jsonheal/args_command_line.hpp>
#include <jsonheal/document.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace jsonheal {

namespace {

using namespace args_detail;

// Members of the object that are no flags.
constexpr std::string_view structure[] = {"cmd", "argv", "args", "flags", "positional", "_"};

bool is_structure(std::string_view key) noexcept {
    return std::find(std::begin(structure), std::end(structure), key) != std::end(structure);
}

std::string compacted(value_view v) {
    std::string out;
    write(v, {.layout = layout::compact, .indent = 0, .escapes = {}}, out);
    return out;
}

std::string word_of(value_view v) { return v.is(value_kind::string) ? v.string() : compacted(v); }

class argv_builder {
public:
    explicit argv_builder(const args_options& options) noexcept : options_(options) {}

    word_list run(value_view root) {
        if (root.is(value_kind::array)) {
            list(root);
        } else if (root.is(value_kind::object)) {
            object(root);
        } else {
            out_.error = "neither an object nor a list of words";
        }
        if (!out_.ok()) { out_.list.clear(); }
        return std::move(out_);
    }

private:
    void list(value_view v) {
        for (const value_view one : v.elements()) {
            if (!one.is(value_kind::string) && !one.is(value_kind::number)) {
                out_.error = "a list of words has an element that is no word";
                out_.offset = one.begin();
                return;
            }
            out_.list.push_back(word_of(one));
        }
    }

    void object(value_view root) {
        const auto cmd = root.find("cmd");
        const auto argv = root.find("argv");
        const bool has_cmd = cmd && cmd->is(value_kind::string) && !cmd->string_is("");
        const bool has_argv = argv && argv->is(value_kind::array) && argv->size() != 0;
        if (!has_cmd && !has_argv) {
            out_.list.push_back(compacted(root));
            return;
        }
        if (has_cmd) { out_.list.push_back(cmd->string()); }
        if (has_argv) {
            const std::size_t first = out_.list.size();
            list(*argv);
            if (out_.ok() && has_cmd && out_.list[first] == out_.list[0]) {
                out_.list.erase(out_.list.begin()); // named in both
            }
            return;
        }
        for (const member m : root.members()) { top_member(root, m); }
        for (const std::string_view key : {"positional", "_"}) { positional(root, key); }
    }

    void top_member(value_view root, const member& m) {
        const std::string key = m.key.string();
        if (key == "args" || key == "flags") {
            nested(m.value);
        } else if (!is_structure(key) && !overridden(root, key)) {
            flag(key, m.value);
        }
    }

    /// `args` and `flags` say it again, and they count.
    static bool overridden(value_view root, std::string_view key) {
        for (const std::string_view inner : {"args", "flags"}) {
            const auto v = root.find(inner);
            if (v && v->is(value_kind::object) && v->find(key)) { return true; }
        }
        return false;
    }

    void nested(value_view v) {
        if (v.is(value_kind::object)) {
            for (const member m : v.members()) {
                const std::string key = m.key.string();
                if (key != "positional" && key != "_") { flag(key, m.value); }
            }
            for (const std::string_view key : {"positional", "_"}) { positional(v, key); }
        } else if (v.is(value_kind::array)) {
            list(v);
        } else if (v.is(value_kind::string)) {
            text(v.string());
        } else if (!v.is(value_kind::null)) {
            out_.list.push_back(compacted(v));
        }
    }

    /// `args` as a string: JSON that was encoded twice, a command line of its own, or the value of the command's field.
    void text(const std::string& value) {
        const std::string_view t = trimmed(value);
        if (t.empty()) { return; }
        if (t.front() == '{' || t.front() == '[') {
            const healing h = heal(t, options_.engine);
            const parse_result inner =
                h.ok() ? document::parse(std::string(h.json())) : parse_result{{}, parse_error{}};
            if (inner && !inner.value.root().is(value_kind::string)) { return nested(inner.value.root()); }
        }
        const tool_catalogue& tools =
            options_.tools != nullptr ? *options_.tools : tool_catalogue::standard();
        const tool_spec* command = tools.find(out_.list.front());
        const bool flags = t.front() == '-' || (command != nullptr && !command->is_shell() && has_flag(t));
        if (flags || command == nullptr || command->field.empty()) {
            split_line split = split_words(t);
            out_.error = split.error;
            out_.offset = split.offset;
            for (command_word& w : split.words) { out_.list.push_back(std::move(w.text)); }
            return;
        }
        out_.list.push_back("--" + command->field);
        out_.list.push_back(value);
    }

    void positional(value_view object, std::string_view key) {
        const auto v = object.find(key);
        if (!v) { return; }
        if (v->is(value_kind::array)) {
            list(*v);
        } else if (!v->is(value_kind::null)) {
            out_.list.push_back(word_of(*v));
        }
    }

    void flag(std::string_view key, value_view v) {
        std::string name(key == "command" ? "cmd" : key);
        if (!name.starts_with('-')) { name.insert(0, "--"); }
        if (v.is(value_kind::array)) {
            for (const value_view one : v.elements()) { one_flag(name, one); }
        } else {
            one_flag(name, v);
        }
    }

    void one_flag(const std::string& name, value_view v) {
        if (v.is(value_kind::null) || (v.is(value_kind::boolean) && !v.boolean())) { return; }
        out_.list.push_back(name);
        if (!v.is(value_kind::boolean)) { out_.list.push_back(word_of(v)); }
    }

    const args_options& options_;
    word_list out_;
};

word_list no_words(std::string_view error, std::size_t offset) {
    word_list out;
    out.error = error;
    out.offset = offset;
    return out;
}

} // namespace

word_list to_argv(std::string_view json, const args_options& options) {
    const parse_result parsed = document::parse_borrowed(json);
    if (!parsed) { return no_words(parsed.error->message, parsed.error->offset); }
    return argv_builder(options).run(parsed.value.root());
}

word_list read_argv(std::string_view tool, std::string_view raw, const args_options& options) {
    const std::string_view t = trimmed(raw);
    if (t.starts_with('[')) {
        const healing h = heal(t, options.engine);
        if (h.ok() && h.json()[skip_blanks(h.json(), 0)] == '[') { return to_argv(h.json(), options); }
    }
    const arguments a = normalize_args(tool, raw, options);
    if (a.several()) { return no_words("several different objects", 0); }
    if (a.ok() && !a.how.has(args_step::bare_value)) { return to_argv(a.json(), options); }
    if (a.ok() || a.passthrough) { return split_command_line(a.passthrough ? a.text() : raw); }
    return no_words(a.why.message, a.why.offset);
}

} // namespace jsonheal

// An object of arguments to the words of a command line.

#include "ascii.hpp"
#include "command_words.hpp"
#include "writer.hpp"

#include <jsonheal/args_command_line.hpp>
#include <jsonheal/document.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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
        merge();
        if (!out_.ok()) { out_.list.clear(); }
        return std::move(out_);
    }

private:
    /// A flag with its values; without a name, words that are no flag's.
    struct item {
        std::string name;
        std::vector<std::string> words;
        int rank = 0; ///< `flags` counts before `args`, and that before the object itself
    };

    /// Of a flag that was given several times the highest and last counts: `{"args":{"a":1},"flags":{"a":2}}` → --a 2
    void merge() {
        std::unordered_map<std::string_view, const item*> best;
        for (const item& one : items_) {
            const item*& b = best[one.name];
            if (b == nullptr || one.rank >= b->rank) { b = &one; }
        }
        for (item& one : items_) {
            if (!one.name.empty() && best[one.name] != &one) { continue; }
            for (std::string& w : one.words) { out_.list.push_back(std::move(w)); }
        }
    }

    void word(std::string w) { items_.push_back({{}, {std::move(w)}, 0}); }

    void list(value_view v) {
        for (const value_view one : v.elements()) {
            if (!one.is(value_kind::string) && !one.is(value_kind::number)) {
                out_.error = "a list of words has an element that is no word";
                out_.offset = one.begin();
                return;
            }
            word(word_of(one));
        }
    }

    void object(value_view root) {
        const auto argv = root.find("argv");
        auto cmd = root.find("cmd");
        if (!cmd && !argv && (root.find("args") || root.find("flags"))) {
            cmd = root.find("command"); // {"command":"read","args":{…}}
            renamed_ = true;
        }
        const bool has_cmd = cmd && cmd->is(value_kind::string) && !cmd->string_is("");
        const bool has_argv = argv && argv->is(value_kind::array) && argv->size() != 0;
        if (!has_cmd && !has_argv) {
            word(compacted(root));
            return;
        }
        if (has_cmd) {
            command_ = cmd->string();
            word(command_);
        }
        if (has_argv) {
            list(*argv);
            if (out_.ok() && has_cmd && items_[1].words == items_[0].words) {
                items_.erase(items_.begin()); // named in both
            }
            return;
        }
        for (const member m : root.members()) { top_member(m); }
        for (const std::string_view key : {"positional", "_"}) { positional(root, key); }
    }

    void top_member(const member& m) {
        const std::string key = m.key.string();
        if (key == "args" || key == "flags") {
            rank_ = key == "args" ? 1 : 2;
            nested(m.value);
            rank_ = 0;
        } else if (!is_structure(key) && !(renamed_ && key == "command")) {
            flag(key, m.value);
        }
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
            word(compacted(v));
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
        const tool_spec* command = tools.find(command_);
        const bool flags = t.front() == '-' || (command != nullptr && !command->is_shell() && has_flag(t));
        if (flags || command == nullptr || command->field.empty()) {
            split_line split = split_words(t);
            out_.error = split.error;
            out_.offset = split.offset;
            for (command_word& w : split.words) { word(std::move(w.text)); }
            return;
        }
        items_.push_back({"--" + command->field, {"--" + command->field, value}, rank_});
    }

    void positional(value_view object, std::string_view key) {
        const auto v = object.find(key);
        if (!v) { return; }
        if (v->is(value_kind::array)) {
            list(*v);
        } else if (!v->is(value_kind::null)) {
            word(word_of(*v));
        }
    }

    void flag(std::string_view key, value_view v) {
        std::string name(key == "command" ? "cmd" : key);
        if (!name.starts_with('-')) { name.insert(0, "--"); }
        item one{name, {}, rank_};
        if (v.is(value_kind::array)) {
            for (const value_view element : v.elements()) { one_flag(one, element); }
        } else {
            one_flag(one, v);
        }
        items_.push_back(std::move(one));
    }

    static void one_flag(item& to, value_view v) {
        if (v.is(value_kind::null) || (v.is(value_kind::boolean) && !v.boolean())) { return; }
        to.words.push_back(to.name);
        if (!v.is(value_kind::boolean)) { to.words.push_back(word_of(v)); }
    }

    const args_options& options_;
    std::vector<item> items_;
    std::string command_;
    int rank_ = 0;         // of what is being read
    bool renamed_ = false; // the command stood under `command`
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
    const auto marked = [](word_list words, cut_place cut, risk r) {
        words.cut = cut;
        words.risk = r;
        return words;
    };
    if (t.starts_with('[')) {
        const healing h = heal(t, options.engine);
        if (h.ok() && h.json()[skip_blanks(h.json(), 0)] == '[') {
            return marked(to_argv(h.json(), options), h.cut, h.risk);
        }
    }
    const arguments a = normalize_args(tool, raw, options);
    if (a.several()) { return no_words("several different objects", 0); }
    if (a.ok() && a.how.has(args_step::empty)) { // nothing, null; but '' is a word
        return t.starts_with('"') || t.starts_with('\'') ? split_command_line(t) : word_list();
    }
    if (a.ok() && !a.how.has(args_step::bare_value)) {
        return marked(to_argv(a.json(), options), a.cut, a.risk);
    }
    if (a.ok() || a.passthrough) { // without the fence or the tokens around it
        const std::string_view line = a.passthrough ? a.text() : raw;
        return split_command_line(bare_core(line, nullptr).of(line));
    }
    return no_words(a.why.message, a.why.offset);
}

} // namespace jsonheal

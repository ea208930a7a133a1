// A command line to an object.

#include "ascii.hpp"
#include "command_words.hpp"
#include "writer.hpp"

#include <jsonheal/args_command_line.hpp>
#include <jsonheal/document.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace jsonheal {

namespace {

using namespace args_detail;

/// --file, -f; not -5, not "- item".
bool is_flag(const command_word& w) noexcept {
    if (w.quoted || w.text.size() < 2 || w.text[0] != '-') { return false; }
    if (w.text[1] == '-') { return w.text.size() > 2 && (is_letter(w.text[2]) || w.text[2] == '_'); }
    return is_letter(w.text[1]) &&
           (w.text.size() == 2 || w.text.find('=') != std::string::npos ||
            std::all_of(w.text.begin() + 1, w.text.end(), [](char c) { return is_letter(c); }));
}

/// The values of one flag, in order; none: it stands alone.
struct flag {
    std::string name;
    std::vector<std::string> values;
    std::size_t count = 0;
};

class line_reader {
public:
    line_reader(std::string_view line, std::vector<command_word> all) : line_(line), words_(std::move(all)) {}

    void read(std::string_view tool, const tool_catalogue& tools) {
        std::size_t i = 0;
        if (!words_.empty() && !is_flag(words_[0])) {
            cmd_ = words_[0].text;
            i = 1;
        }
        const tool_spec* by_cmd = cmd_ ? tools.find(*cmd_) : nullptr;
        const tool_spec* spec = cmd_ ? by_cmd : tools.find(tool);
        if (by_cmd != nullptr && by_cmd->is_shell() && i < words_.size() && !is_flag(words_[i])) {
            // exec ls -la: all of it is the command, as written
            set(by_cmd->field, std::string(trimmed(line_.substr(words_[i].begin))));
            return;
        }
        bool flags = true;
        for (; i < words_.size(); ++i) {
            if (flags && words_[i].text == "--" && !words_[i].quoted) {
                flags = false;
            } else if (flags && is_flag(words_[i])) {
                i = take_flag(i);
            } else {
                positional_.push_back(words_[i].text);
            }
        }
        if (spec != nullptr && !spec->field.empty() && positional_.size() == 1 &&
            find(spec->field) == nullptr) {
            set(spec->field, std::move(positional_.front()));
            positional_.clear();
        }
    }

    [[nodiscard]] document build() const {
        document_builder b;
        b.begin_object();
        if (cmd_) { b.key("cmd").string(*cmd_).key("args").begin_object(); }
        for (const flag& f : flags_) {
            b.key(f.name);
            if (f.count == 1 && f.values.size() == 1) {
                b.string(f.values.front());
            } else if (f.values.empty()) {
                b.boolean(true);
            } else {
                b.begin_array();
                for (const std::string& v : f.values) { b.string(v); }
                b.end_array();
            }
        }
        if (cmd_) { b.end_object(); }
        if (!positional_.empty()) {
            b.key("positional").begin_array();
            for (const std::string& v : positional_) { b.string(v); }
            b.end_array();
        }
        b.end_object();
        return b.finish();
    }

private:
    /// Returns the index of the last word that belongs to the flag.
    std::size_t take_flag(std::size_t i) {
        std::string_view name = words_[i].text;
        name.remove_prefix(name.starts_with("--") ? 2 : 1);
        const std::size_t equals = name.find('=');
        flag& f = flag_of(name.substr(0, equals));
        ++f.count;
        if (equals != std::string_view::npos) {
            f.values.emplace_back(name.substr(equals + 1));
        } else if (i + 1 < words_.size() && !is_flag(words_[i + 1]) &&
                   (words_[i + 1].text != "--" || words_[i + 1].quoted)) {
            f.values.push_back(words_[++i].text);
        }
        return i;
    }

    [[nodiscard]] const flag* find(std::string_view name) const noexcept {
        const auto found =
            std::find_if(flags_.begin(), flags_.end(), [&](const flag& f) { return f.name == name; });
        return found != flags_.end() ? &*found : nullptr;
    }
    flag& flag_of(std::string_view name) {
        const auto found =
            std::find_if(flags_.begin(), flags_.end(), [&](const flag& f) { return f.name == name; });
        if (found != flags_.end()) { return *found; }
        flags_.push_back({std::string(name), {}, 0});
        return flags_.back();
    }
    void set(std::string_view name, std::string value) {
        flag& f = flag_of(name);
        f.count = 1;
        f.values.push_back(std::move(value));
    }

    std::string_view line_;
    std::vector<command_word> words_;
    std::optional<std::string> cmd_;
    std::vector<flag> flags_;
    std::vector<std::string> positional_;
};

} // namespace

arguments read_fields(std::string_view text, std::string_view tool, const args_options& options) {
    arguments out;
    split_line split = split_words(text);
    if (!split.error.empty()) {
        out.why = {split.error, split.offset, false, {}};
        return out;
    }
    if (split.words.empty()) {
        out.why = {"there are no words", 0, false, {}};
        return out;
    }
    line_reader reader(text, std::move(split.words));
    reader.read(tool, options.tools != nullptr ? *options.tools : tool_catalogue::standard());
    return args_writer::built(std::string(reader.build().text()));
}

} // namespace jsonheal

/// @file render.hpp
/// Plans to text: what is unchanged is copied as it stands, blanks and all.
#pragma once

#include <jsonheal/align.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::align_detail {

class solver;
struct state;
struct plan;
struct shape;

/// Writes the outcome of one plan, and if asked its changes. For one use.
class renderer {
public:
    explicit renderer(solver& plans) : plans_(plans) {}

    /// Appends the outcome for the value of `s` under `p`. With `log` also records what was changed. O(outcome + plans).
    void write(const state& s, const plan& p, std::string& out, alignment* log = nullptr);

private:
    struct task {
        enum class kind : std::uint8_t {
            text,     ///< append `text`, a part of some source
            owned,    ///< append `made[number]`
            value,    ///< the value of state `number`
            down,     ///< the pointer goes on with `made[number]`
            up,       ///< the pointer goes back to `number` bytes
            note,     ///< record `notes[number]`
            span,     ///< changes are about these bytes from here on
            span_back ///< no more
        };
        kind what;
        std::uint32_t number = 0;
        std::string_view text;
    };

    void put(task::kind what, std::uint32_t number = 0, std::string_view text = {}) {
        next_.push_back({what, number, text});
    }
    void put_owned(std::string text);
    void run(const task& t, std::string& out);
    void value(const state& s, const plan& p, std::string& out);
    void object(const state& s, const plan& p);
    void array(const state& s, const plan& p);
    void inner(const state& s, const plan& p);
    void choice(const plan& p);
    void note(change c, std::size_t begin, std::size_t end);
    /// Puts the value of a state below a reference token.
    void below(std::string_view token, std::uint32_t child);

    solver& plans_;
    alignment* log_ = nullptr;
    std::vector<task> todo_;
    std::vector<task> next_; ///< of the value at hand, in their order
    std::vector<std::string> made_;
    std::vector<change> notes_;
    std::string pointer_;
    std::vector<std::pair<std::size_t, std::size_t>> spans_; ///< of strings that hold the value at hand
};

} // namespace jsonheal::align_detail

/// @file regex.cpp
/// The engines behind `regex`.

#include "regex.hpp"

#include "automaton.hpp"
#include "patterns.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <re2/re2.h>

#include <algorithm>
#include <atomic>
#include <pcre2.h>

namespace jsonheal::schema::detail {

namespace {

/// What the engines are asked about: the string itself, or a copy without lone surrogates.
class readable {
public:
    explicit readable(std::string_view wtf8) : text_(wtf8) {
        if (!has_surrogate(wtf8)) { return; }
        hidden_ = hide_surrogates(wtf8);
        text_ = hidden_;
    }
    [[nodiscard]] std::string_view text() const noexcept { return text_; }

private:
    std::string hidden_;
    std::string_view text_;
};

class linear_regex final : public regex {
public:
    linear_regex(std::string_view source, const std::string& text, std::uint32_t memory)
        : regex(source), engine_(text, options(memory)) {}

    [[nodiscard]] bool ok() const { return engine_.ok(); }
    [[nodiscard]] std::string error() const { return engine_.error(); }

    [[nodiscard]] match find_in(std::string_view wtf8, std::uint64_t&) const override {
        const readable r(wtf8);
        const re2::StringPiece text(r.text().data(), r.text().size());
        return engine_.Match(text, 0, text.size(), RE2::UNANCHORED, nullptr, 0) ? match::yes : match::no;
    }
    [[nodiscard]] std::string_view engine() const noexcept override { return "linear"; }

private:
    static RE2::Options options(std::uint32_t memory) {
        RE2::Options o;
        o.set_log_errors(false);
        o.set_never_capture(true);
        o.set_max_mem(memory);
        return o;
    }
    RE2 engine_;
};

struct code_deleter {
    void operator()(pcre2_code* code) const noexcept { pcre2_code_free(code); }
};
struct match_data_deleter {
    void operator()(pcre2_match_data* data) const noexcept { pcre2_match_data_free(data); }
};
struct match_context_deleter {
    void operator()(pcre2_match_context* context) const noexcept { pcre2_match_context_free(context); }
};

/// What a match works in. Making it costs more than most matches, so one is kept for the next.
struct workspace {
    std::unique_ptr<pcre2_match_data, match_data_deleter> data{pcre2_match_data_create(1, nullptr)};
    std::unique_ptr<pcre2_match_context, match_context_deleter> context{pcre2_match_context_create(nullptr)};
};

class backtracking_regex final : public regex {
public:
    backtracking_regex(std::string_view source, std::string_view text, std::uint32_t memory)
        : regex(source), memory_(memory) {
        int number = 0;
        PCRE2_SIZE offset = 0;
        // ECMA-262: a reference to a group that took no part matches the empty string.
        constexpr std::uint32_t flags =
            PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF;
        code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), flags, &number,
                                  &offset, nullptr));
        if (!code_) {
            PCRE2_UCHAR message[160] = {};
            pcre2_get_error_message(number, message, sizeof message);
            error_ = reinterpret_cast<const char*>(message);
            return;
        }
        // Where the system has no memory for machine code, matching is interpreted, with the same answers.
        (void)pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);
        std::uint32_t options = 0;
        pcre2_pattern_info(code_.get(), PCRE2_INFO_ALLOPTIONS, &options);
        anchored_ = (options & PCRE2_ANCHORED) != 0;
    }

    ~backtracking_regex() override { delete idle_.load(); }

    [[nodiscard]] bool ok() const { return code_ != nullptr; }
    [[nodiscard]] const std::string& error() const { return error_; }

    /// The engine counts steps from each place where a match may begin, and does not say how many it took. So a small
    /// allowance is tried first and, where it does not do, ten times as much.
    [[nodiscard]] match find_in(std::string_view wtf8, std::uint64_t& budget) const override {
        const readable r(wtf8);
        const std::uint64_t starts = anchored_ ? 1 : r.text().size() + 1;
        for (std::uint64_t allowance = 10'000;; allowance *= 10) {
            const std::uint64_t cost = allowance * starts;
            const std::uint64_t most = std::min(budget, most_steps / 10);
            // The first allowance may be cut short for a long text, but never to nothing.
            const bool last = cost >= most;
            const std::uint64_t steps =
                last ? std::max<std::uint64_t>(most / starts, budget == 0 ? 0 : 100) : allowance;
            if (steps == 0) { return match::limit; }
            const match m = attempt(r.text(), static_cast<std::uint32_t>(steps));
            budget -= std::min(budget, steps * starts);
            if (m != match::limit || last) { return m; }
        }
    }
    [[nodiscard]] std::string_view engine() const noexcept override { return "backtracking"; }

private:
    [[nodiscard]] match attempt(std::string_view text, std::uint32_t steps) const {
        std::unique_ptr<workspace> w(idle_.exchange(nullptr));
        if (!w) { w = std::make_unique<workspace>(); }
        if (!w->data || !w->context) { return match::limit; }
        pcre2_set_match_limit(w->context.get(), steps);
        pcre2_set_heap_limit(w->context.get(), memory_ / 1024);
        const auto run = [&](std::uint32_t more) {
            return pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0,
                               PCRE2_NO_UTF_CHECK | more, w->data.get(), w->context.get());
        };
        int found = run(0);
        if (found == PCRE2_ERROR_JIT_STACKLIMIT) { found = run(PCRE2_NO_JIT); } // that one has the heap
        w.reset(idle_.exchange(w.release()));
        if (found >= 0) { return match::yes; }
        return found == PCRE2_ERROR_NOMATCH ? match::no : match::limit;
    }

    std::unique_ptr<pcre2_code, code_deleter> code_;
    mutable std::atomic<workspace*> idle_{nullptr};
    std::uint32_t memory_;
    bool anchored_ = false;
    std::string error_;
};

/// `^[a-z_]+$` and the like: one class, repeated, over the whole string; in the schemas of this world most patterns are.
class plain_regex final : public regex {
public:
    plain_regex(std::string_view source, const plain_pattern& p) : regex(source), plain_(p) {}

    [[nodiscard]] match find_in(std::string_view wtf8, std::uint64_t&) const override {
        std::size_t count = 0;
        for (std::size_t i = 0; i != wtf8.size(); ++i) {
            const auto byte = static_cast<unsigned char>(wtf8[i]);
            if (byte >= 0x80 ? !plain_.beyond_ascii : !plain_.ascii[byte]) { return match::no; }
            if (byte == 0xE2 && plain_.no_separators && is_separator(wtf8.substr(i, 3))) { return match::no; }
            if ((byte & 0xC0) != 0x80) { ++count; }
        }
        return count >= plain_.least && count <= plain_.most ? match::yes : match::no;
    }
    [[nodiscard]] std::string_view engine() const noexcept override { return "plain"; }

private:
    static bool is_separator(std::string_view c) noexcept {
        return c == "\xE2\x80\xA8" || c == "\xE2\x80\xA9";
    }
    plain_pattern plain_;
};

class automaton_regex final : public regex {
public:
    automaton_regex(std::string_view source, automaton a) : regex(source), automaton_(std::move(a)) {}
    [[nodiscard]] match find_in(std::string_view wtf8, std::uint64_t&) const override {
        return automaton_.matches(wtf8) ? match::yes : match::no;
    }
    [[nodiscard]] std::string_view engine() const noexcept override { return "automaton"; }

private:
    automaton automaton_;
};

/// `^x-`
class prefix_regex final : public regex {
public:
    prefix_regex(std::string_view source, std::string prefix) : regex(source), prefix_(std::move(prefix)) {}
    [[nodiscard]] match find_in(std::string_view wtf8, std::uint64_t&) const override {
        return wtf8.starts_with(prefix_) ? match::yes : match::no;
    }
    [[nodiscard]] std::string_view engine() const noexcept override { return "prefix"; }

private:
    std::string prefix_;
};

} // namespace

regex_result regex::make(std::string_view pattern, std::uint32_t memory) {
    const translation t = translate_pattern(pattern);
    if (!t.error.empty()) { return {nullptr, t.error}; }
    if (t.plain) { return {std::make_shared<plain_regex>(pattern, *t.plain), {}}; }
    if (t.prefix) { return {std::make_shared<prefix_regex>(pattern, *t.prefix), {}}; }
    if (std::optional<automaton> a = automaton::make(t.text, memory)) {
        return {std::make_shared<automaton_regex>(pattern, std::move(*a)), {}};
    }
    if (!t.needs_backtracking) {
        auto made = std::make_shared<linear_regex>(pattern, t.text, memory);
        if (made->ok()) { return {std::move(made), {}}; }
    }
    auto made = std::make_shared<backtracking_regex>(pattern, t.text, memory);
    if (made->ok()) { return {std::move(made), {}}; }
    return {nullptr, made->error()};
}

} // namespace jsonheal::schema::detail

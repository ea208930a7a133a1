// What a stream keeps between two chunks: it hears of everything that settles from the reader of the healed text, and tells
// the document, the checker of the schema and the caller's handler.
#pragma once

#include "aligner.hpp"
#include "fit.hpp"
#include "show.hpp"

#include <jsonheal/align.hpp>
#include <jsonheal/document_prefix.hpp>
#include <jsonheal/stream.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

struct stream_state : prefix_sink {
    explicit stream_state(stream_options given);
    stream_state(const stream_state&) = delete;
    stream_state& operator=(const stream_state&) = delete;

    // ---- from the reader
    void value_begins(char first, std::size_t at);
    void value_run(std::string_view bytes);
    void value_ends(std::size_t end);
    void key_begins(std::size_t at);
    void key_run(std::string_view bytes);
    void key_ends(std::size_t end);

    void feed(std::string_view chunk);
    void take(std::string_view settled, bool token_ended);
    void catch_up();
    [[nodiscard]] healing finish();
    void reset();
    void require_open(const char* message) const;

    [[nodiscard]] bool keeps_text() const noexcept { return options.sink != stream_sink::document; }
    [[nodiscard]] bool keeps_document() const noexcept { return options.sink != stream_sink::text; }
    /// Where the text that is shown ends, and how many containers are open there.
    struct cut {
        std::size_t at;
        std::size_t depth;
        bool in_string;
    };
    [[nodiscard]] cut shown() const;
    [[nodiscard]] std::size_t handed_to() const noexcept;
    [[nodiscard]] std::string tail(const cut& c) const;
    std::optional<value_view> view();
    [[nodiscard]] std::string text_with_states();
    [[nodiscard]] bool complete(std::uint32_t index) const noexcept;

    stream_options options;
    stream_detail::show_table show;
    std::unique_ptr<expectation> expected; ///< of the schema that values are aligned to
    healer engine;
    prefix_reader<stream_state> reader{*this};
    std::optional<stream_detail::fit_checker> fit;
    std::optional<schema::validation> validation;
    std::optional<stream_detail::value_aligner> aligner;
    std::optional<alignment> aligned; ///< of the whole value
    bool finished = false;

private:
    static constexpr std::uint32_t no_node = 0xFFFF'FFFFu;

    /// A value that has begun and not ended: the containers on the path, and perhaps a scalar in the last of them.
    struct open_value {
        value_kind kind = value_kind::null;
        std::size_t begin = 0;        ///< byte of the healed text
        std::size_t before = 0;       ///< where the text ended that could be shown without it
        std::uint32_t node = no_node; ///< in the tape
        std::size_t parts = 0;
        std::uint64_t wanted = 0; ///< `not_null` rules whose member has not come
        bool when_done = false;
        bool few = false; ///< a string that must be one of a few
        bool state = false;
        bool item = false;
        [[nodiscard]] bool hidden() const noexcept { return when_done || few || wanted != 0; }
    };

    void show_text(std::string_view text, bool token_ended);
    [[nodiscard]] bool decides_at_end() const noexcept {
        return options.align && options.schema && options.heal.preset == preset::whole;
    }
    [[nodiscard]] healing finish_at_end();
    void step_into(std::size_t at);
    void apply_rules(open_value& v);
    void add_node(const open_value& v, std::size_t end);
    void close_node(const open_value& v, std::size_t end);
    void report(event_kind kind, const open_value& v, std::string_view text, std::size_t end);
    void piece(std::string_view bytes);
    void send_piece(std::size_t bytes);
    void unpatch();

    stream_place place_;
    std::vector<open_value> open_;
    std::string key_; ///< the key that was read last, as it is spelled, without quotes
    std::size_t key_begin_ = 0, key_end_ = 0;
    std::string scalar_; ///< the scalar that is open, as it is spelled, without quotes
    bool scalar_cut_ = false;
    std::string piece_;   ///< content of it that was not sent yet
    std::string scratch_; ///< WTF-8

    std::string shown_; ///< what the aligner has just given
    std::string input_; ///< all of it, where only the end decides which value is meant

    // The text for `drain`: from byte drained_ of the healed text on.
    friend class stream;
    std::string out_;
    std::size_t out_base_ = 0, taken_ = 0;

    // The document: the tape's text is doc_text_; while it is shown, up to a cut and with closers.
    document_detail::tape tape_;
    std::string doc_text_, cut_off_;
    bool patched_ = false;
    std::size_t patched_size_ = 0;           ///< bytes of the text that are healed text
    std::uint32_t fewer_children_ = no_node; ///< a container whose count leaves out a hidden part
    struct mark {
        std::size_t at;
        bool begins;
    };
    std::vector<mark> marks_; ///< values with a state, in order of position
};

} // namespace jsonheal

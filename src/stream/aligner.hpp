// Aligns the scalars of a healed text as it settles, before anybody sees them.
//
// Certain is a scalar whose place leads through plain objects and lists of one kind only, so that one subschema speaks of
// it whatever follows. All else goes on as it is and is left to the alignment of the whole value at the end.
#pragma once

#include <jsonheal/align.hpp>
#include <jsonheal/document_prefix.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jsonheal::stream_detail {

class value_aligner : public prefix_sink {
public:
    value_aligner(const schema::program& program, const align_options& options);
    value_aligner(const value_aligner&) = delete;
    value_aligner& operator=(const value_aligner&) = delete;

    void reset();
    /// More of the healed text; appends what can be shown. `token_ended`: a number or literal at its end is whole.
    void read(std::string_view settled, bool token_ended, std::string& shown);
    /// Nothing follows: appends what was held.
    void finish(std::string& shown);
    /// The last thing that was shown is a scalar that is known to be whole.
    [[nodiscard]] bool shown_is_whole() const noexcept { return whole_; }
    /// All that was read.
    [[nodiscard]] const std::string& healed() const noexcept { return healed_; }
    /// Forgets the text and hands it over.
    [[nodiscard]] std::string take_healed() noexcept { return std::move(healed_); }

    // ---- from the reader
    void value_begins(char first, std::size_t at);
    void value_ends(std::size_t end);
    void key_begins(std::size_t at) { key_begin_ = at; }
    void key_ends(std::size_t end);

private:
    using node = std::optional<schema::node_view>;

    /// What is asked of a subschema, looked up once.
    struct facts {
        node target;              ///< the subschema itself, references followed
        bool plain = false;       ///< says nothing of its parts but by `properties`, `items` and the like
        kind_set kinds;           ///< that it wants
        bool text_fits = false;   ///< a string fits whatever it holds, as far as kinds and values go
        bool closed_keys = false; ///< other members than the named ones may be misspelled ones
    };
    struct level {
        value_kind kind;
        node part;             ///< nothing: what stands inside is not certain
        std::size_t index = 0; ///< of the element that comes next
    };

    [[nodiscard]] const facts& facts_of(const schema::node_view& n);
    [[nodiscard]] bool takes_any_text(const schema::node_view& n, std::size_t& budget) const;
    [[nodiscard]] node part_node();
    [[nodiscard]] std::string aligned(std::string_view source) const;
    void show(std::size_t end);

    schema::program program_;
    align_options options_;
    prefix_reader<value_aligner> reader_{*this};
    std::unordered_map<std::uint32_t, facts> facts_;
    std::vector<level> levels_;
    std::string healed_, key_;
    std::size_t key_begin_ = 0;
    std::size_t shown_to_ = 0; ///< byte of the healed text
    node scalar_;              ///< subschema of the scalar that is held
    std::size_t held_from_ = 0;
    bool holds_ = false, whole_ = false;
    std::string* out_ = nullptr;
};

} // namespace jsonheal::stream_detail

/// @file document.hpp
/// Strict JSON (RFC 8259) as an owned, immutable document that forgets nothing of its text.
///
/// The healed text is read here once and then looked at by everything that comes after: schemas, alignment,
/// tool calls. So a document keeps what a value tree loses: numbers as they were spelled, repeated keys, the
/// order of members, lone surrogate escapes (`"\ud800"`), and the byte range of every value.
///
/// Units are bytes throughout. Strings given and returned are WTF-8: UTF-8 in which a lone surrogate, which
/// JSON can escape but UTF-8 cannot hold, is its three-byte encoding (https://simonsapin.github.io/wtf-8/).
/// Nothing in this module recurses: depth costs heap, never stack.
///
/// @code
/// auto parsed = jsonheal::document::parse(R"({"a": [1, 2.50]})");
/// assert(parsed);
/// auto a = parsed.value.root().find("a");
/// assert(a && a->size() == 2 && a->at(1).source() == "2.50" && a->at(1).begin() == 10);
/// @endcode
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// The six kinds of RFC 8259 section 3.
enum class value_kind : std::uint8_t { null, boolean, number, string, array, object };

/// `null`, `boolean`, `number`, `string`, `array`, `object`. Static storage.
[[nodiscard]] std::string_view name(value_kind k) noexcept;

/// Why a text is not strict JSON. `message` is static text, a clause without a full stop.
struct parse_error {
    std::string_view message;
    std::size_t offset = 0; ///< the byte at which the text stopped being JSON
};

/// Bounds on what is parsed. Passing one is a `parse_error`.
struct document_limits {
    std::uint64_t bytes = 0xFFFF'FFFEull; ///< length of the text (offsets are 32 bits wide)
    std::uint32_t depth = 1'000'000;      ///< open brackets at once
};

namespace document_detail {

/// One entry of the tape: a value, or the key before a member's value. 16 bytes.
///
/// `[1,{"a":2}]` is  0 array next=5 | 1 number | 2 object next=5 | 3 key "a" | 4 number
struct node {
    std::uint32_t begin = 0; ///< first byte of the source text
    std::uint32_t end = 0;   ///< one past its last byte
    std::uint32_t next = 0;  ///< entry after this value and all inside it; the parent while it is still open
    std::uint32_t bits = 0;  ///< kind (3 bits), `has_escape` (1 bit), children (28 bits, saturating)

    static constexpr std::uint32_t kind_mask = 7;
    static constexpr std::uint32_t has_escape = 8;
    static constexpr std::uint32_t one_child = 16;
    static constexpr std::uint32_t most_children = 0xFFFF'FFF0u;

    [[nodiscard]] value_kind kind() const noexcept { return static_cast<value_kind>(bits & kind_mask); }
};
static_assert(sizeof(node) == 16);

struct tape {
    std::string owned;
    std::string_view text; ///< `owned`, or the caller's bytes
    std::vector<node> nodes;
};

} // namespace document_detail

class element_range;
class member_range;

/// One value of a document: a pointer and an index, cheap to copy.
///
/// Valid as long as any copy of the document lives (moving the document does not matter). Members that say
/// "@pre kind" must not be called on another kind.
class value_view {
public:
    value_view(const document_detail::tape& t, std::uint32_t index) noexcept : tape_(&t), index_(index) {}

    [[nodiscard]] value_kind kind() const noexcept { return node().kind(); }
    [[nodiscard]] bool is(value_kind k) const noexcept { return kind() == k; }

    /// The value exactly as it stands in the text, quotes and brackets included.
    [[nodiscard]] std::string_view source() const noexcept {
        return tape_->text.substr(node().begin, node().end - node().begin);
    }
    /// Byte range of `source()` in the document's text.
    [[nodiscard]] std::size_t begin() const noexcept { return node().begin; }
    [[nodiscard]] std::size_t end() const noexcept { return node().end; }

    /// @pre boolean. O(1).
    [[nodiscard]] bool boolean() const noexcept { return tape_->text[node().begin] == 't'; }

    /// @pre number. The nearest double, ties to even; infinite beyond the range, zero below it. O(length).
    [[nodiscard]] double number() const;
    /// @pre number. The value, if it is a whole number that fits: `1`, `1.0` and `10e-1` are 1. O(length).
    [[nodiscard]] std::optional<std::int64_t> int64() const noexcept;
    /// @pre number. True if the value is a whole number of any size (JSON Schema's `integer`). O(length).
    [[nodiscard]] bool is_integer() const noexcept;

    /// @pre string. Decoded to WTF-8. Borrows the document's text where nothing is escaped, else fills
    /// `scratch` and borrows that. O(length).
    [[nodiscard]] std::string_view string(std::string& scratch) const;
    /// @pre string. Decoded to WTF-8, owned. O(length).
    [[nodiscard]] std::string string() const;
    /// @pre string. Whether the decoded string is `wtf8`; decodes only what holds escapes. O(length).
    [[nodiscard]] bool string_is(std::string_view wtf8) const;
    /// @pre string. Whether it is spelled with at least one backslash. O(1).
    [[nodiscard]] bool has_escape() const noexcept {
        return (node().bits & document_detail::node::has_escape) != 0;
    }

    /// @pre array or object. Number of elements or members, repeated keys counted each time. O(1) (O(n)
    /// beyond 2^28).
    [[nodiscard]] std::size_t size() const noexcept;
    /// @pre array. The elements in order. A range of value_view.
    [[nodiscard]] element_range elements() const noexcept;
    /// @pre object. The members in order, repeated keys included. A range of `member`.
    [[nodiscard]] member_range members() const noexcept;
    /// @pre array, index < size(). O(index).
    [[nodiscard]] value_view at(std::size_t index) const noexcept;
    /// @pre object. The value of the last member with that key, as most readers take repeated keys.
    /// O(members).
    [[nodiscard]] std::optional<value_view> find(std::string_view wtf8_key) const;

    /// The same place of the same document (not: the same value, see `same_value`).
    friend bool operator==(const value_view& a, const value_view& b) noexcept {
        return a.tape_ == b.tape_ && a.index_ == b.index_;
    }
    /// A number that identifies the value within its document: in order of position, below
    /// `document::node_count()`; keys have one too. For tables beside the document.
    [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
    /// The index after this value and all inside it.
    [[nodiscard]] std::uint32_t end_index() const noexcept { return node().next; }
    /// The value or key of that index in the same document. @pre index < document::node_count()
    [[nodiscard]] value_view with_index(std::uint32_t index) const noexcept { return {*tape_, index}; }
    /// The entries themselves, for modules of this library that walk very many of them.
    [[nodiscard]] const document_detail::tape& tape() const noexcept { return *tape_; }

private:
    friend class document_builder;
    friend class element_range;
    friend class member_range;
    [[nodiscard]] const document_detail::node& node() const noexcept { return tape_->nodes[index_]; }

    const document_detail::tape* tape_;
    std::uint32_t index_;
};

/// A member of an object. `key` is a string value: it has a source, a range and escapes of its own.
struct member {
    value_view key;
    value_view value;
};

/// Forward range over an array's elements; see `value_view::elements`.
class element_range {
public:
    class iterator {
    public:
        using value_type = value_view;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        iterator() noexcept = default;
        iterator(const document_detail::tape& t, std::uint32_t index) noexcept : tape_(&t), index_(index) {}
        value_view operator*() const noexcept { return {*tape_, index_}; }
        iterator& operator++() noexcept {
            index_ = tape_->nodes[index_].next;
            return *this;
        }
        iterator operator++(int) noexcept {
            iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.index_ == b.index_; }

    private:
        const document_detail::tape* tape_ = nullptr;
        std::uint32_t index_ = 0;
    };
    explicit element_range(value_view array) noexcept : array_(array) {}
    [[nodiscard]] iterator begin() const noexcept { return {*array_.tape_, array_.index_ + 1}; }
    [[nodiscard]] iterator end() const noexcept { return {*array_.tape_, array_.node().next}; }

private:
    value_view array_;
};

/// Forward range over an object's members; see `value_view::members`.
class member_range {
public:
    class iterator {
    public:
        using value_type = member;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        iterator() noexcept = default;
        iterator(const document_detail::tape& t, std::uint32_t index) noexcept : tape_(&t), index_(index) {}
        member operator*() const noexcept { return {{*tape_, index_}, {*tape_, index_ + 1}}; }
        iterator& operator++() noexcept {
            index_ = tape_->nodes[index_ + 1].next;
            return *this;
        }
        iterator operator++(int) noexcept {
            iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.index_ == b.index_; }

    private:
        const document_detail::tape* tape_ = nullptr;
        std::uint32_t index_ = 0;
    };
    explicit member_range(value_view object) noexcept : object_(object) {}
    [[nodiscard]] iterator begin() const noexcept { return {*object_.tape_, object_.index_ + 1}; }
    [[nodiscard]] iterator end() const noexcept { return {*object_.tape_, object_.node().next}; }

private:
    value_view object_;
};

inline element_range value_view::elements() const noexcept { return element_range(*this); }
inline member_range value_view::members() const noexcept { return member_range(*this); }

struct parse_result;

/// A parsed or built text. Immutable; copies share it and cost O(1); safe to read from several threads.
class document {
public:
    /// The document `null`.
    document();

    /// Parses strict JSON: RFC 8259 and nothing beside it, UTF-8 without a byte order mark, any numbers,
    /// repeated keys, lone surrogate escapes. Owns the text (move it in to save the copy). O(text) time; 16
    /// bytes per value and key beside the text.
    [[nodiscard]] static parse_result parse(std::string text, const document_limits& limits = {});
    /// The same, over bytes that the caller keeps alive and unchanged for as long as the document and its
    /// views.
    [[nodiscard]] static parse_result parse_borrowed(std::string_view text,
                                                     const document_limits& limits = {});

    [[nodiscard]] value_view root() const noexcept { return {*tape_, 0}; }
    /// The whole text, blanks around the root included.
    [[nodiscard]] std::string_view text() const noexcept { return tape_->text; }
    /// Values and keys. `value_view::index()` is below it.
    [[nodiscard]] std::size_t node_count() const noexcept { return tape_->nodes.size(); }

private:
    friend class document_builder;
    explicit document(std::shared_ptr<const document_detail::tape> t) noexcept : tape_(std::move(t)) {}
    [[nodiscard]] static parse_result parse_tape(std::shared_ptr<document_detail::tape> t,
                                                 const document_limits& limits);

    std::shared_ptr<const document_detail::tape> tape_;
};

/// A document, or why there is none (`value` is then `null`).
struct parse_result {
    document value;
    std::optional<parse_error> error;
    [[nodiscard]] explicit operator bool() const noexcept { return !error.has_value(); }
};

/// Builds a document by appending. Its text is compact: no blanks but those inside copied values.
///
/// Calls must make one JSON value: inside an object every value needs its `key` first. A call out of turn is
/// the caller's mistake and throws std::logic_error; a text beyond 4 GiB throws std::length_error. Amortised
/// O(bytes appended).
///
/// @code
/// jsonheal::document_builder b;
/// b.begin_object().key("a").begin_array().number_text("1e3").string("x\ny").end_array().end_object();
/// assert(b.finish().text() == R"({"a":[1e3,"x\ny"]})");
/// @endcode
class document_builder {
public:
    document_builder();

    document_builder& begin_object();
    document_builder& end_object();
    document_builder& begin_array();
    document_builder& end_array();
    /// The key of the next value, as WTF-8. Repeated keys are kept.
    document_builder& key(std::string_view wtf8);
    document_builder& string(std::string_view wtf8);
    /// A number as it is to be spelled. Throws std::invalid_argument unless RFC 8259 section 6 allows the
    /// spelling.
    document_builder& number_text(std::string_view spelling);
    document_builder& number(std::int64_t n);
    document_builder& boolean(bool b);
    document_builder& null();
    /// A value of any document, copied as it is spelled there. O(its source). As a key: `key_copy`.
    document_builder& copy(value_view v);
    /// @pre string. A key of any document, copied as it is spelled there.
    document_builder& key_copy(value_view k);

    /// True once one whole value is there: then only `finish` may follow.
    [[nodiscard]] bool complete() const noexcept { return complete_; }
    /// Hands the document over; the builder is empty again.
    [[nodiscard]] document finish();

private:
    static constexpr std::uint32_t no_parent = 0xFFFF'FFFFu;
    void before_key();
    void before_value();
    void append_node(value_kind k, std::uint32_t from, std::uint32_t flags);
    void append_string(std::string_view wtf8);
    void append_copy(value_view v);
    document_builder& scalar(value_kind k, std::string_view spelling);
    document_builder& begin(value_kind k);
    document_builder& end(value_kind k);

    std::shared_ptr<document_detail::tape> tape_;
    std::uint32_t parent_ = no_parent;
    bool has_key_ = false;
    bool complete_ = false;
};

/// @name Strings
/// @{

/// Which characters are escaped though JSON allows them raw.
struct string_escapes {
    /// U+0085, U+2028 and U+2029, at which line-based readers split (`\u0085` …).
    bool line_separators = false;
    /// All beyond U+007F; beyond U+FFFF as a surrogate pair.
    bool non_ascii = false;
};

/// Appends `wtf8` as a JSON string with its quotes. Escapes what RFC 8259 section 7 requires, in the short
/// form where there is one; a lone surrogate becomes its escape; a byte that is part of no character becomes
/// U+FFFD, so the output is always strict. O(length).
void encode_string(std::string_view wtf8, std::string& out, const string_escapes& escapes = {});

/// Appends the content of a JSON string, quotes included in `quoted`, as WTF-8: surrogate pairs are joined, a
/// lone surrogate escape becomes its three bytes. Returns false, with `out` as it was, if `quoted` is no
/// strict JSON string. O(length).
[[nodiscard]] bool decode_string(std::string_view quoted, std::string& out);

/// @}
/// @name Writing
/// @{

enum class layout : std::uint8_t {
    preserve, ///< the source, blanks and all
    compact,  ///< no blanks outside strings
    indented  ///< one member or element a line; `{}` and `[]` stay on one
};

struct write_options {
    jsonheal::layout layout = jsonheal::layout::preserve;
    unsigned indent = 2; ///< blanks a level, for `indented`
    string_escapes escapes;
};

/// Appends `v`. Numbers and escapes stay as they are spelled, whatever the layout. O(source + output), O(1)
/// memory.
void write(value_view v, const write_options& options, std::string& out);
/// The same for a text. @pre `strict_json` is strict JSON; for other text the output is unspecified, though
/// memory-safe.
void write_text(std::string_view strict_json, const write_options& options, std::string& out);
/// Appends `strict_json` without the blanks outside its strings. @pre as for `write_text`.
void compact(std::string_view strict_json, std::string& out, const string_escapes& escapes = {});

/// @}
/// @name Comparing
/// @{

/// Equality of JSON values: numbers by their decimal value (`1`, `1.0`, `10e-1`; `0` and `-0`), strings by
/// their characters, however escaped, arrays in order, objects regardless of the order of members. The values
/// of a repeated key are compared in their order. O(n log n) in the worst case, O(n) where members stand in
/// the same order; never recurses.
[[nodiscard]] bool same_value(value_view a, value_view b);

/// A hash that agrees with `same_value`. O(n); never recurses.
[[nodiscard]] std::uint64_t hash_value(value_view v);

/// Compares two JSON numbers by decimal value, exactly, without rounding to doubles.
/// Exponents beyond ±10^18 count as ±10^18. @pre both are spelled as RFC 8259 section 6 allows. O(length).
[[nodiscard]] std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept;

/// @}

/// A set of value kinds.
class kind_set {
public:
    constexpr kind_set() noexcept = default;
    [[nodiscard]] static constexpr kind_set all() noexcept { return kind_set(0x3F); }
    constexpr kind_set& add(value_kind k) noexcept {
        bits_ = static_cast<std::uint8_t>(bits_ | 1u << static_cast<unsigned>(k));
        return *this;
    }
    [[nodiscard]] constexpr bool has(value_kind k) const noexcept {
        return (bits_ >> static_cast<unsigned>(k) & 1u) != 0;
    }
    [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
    friend constexpr bool operator==(kind_set, kind_set) noexcept = default;

private:
    explicit constexpr kind_set(std::uint8_t bits) noexcept : bits_(bits) {}
    std::uint8_t bits_ = 0;
};

/// What is expected at one place of a value, for deciding between readings while a text is still being read.
///
/// A schema makes these and the engine asks them; neither knows the other. An expectation is a hint: it must
/// never rule out what its schema allows. Results stay valid as long as the expectation; implementations are
/// immutable.
class expectation {
public:
    virtual ~expectation() = default;
    /// The kinds that can fit here. Never empty: where nothing fits, all.
    [[nodiscard]] virtual kind_set kinds() const noexcept = 0;
    /// The keys that an object here names, WTF-8, in the schema's order; others may still be allowed.
    [[nodiscard]] virtual std::span<const std::string_view> known_keys() const noexcept = 0;
    /// What the member of that key holds. Null: nothing is known.
    [[nodiscard]] virtual const expectation* member(std::string_view wtf8_key) const noexcept = 0;
    /// What the element at that index holds. Null: nothing is known.
    [[nodiscard]] virtual const expectation* element(std::size_t index) const noexcept = 0;

protected:
    expectation() = default;
    expectation(const expectation&) = default;
    expectation& operator=(const expectation&) = default;
};

} // namespace jsonheal

/// @file yaml_value.hpp
/// YAML files read by tables of fields: every mistake is kept with its line, and reading goes on behind it.
///
/// @code
/// constexpr yaml_field<point> fields[] = {
///     {"x", yaml_whole<&point::x, 0, 9>},
///     {"y", yaml_whole<&point::y, 0, 9>},
/// };
/// yaml_source source("p.yaml", yaml_source::variables::kept);
/// point p;
/// source.read("x: 3\nz: 4\n", [&](const yaml_value& root) { root.section(fields, p); });
/// // p.x == 3, source.mistakes(): "p.yaml:2: 'z' is not known here; known are x, y"
/// @endcode
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace jsonheal::gateway {

class yaml_value;

/// One file that is read, and what is wrong with it.
class yaml_source {
public:
    /// What becomes of `${NAME}` in values.
    enum class variables : std::uint8_t {
        expanded, ///< the environment's variable of that name
        kept      ///< stays as it is
    };
    static constexpr std::size_t most_bytes = std::size_t{1} << 20;
    /// An alias (`*name`) is read anew wherever it stands, so a small file can be large to read.
    static constexpr std::size_t most_values = 200'000;
    static constexpr std::size_t most_mistakes = 100;

    yaml_source(std::string file, variables v) : file_(std::move(file)), variables_(v) {}

    /// Parses the text, which must be one document of at most 1 MiB, and hands its root to `reader`. Returns nothing: see `mistakes`.
    void read(std::string_view yaml, const std::function<void(const yaml_value& root)>& reader);

    /// `line` counts from 1; 0 is the file as a whole. `what` has no full stop.
    void mistake(std::size_t line, std::string_view what);
    /// Mistakes of another file, which name their own lines, put where this one mentions it.
    void mistakes_of_other(std::size_t line, const std::vector<std::string>& others);
    /// `file:line: what`, by line.
    [[nodiscard]] std::vector<std::string> mistakes() const;
    [[nodiscard]] bool flawless() const noexcept { return mistakes_.empty(); }

    /// A path as the file means it: relative to the folder of the file.
    [[nodiscard]] std::string beside(const std::string& path) const;

private:
    friend class yaml_value;
    struct entry {
        std::size_t line;
        std::string message;
    };
    void keep(std::size_t line, std::string message);

    std::string file_;
    variables variables_;
    std::vector<entry> mistakes_;
    std::size_t left_out_ = 0; ///< mistakes beyond the limit
    std::size_t values_ = 0;   ///< read so far
};

/// The whole text of a file of at most 1 MiB; or a clause that says why not, in `why`.
[[nodiscard]] std::string read_small_file(const std::string& path, std::string& why);

/// A name in a YAML file, and what reads its value into a member of `Section`.
template <class Section>
struct yaml_field {
    std::string_view name;
    void (*read)(const yaml_value& value, Section& into);
};

/// A word of a choice.
template <class Value>
struct yaml_word {
    std::string_view name;
    Value value;
};

/// A value in the file, and its name: `healing.max_attempts`. The readers return false after a mistake, which they keep; what
/// they read into is then unchanged.
class yaml_value {
public:
    yaml_value(yaml_source& source, YAML::Node node, std::string name, std::size_t line_of_key);

    [[nodiscard]] std::size_t line() const noexcept { return line_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] yaml_source& source() const noexcept { return *source_; }
    /// Whether the value as written names a variable of the environment.
    [[nodiscard]] bool from_environment() const;
    /// Keeps a mistake of this value: `'name' what`. Returns false.
    bool wrong(std::string_view what) const;

    /// @name Scalars
    /// @{
    bool text(std::string& out) const;
    /// Text that is not empty.
    bool filled(std::string& out) const;
    bool flag(bool& out) const;
    bool whole(std::uint64_t& out, std::uint64_t least, std::uint64_t most) const;
    /// Digits, with or without a point. More than 0, at most `most`.
    bool amount(double& out, double most) const;
    /// A number of bytes: `4096`, `64KiB`, `32MiB`, `1GiB`.
    bool bytes(std::uint64_t& out, std::uint64_t least, std::uint64_t most) const;
    /// `500ms`, `10s`, `5m`, `1h`, or seconds.
    bool duration(std::chrono::milliseconds& out, std::chrono::milliseconds least,
                  std::chrono::milliseconds most) const;
    template <class Value, std::size_t N>
    bool choice(Value& out, const yaml_word<Value> (&words)[N]) const {
        std::string_view names[N];
        for (std::size_t i = 0; i < N; ++i) { names[i] = words[i].name; }
        std::size_t chosen = 0;
        if (!choose(names, chosen)) { return false; }
        out = words[chosen].value;
        return true;
    }
    /// @}

    /// @name Collections
    /// A null is an empty one, as where all members are commented out.
    /// @{
    using member_reader =
        std::function<void(const std::string& key, std::size_t line_of_key, const yaml_value& value)>;
    /// Names that repeat are mistakes, and read once.
    bool members(const member_reader& reader) const;
    bool elements(const std::function<void(const yaml_value& element)>& reader) const;
    bool texts(std::vector<std::string>& out) const;
    /// The members that the table names; others are mistakes.
    template <class Section, std::size_t N>
    bool section(const yaml_field<Section> (&fields)[N], Section& into) const {
        return members([&](const std::string& key, std::size_t line_of_key, const yaml_value& value) {
            for (const yaml_field<Section>& f : fields) {
                if (f.name == key) { return f.read(value, into); }
            }
            std::string_view names[N];
            for (std::size_t i = 0; i < N; ++i) { names[i] = fields[i].name; }
            unknown(key, line_of_key, names);
        });
    }
    /// @}

private:
    /// The scalar with its variables replaced; nothing after a mistake.
    [[nodiscard]] std::optional<std::string> scalar() const;
    [[nodiscard]] bool expand(std::string_view written, std::string& out) const;
    bool variable(std::string_view inside, std::string& out) const;
    /// `what, not 'the value as written'`
    bool unlike(std::string what) const;
    bool choose(std::span<const std::string_view> names, std::size_t& chosen) const;
    void unknown(std::string_view key, std::size_t line_of_key,
                 std::span<const std::string_view> known) const;
    /// Counts a value that is read; false where there are too many.
    [[nodiscard]] bool within_budget() const;

    yaml_source* source_;
    YAML::Node node_;
    std::string name_;
    std::size_t line_;
};

/// `; did you mean 'word'?`, or nothing.
[[nodiscard]] std::string perhaps(std::string_view word, std::span<const std::string_view> candidates);
/// `a, b or c`
[[nodiscard]] std::string one_of(std::span<const std::string_view> names);

/// @name Cells of tables
/// @{

template <auto Member, class Section>
void yaml_text(const yaml_value& v, Section& s) {
    v.text(s.*Member);
}
template <auto Member, class Section>
void yaml_filled(const yaml_value& v, Section& s) {
    v.filled(s.*Member);
}
template <auto Member, class Section>
void yaml_flag(const yaml_value& v, Section& s) {
    v.flag(s.*Member);
}
template <auto Member, class Section>
void yaml_texts(const yaml_value& v, Section& s) {
    v.texts(s.*Member);
}
/// For any whole number, also an optional one.
template <auto Member, std::uint64_t Least, std::uint64_t Most, class Section>
void yaml_whole(const yaml_value& v, Section& s) {
    std::uint64_t n = 0;
    using member = std::remove_cvref_t<decltype(s.*Member)>;
    if constexpr (std::integral<member>) {
        static_assert(Most <= static_cast<std::uint64_t>(std::numeric_limits<member>::max()));
        if (v.whole(n, Least, Most)) { s.*Member = static_cast<member>(n); }
    } else {
        using number = typename member::value_type;
        static_assert(Most <= static_cast<std::uint64_t>(std::numeric_limits<number>::max()));
        if (v.whole(n, Least, Most)) { s.*Member = static_cast<number>(n); }
    }
}
template <auto Member, std::uint64_t Least, std::uint64_t Most, class Section>
void yaml_bytes(const yaml_value& v, Section& s) {
    std::uint64_t n = 0;
    if (v.bytes(n, Least, Most)) { s.*Member = static_cast<std::size_t>(n); }
}
/// Bounds in milliseconds.
template <auto Member, std::int64_t Least, std::int64_t Most, class Section>
void yaml_duration(const yaml_value& v, Section& s) {
    v.duration(s.*Member, std::chrono::milliseconds(Least), std::chrono::milliseconds(Most));
}
template <auto Member, const auto& Words, class Section>
void yaml_choice(const yaml_value& v, Section& s) {
    v.choice(s.*Member, Words);
}
template <auto Member, const auto& Fields, class Section>
void yaml_section(const yaml_value& v, Section& s) {
    v.section(Fields, s.*Member);
}

/// @}

} // namespace jsonheal::gateway

/// @file schema.hpp
/// JSON Schema: compile a schema once into a flat program, then ask whether documents fit it and why not.
///
/// Drafts 4, 6, 7, 2019-09 and 2020-12, told apart by `$schema`, resource by resource, so that a schema of one
/// draft may refer to one of another. Beside them two habits of schemas written for language models are
/// understood everywhere: `"nullable": true` of OpenAPI 3.0 next to `type`, and the type name `bool`.
///
/// Numbers are compared by their decimal text, never rounded: `0.3` is a multiple of `0.1`, `1.0` is an integer,
/// `1e400` is more than `1e399`. Lengths count code points. Where an object repeats a key, every value of it has
/// to fit. Nothing recurses on the depth of a schema or an instance, no clock is read and no file opened; what a
/// stranger's schema may cost is bounded by `compile_limits` and `validate_limits`.
///
/// @code
/// auto schema = jsonheal::document::parse(R"({"type": "object", "required": ["a"]})").value;
/// auto compiled = jsonheal::schema::compile(schema);
/// assert(compiled);
/// auto instance = jsonheal::document::parse(R"({"b": 1})").value;
/// assert(!jsonheal::schema::fits(compiled.value, instance.root()));
/// auto answer = jsonheal::schema::validate(compiled.value, instance.root());
/// assert(answer.violations.at(0).keyword == "required");
/// @endcode
#pragma once

#include <jsonheal/document.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::schema {

/// The drafts that are understood, in the order of their age.
enum class dialect : std::uint8_t { draft4, draft6, draft7, draft2019_09, draft2020_12 };

/// `4`, `6`, `7`, `2019-09`, `2020-12`. Static storage.
[[nodiscard]] std::string_view name(dialect d) noexcept;
/// The dialect of that name (`7`, `draft7`, `2020-12`) or of that metaschema's URI. O(length).
[[nodiscard]] std::optional<dialect> dialect_named(std::string_view name_or_uri) noexcept;

/// @name Compiling
/// @{

/// Gives the document behind an absolute URI without its fragment, or nothing. Called at most once for a URI
/// and compilation, never for the metaschemas of the drafts, which are built in. What it throws goes through.
using loader = std::function<std::optional<document>(std::string_view uri)>;

/// Bounds on what one compilation may take. Passing one is a `compile_error`.
struct compile_limits {
    std::uint64_t bytes = 64u << 20;         ///< text of all schema documents together
    std::uint32_t documents = 1'000;         ///< documents asked of the loader
    std::uint32_t subschemas = 1'000'000;    ///< subschemas compiled
    std::uint32_t patterns = 4'096;          ///< different regular expressions
    std::uint32_t pattern_bytes = 64u << 10; ///< length of one of them
    std::uint32_t pattern_memory = 8u << 20; ///< bytes that one of them may take once it is compiled
    std::uint32_t number_digits = 1'000;     ///< digits of a `multipleOf`
};

struct compile_options {
    /// For a schema without `$schema`, or with one that is unknown. Nothing: 2020-12, and an unknown `$schema` that no
    /// loader gives is an error.
    std::optional<schema::dialect> dialect;
    /// Whether `format` is checked. Without it `format` says nothing about validity, as the drafts have it, except
    /// where the schema's own metaschema has the format-assertion vocabulary.
    bool format_assertion = false;
    /// Habits of schemas for language models: `nullable` beside `type`; the type names `bool`, `int`, `float` and those in
    /// capitals (`OBJECT`); a schema that names no draft and is none of 2020-12 is tried as 2019-09, then as draft 4.
    bool extensions = true;
    schema::loader loader;
    compile_limits limits;
};

/// Why a schema cannot be used.
struct compile_error {
    std::string uri;     ///< of the schema resource; empty for one without `$id`
    std::string pointer; ///< JSON Pointer (RFC 6901) within the document that was given or loaded
    std::string reason;  ///< a clause without a full stop
};

namespace detail {
struct program_data;
}

class node_view;

/// A compiled schema. Immutable; copies share it and cost O(1); safe to use from several threads. It keeps the
/// schema documents alive.
class program {
public:
    /// The program of the schema `true`, which everything fits.
    program();
    [[nodiscard]] node_view root() const noexcept;
    /// The formats that the schema asserts and that are not checked (`idn-hostname`, and names of nobody's standard),
    /// each once. Empty unless formats are asserted.
    [[nodiscard]] std::span<const std::string> unchecked_formats() const noexcept;
    /// Every node and instruction, one a line, for people. The form may change. O(program).
    [[nodiscard]] std::string listing() const;

    explicit program(std::shared_ptr<const detail::program_data> data) noexcept : data_(std::move(data)) {}
    [[nodiscard]] const detail::program_data& data() const noexcept { return *data_; }
    [[nodiscard]] const std::shared_ptr<const detail::program_data>& shared() const noexcept { return data_; }

private:
    std::shared_ptr<const detail::program_data> data_;
};

struct compile_result {
    program value;
    std::optional<compile_error> error; ///< then `value` is the program of `true`
    [[nodiscard]] explicit operator bool() const noexcept { return !error.has_value(); }
};

/// Compiles the schema and all it refers to. Subschemas that nothing reaches are not compiled, so faults in
/// them are not found. O(schema) but for the regular expressions, which cost up to their memory limit each.
[[nodiscard]] compile_result compile(const document& schema, const compile_options& options = {});

/// @}
/// @name Validating
/// @{

/// Bounds on one validation. Passing one is a violation with the keyword `limit`: the instance then does not count
/// as valid.
struct validate_limits {
    /// Steps: instructions and members looked at. The default is reached in some ten seconds.
    std::uint64_t steps = 2'000'000'000;
    std::uint32_t violations = 100;          ///< violations listed; at least 1
    std::uint64_t pointer_bytes = 16u << 20; ///< all their pointers together
    /// Steps of all backtracking regular expressions (those with look-around or back-references) together; one string may
    /// take a tenth. Where they do not do, that is a violation, never a match.
    std::uint64_t pattern_steps = 100'000'000;
};

/// One reason why an instance does not fit.
struct violation {
    std::string instance;  ///< JSON Pointer of the offending value in the instance
    std::size_t begin = 0; ///< its bytes in the document's text; for a forbidden key those of the key
    std::size_t end = 0;   ///< one past the last
    std::string schema;    ///< URI reference of the keyword: the resource's URI, `#`, a JSON Pointer
    std::string keyword;   ///< `type`, `required`, …; `false` for the schema `false`; `limit`
    std::string expected;  ///< what would fit, in a few words
    std::string got;       ///< what is there, in a few words; long values are shortened
    std::string message;   ///< one sentence that says what to change
};

struct validation {
    bool valid = true;
    /// In the order of the instance, then of the schema. Where no branch of a union fits, the union's violation
    /// is followed by those of the branch that came nearest.
    std::vector<violation> violations;
    bool complete = true; ///< false if there are more violations than are listed
};

/// Whether `instance` fits. The fast face: nothing is recorded and the first fault ends it.
/// O(program × instance) time in the worst case, O(instance) for usual schemas; O(depth) memory.
[[nodiscard]] bool fits(const program& p, value_view instance, const validate_limits& limits = {});

/// Whether `instance` fits, and if not, why not.
[[nodiscard]] validation validate(const program& p, value_view instance, const validate_limits& limits = {});

/// The standard's output formats (2020-12 Core, section 12.4).
enum class output_format : std::uint8_t {
    flag,    ///< `{"valid": false}`
    basic,   ///< all errors in one list
    detailed ///< the errors as a tree
};
/// Appends the standard's output for `instance` as compact JSON. Annotations are not part of it. Returns
/// whether the instance is valid. At most `limits.violations` errors at one level are listed.
bool write_output(const program& p, value_view instance, output_format format, std::string& out,
                  const validate_limits& limits = {});

/// @}
/// @name Looking at a compiled schema
/// @{

/// One subschema of a program: what it says about a value, without reading the schema again. Valid as long as any
/// copy of the program.
class node_view {
public:
    struct property {
        std::string_view key; ///< WTF-8
        bool required = false;
        std::optional<std::uint32_t> node; ///< nothing if it is only required
    };

    node_view(const detail::program_data& p, std::uint32_t index) noexcept : data_(&p), index_(index) {}

    /// Identifies the subschema within its program: for tables beside the program.
    [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
    [[nodiscard]] node_view with_index(std::uint32_t index) const noexcept { return {*data_, index}; }
    /// The schema's JSON: an object or a boolean.
    [[nodiscard]] value_view source() const noexcept;
    /// URI reference of the subschema: the resource's URI, `#`, a JSON Pointer. O(document).
    [[nodiscard]] std::string location() const;

    /// The kinds that `type` allows here; `$ref` and unions beside it are not looked into. Empty for `false`.
    [[nodiscard]] kind_set kinds() const noexcept;
    /// Numbers must be whole: `type` names `integer` and not `number`.
    [[nodiscard]] bool integers_only() const noexcept;
    /// The values of `const` or `enum` (of both: those of the one that names fewer). Nothing if there is neither.
    [[nodiscard]] std::optional<std::vector<value_view>> values() const;

    /// The keys of `properties`, in the schema's order, then those only in `required`.
    [[nodiscard]] std::vector<property> properties() const;
    /// The subschema of that key under `properties`.
    [[nodiscard]] std::optional<node_view> property_node(std::string_view wtf8_key) const;
    /// The subschemas of `patternProperties` whose pattern the key matches.
    [[nodiscard]] std::vector<node_view> pattern_nodes(std::string_view wtf8_key) const;
    /// `additionalProperties`, for keys that neither of the two above names.
    [[nodiscard]] std::optional<node_view> additional() const noexcept;
    [[nodiscard]] std::optional<node_view> property_names() const noexcept;

    /// `prefixItems`, or the list form of `items` before 2020-12.
    [[nodiscard]] std::vector<node_view> prefix_items() const;
    /// The subschema of the elements behind those.
    [[nodiscard]] std::optional<node_view> rest_items() const noexcept;

    /// The target of `$ref`, and of `$dynamicRef` as it resolves without regard to where it is used.
    [[nodiscard]] std::optional<node_view> reference() const noexcept;
    [[nodiscard]] std::vector<node_view> all_of() const;
    [[nodiscard]] std::vector<node_view> any_of() const;
    [[nodiscard]] std::vector<node_view> one_of() const;
    /// The branches of `anyOf` or `oneOf` that can fit `value` as far as its kind and the union's discriminator
    /// (a property whose `const` or `enum` tells branches apart) say; the order is the schema's.
    [[nodiscard]] std::vector<node_view> candidates(bool of_one_of, value_view value) const;
    /// Whether it says anything that the members above do not: `not`, `if`, `contains`, `unevaluated…`, bounds.
    [[nodiscard]] bool has_other_assertions() const noexcept;

    [[nodiscard]] const detail::program_data& data() const noexcept { return *data_; }

private:
    const detail::program_data* data_;
    std::uint32_t index_;
};

/// Whether `instance` fits one subschema of a program: for walkers that judge part by part. The value may be any part of
/// its document. Dynamic references resolve as if the subschema were the root. Costs as `fits` of a program with
/// that root: nothing is prepared, O(part).
[[nodiscard]] bool fits(const node_view& schema, value_view instance, const validate_limits& limits = {});

/// What the schema expects, as hints for reading a text: kinds and known keys, through references and unions (of which
/// all branches count). Members and elements are worked out when they are first asked for; ask from one thread.
[[nodiscard]] std::unique_ptr<expectation> make_expectation(const program& p);

/// @}

} // namespace jsonheal::schema

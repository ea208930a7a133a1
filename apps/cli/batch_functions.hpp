/// @file batch_functions.hpp
/// What `jsonheal batch` does with a record: one function for each `fn`.
#pragma once

#include "batch_record.hpp"
#include "schema_options.hpp"

#include <jsonheal/answer.hpp>
#include <jsonheal/calls.hpp>
#include <jsonheal/heal.hpp>
#include <jsonheal/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::cli {

enum class edit_detail : std::uint8_t { none, count, all };

struct batch_options {
    heal_options engine;
    schema_options schema;
    edit_detail edits = edit_detail::none;
    bool text = false;                       ///< also give the healed text, as `json`
    std::size_t chunk = 0;                   ///< feed through the stream in chunks of this size; 0: whole
    std::optional<std::uint64_t> chunk_seed; ///< feed through the stream in random chunks of 1 to 64 bytes
};

/// What one thread keeps from record to record.
class batch_worker {
public:
    explicit batch_worker(const batch_options& options) : options_(options) {}

    /// Answers one line (without its line end): appends one JSON object without a line end, whatever the line
    /// holds. `number` is that of the line in the whole input, so that random chunks do not depend on which
    /// thread answers.
    void answer(std::string_view line, std::uint64_t number, std::string& out);

    [[nodiscard]] const batch_options& options() const noexcept { return options_; }
    /// Heals in one go or through the stream, as the options say.
    [[nodiscard]] healing heal_input(std::string_view input);

    /// Reads calls in one go or chunk by chunk, as the options say.
    [[nodiscard]] calls_reading read_input_calls(std::string_view input, const call_options& options) const;

    /// Compiles a record's schema, or finds that it is the last one again. Returns why it cannot be used, or
    /// nothing.
    [[nodiscard]] std::string compile(value_view schema);
    /// What `compile` made.
    [[nodiscard]] const jsonheal::schema::program& program() const noexcept { return program_; }
    /// Reads replies for that schema.
    [[nodiscard]] answerer& reader();
    /// What that schema lets the engine expect.
    [[nodiscard]] const expectation* expected();

private:
    std::string try_answer(std::string_view line, batch_record& record, std::string& out);

    const batch_options& options_;
    std::optional<healer> stream_;
    std::string compiled_source_;
    std::string compile_problem_;
    jsonheal::schema::program program_;
    std::optional<answerer> reader_;
    std::unique_ptr<expectation> expected_;
    std::uint64_t number_ = 0;
};

} // namespace jsonheal::cli

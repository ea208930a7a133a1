/// @file rewriter.hpp
/// Copies an input to an output and logs where it departs from it.
#pragma once

#include <jsonheal/sanitize.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jsonheal::sanitize_detail {

/// Edits come in order of position; what stands between them is copied as it is.
class rewriter {
public:
    rewriter(std::string_view text, const sanitize_options& options) : text_(text), options_(options) {}

    /// Replaces [begin, end). A replacement longer than one entry of the log holds becomes several.
    void put(std::size_t begin, std::size_t end, std::string_view replacement, rule why);

    /// A place to come back to: what had come out before a byte of the input.
    struct mark {
        std::size_t output;
        std::uint32_t edits, position;
    };
    [[nodiscard]] mark mark_at(std::size_t position);
    void go_back(const mark& to);

    /// True once the text is refused: nothing that follows matters.
    [[nodiscard]] bool refused() const noexcept { return !result_.why.message.empty(); }
    void refuse(std::string_view message, std::size_t offset);

    /// Copies the rest and hands the result out. `cut` decides between `truncated` and whole.
    [[nodiscard]] rewritten finish(cut_place cut);

private:
    void log(std::size_t begin, std::size_t end, std::string_view replacement, rule why);

    std::string_view text_;
    const sanitize_options& options_;
    rewritten result_;
    std::size_t copied_ = 0; ///< input bytes that are in the output or in an edit
};

} // namespace jsonheal::sanitize_detail

/// @file report.hpp
/// What was done for one request: for its headers, the log, and `GET /v1/healings/{id}`.
#pragma once

#include <jsonheal/answer.hpp>
#include <jsonheal/args.hpp>
#include <jsonheal/calls.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::gateway {

/// One text that was healed: a choice's content, or the arguments of a call.
struct healed_part {
    std::string what; ///< `content`, or the tool's name
    std::size_t choice = 0;
    unsigned attempt = 1;
    std::string before, after;
    jsonheal::verdict verdict = jsonheal::verdict::intact;
    jsonheal::cut_place cut = jsonheal::cut_place::none;
    jsonheal::risk risk = jsonheal::risk::exact;
    bool fits = true;
    std::vector<edit> edits;                   ///< of `before`
    std::vector<change> changes;               ///< of the value, to its schema
    std::vector<schema::violation> violations; ///< of `after`
    std::string note;                          ///< why nothing came of it
};

/// Grows while the request runs.
struct healing_report {
    std::string request_id;
    std::string model, upstream;
    std::vector<healed_part> parts;
    unsigned attempts = 0; ///< generations, over all choices
    bool failed = false;

    /// The worst of the parts that were handed out.
    [[nodiscard]] jsonheal::verdict verdict() const noexcept;
    [[nodiscard]] jsonheal::risk risk() const noexcept;
    /// `intact`, `healed`, `reasked`, `failed`; `passed` if nothing was looked at.
    [[nodiscard]] std::string_view outcome() const noexcept;
    /// One JSON object. Texts of over 64 KiB are cut, and said to be.
    [[nodiscard]] std::string json() const;
};

} // namespace jsonheal::gateway

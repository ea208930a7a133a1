/// @file reports.hpp
/// What was healed lately: the last healings by the id of their request, for `GET /v1/healings/{id}`.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::gateway {

/// A ring of finished reports, each the JSON text of an object. Thread-safe. Bounded in number and in bytes.
class report_ring {
public:
    explicit report_ring(std::size_t most, std::size_t most_bytes = std::size_t{32} << 20);
    ~report_ring();
    /// Keeps it, forgetting the oldest. One that is larger than a quarter of the bytes is not kept. `owner` is the name of the key that asked.
    void put(std::string id, std::string owner, std::string json);
    /// The report, if it is still there and belongs to that owner.
    [[nodiscard]] std::optional<std::string> find(std::string_view id, std::string_view owner) const;
    /// Newest first.
    [[nodiscard]] std::vector<std::string> latest(std::size_t most, std::string_view owner) const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace jsonheal::gateway

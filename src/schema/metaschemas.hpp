/// @file metaschemas.hpp
/// The texts of the drafts' metaschemas, built in.
#pragma once

#include <span>
#include <string_view>

namespace jsonheal::schema::detail {

/// The files of metaschemas/, in no order that matters. Static storage.
[[nodiscard]] std::span<const std::string_view> metaschema_texts() noexcept;

/// The text of the metaschema with that URI (without fragment); empty if there is none.
[[nodiscard]] std::string_view find_metaschema(std::string_view uri);

} // namespace jsonheal::schema::detail

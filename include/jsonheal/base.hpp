/// @file base.hpp
/// What every module may use: the version, and nothing that needs linking.
#pragma once

#define JSONHEAL_VERSION_MAJOR 0
#define JSONHEAL_VERSION_MINOR 1
#define JSONHEAL_VERSION_PATCH 0

namespace jsonheal {

/// The version of the headers, as `major.minor.patch`.
inline constexpr const char* version = "0.1.0";

} // namespace jsonheal

/// @file target.hpp
/// A region of a source file that is compiled for a newer processor than the rest.
///
/// A kernel includes this file, then opens its region, then includes the templates of the algorithm. So everything that
/// is not a template of the kernel stays outside and is compiled for the oldest processor: were it compiled for a newer
/// one, the linker could take that copy for the whole program. Templates are instantiated with the kernel's own type,
/// and have symbols of their own.
#pragma once

#include "bytes.hpp"
#include "constants.hpp"
#include "kernels.hpp"
#include "nesting.hpp"
#include "words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#define JSONHEAL_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define JSONHEAL_TARGET_BEGIN(features)                                                                      \
    JSONHEAL_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define JSONHEAL_TARGET_END JSONHEAL_PRAGMA(clang attribute pop)
#else
#define JSONHEAL_TARGET_BEGIN(features)                                                                      \
    JSONHEAL_PRAGMA(GCC push_options) JSONHEAL_PRAGMA(GCC target(features))
#define JSONHEAL_TARGET_END JSONHEAL_PRAGMA(GCC pop_options)
#endif

/// @file kernels.hpp
/// The kernels, one a source file.
#pragma once

#include <jsonheal/scan.hpp>

namespace jsonheal::scan_detail {

extern const scan::kernel scalar_kernel;

} // namespace jsonheal::scan_detail

#include "constants.hpp"

namespace jsonheal::scan_detail {
namespace {

consteval repeated_bytes make_repeated() {
    repeated_bytes out{};
    for (unsigned c = 0; c != out.size(); ++c) { out[c].bytes.fill(static_cast<unsigned char>(c)); }
    return out;
}

} // namespace

constinit const repeated_bytes repeated = make_repeated();

} // namespace jsonheal::scan_detail

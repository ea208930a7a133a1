#include "nesting.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::scan_detail {

void level_store::grow() {
    auto larger = std::make_unique<std::uint64_t[]>(2 * capacity_);
    std::copy_n(data_, size_, larger.get());
    heap_ = std::move(larger);
    data_ = heap_.get();
    capacity_ *= 2;
}

} // namespace jsonheal::scan_detail

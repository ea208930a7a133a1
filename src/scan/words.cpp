#include "words.hpp"

namespace jsonheal::scan_detail {

word load_slowly(const char* p, const char* end) noexcept {
    word bytes = 0;
    for (std::size_t i = 0; i != word_size && p != end; ++i, ++p) {
        bytes |= word{static_cast<unsigned char>(*p)} << (8 * i);
    }
    return bytes;
}

} // namespace jsonheal::scan_detail

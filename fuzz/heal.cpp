// All laws on any bytes. The first four bytes choose the options.
#include "target.hpp"

using namespace jsonheal_test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    std::uint32_t bits = in.word();
    jsonheal::heal_options options = options_from(bits);
    std::string text = in.rest();
    auto broken = check_all(text, options, {chunks_of(1), random_chunks(bits, 9)});
    jsonheal_fuzz::require(broken, text, options);
    return 0;
}

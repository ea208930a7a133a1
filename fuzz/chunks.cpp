// One answer under any chunking. Four bytes choose the options, then each byte of a list the size of a chunk.
#include "target.hpp"

#include <memory>
#include <vector>

using namespace jsonheal_test;

namespace {

/// Chunks of the sizes that the input lists, over and over.
chunking listed(std::vector<std::size_t> sizes) {
    auto next = std::make_shared<std::size_t>(0);
    return [sizes = std::move(sizes), next](std::size_t) { return sizes[(*next)++ % sizes.size()]; };
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    jsonheal::heal_options options = options_from(in.word());
    std::vector<std::size_t> sizes;
    for (std::size_t count = 1 + in.byte() % 16; count > 0; --count) { sizes.push_back(1 + in.byte() % 24); }
    std::string text = in.rest();
    jsonheal::healing whole = jsonheal::heal(text, options);
    for (const chunking& c : {listed(sizes), split_at(text.size() / 2), chunks_of(1)}) {
        jsonheal_fuzz::require(check_same_answer(text, whole, options, c), text, options);
    }
    return 0;
}

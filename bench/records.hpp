// The same records as JSON and as models break it.
#pragma once

#include <cstddef>
#include <string>

namespace jsonheal::bench {

struct record_texts {
    std::string valid;
    std::string late_fault; ///< valid but for a comma before the last closer
    std::string broken;     ///< bare keys, single quotes, Python literals, lost and surplus commas, comments
};

/// Made without a random source: the same size gives the same texts. `valid` has about `bytes` bytes.
record_texts make_records(std::size_t bytes);

} // namespace jsonheal::bench

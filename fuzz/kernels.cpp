// Every kernel against checkers that look at one byte at a time, and against simdjson where that is certain. The first
// byte of the input is the depth allowed, the second how many blanks or letters push the rest along; the rest is the text.
#include "../tests/scan/reference.hpp"
#include "target.hpp"

#ifdef JSONHEAL_SIMDJSON
#include "../tests/scan/oracle.hpp"
#endif

#include <jsonheal/scan.hpp>

using namespace jsonheal_test;
namespace scan = jsonheal::scan;

namespace {

void require_agreement(std::string_view text, std::uint32_t max_depth) {
    const scan::validation wanted = expected_validation(text, max_depth);
    if (const std::string wrong = disagreement(text, max_depth, wanted); !wrong.empty()) {
        jsonheal_fuzz::require(wrong, text, {});
    }
    const exact_copy copy(text);
    for (const scan::kernel& k : scan::kernels()) {
        if (k.find_string_stop(copy.begin(), copy.end()) != plain_string_stop(copy.begin(), copy.end()) ||
            k.skip_blanks(copy.begin(), copy.end()) != plain_skip_blanks(copy.begin(), copy.end()) ||
            k.find_prose_stop(copy.begin(), copy.end()) != plain_prose_stop(copy.begin(), copy.end())) {
            jsonheal_fuzz::require(std::string(k.name) + " searches wrongly", text, {});
        }
    }
#ifdef JSONHEAL_SIMDJSON
    static simdjson::dom::parser parser;
    const auto error = parser.parse(simdjson::padded_string(text)).error();
    const bool valid = expected_validation(text, UINT32_MAX).valid;
    if ((error == simdjson::SUCCESS && !valid) || (certain(error) && valid)) {
        jsonheal_fuzz::require(std::string("simdjson says ") + simdjson::error_message(error), text, {});
    }
#endif
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    const std::uint32_t max_depth = in.byte();
    const std::size_t shift = in.byte();
    const std::string text = in.rest();
    require_agreement(text, max_depth);
    require_agreement(std::string(shift, ' ') + text, max_depth);
    require_agreement("[\"" + std::string(shift, 'x') + "\"," + text + "]", max_depth);
    return 0;
}

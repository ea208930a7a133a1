// The laws of the functions that rewrite text, on any bytes; valid JSON stays as it is.
#include "strict_json.hpp"
#include "target.hpp"
#include "text_laws.hpp"

using namespace jsonheal_test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = jsonheal_fuzz::bytes(data, size).rest();
    jsonheal_fuzz::require(check_text_laws(text), text, {});
    if (check_strict_json(text).valid && jsonheal::sanitize(text).text != text) {
        jsonheal_fuzz::require("sanitize changed valid JSON", text, {});
    }
    return 0;
}

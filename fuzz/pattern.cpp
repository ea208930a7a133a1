// The pattern translator: the input is a regular expression and a string, parted by a zero byte. What is accepted must be
// accepted by an engine, and matching must end.
#include <jsonheal/schema.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace jsonheal;
    const std::string_view all(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 2000));
    const std::size_t zero = std::min(all.find('\0'), all.size());
    document_builder source;
    source.begin_object().key("pattern").string(all.substr(0, zero));
    source.key("patternProperties")
        .begin_object()
        .key(all.substr(0, zero))
        .boolean(true)
        .end_object()
        .end_object();
    schema::compile_options options;
    options.limits.pattern_memory = 1u << 20;
    const schema::compile_result compiled = schema::compile(source.finish(), options);
    document_builder text;
    text.string(all.substr(std::min(zero + 1, all.size())));
    schema::validate_limits limits;
    limits.pattern_steps = 100'000;
    (void)schema::validate(compiled.value, text.finish().root(), limits);
    return 0;
}

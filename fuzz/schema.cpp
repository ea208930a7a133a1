// The schema compiler and the validator: the input is a schema and an instance, parted by a zero byte. Both machines must
// agree, whatever the schema; nothing may crash or run on.
#include <jsonheal/schema.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace jsonheal;

void require(bool ok, const char* what) {
    if (ok) { return; }
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = std::min(all.find('\0'), all.size());
    const parse_result source = document::parse_borrowed(all.substr(0, zero));
    if (!source) { return 0; }
    schema::compile_options options;
    options.limits.subschemas = 10'000;
    options.limits.pattern_memory = 1u << 20;
    options.format_assertion = size % 2 == 0;
    const schema::compile_result compiled = schema::compile(source.value, options);
    if (compiled.error) {
        require(!compiled.error->reason.empty(), "an error without a reason");
        return 0;
    }
    (void)compiled.value.listing();
    const auto expected = schema::make_expectation(compiled.value);
    const parse_result instance = document::parse_borrowed(all.substr(std::min(zero + 1, all.size())));
    if (!instance) { return 0; }
    schema::validate_limits limits;
    limits.steps = 1'000'000;
    limits.pattern_steps = 100'000;
    const value_view root = instance.value.root();
    const bool fast = schema::fits(compiled.value, root, limits);
    const schema::validation full = schema::validate(compiled.value, root, limits);
    require(fast == full.valid, "fits and validate differ");
    require(full.valid == full.violations.empty(), "violations and the verdict differ");
    require(!fast || expected->kinds().has(root.kind()), "the expectation rules out what fits");
    for (const schema::violation& v : full.violations) {
        require(v.begin < v.end && v.end <= instance.value.text().size(), "a violation without a place");
        require(!v.message.empty() && !v.keyword.empty(), "a violation without words");
    }
    for (const auto format : {schema::output_format::basic, schema::output_format::detailed}) {
        std::string out;
        require(schema::write_output(compiled.value, root, format, out, limits) == fast, "an output differs");
        require(static_cast<bool>(document::parse(out)), "an output that is not JSON");
    }
    return 0;
}

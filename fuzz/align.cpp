// Alignment: the input is a byte of options, a schema and a value, parted by a zero byte. What is said to fit does, what fits
// is untouched, aligning again changes nothing, the outcome is JSON.
#include <jsonheal/align.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace jsonheal;

void require(bool ok, const char* what) {
    if (ok) { return; }
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

align_options options_of(std::uint8_t byte) {
    align_options o;
    o.max_risk = static_cast<risk>(byte & 3);
    o.defaults = (byte & 4) != 0;
    o.fractions = (byte & 8) != 0;
    o.locale = static_cast<number_locale>((byte >> 4) % 3);
    o.limits.steps = 200'000;
    o.limits.check_bytes = 1u << 20;
    o.limits.healed_bytes = 1u << 20;
    o.validation.steps = 1'000'000;
    o.validation.pattern_steps = 10'000;
    return o;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) { return 0; }
    const align_options options = options_of(*data);
    const std::string_view all(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t zero = std::min(all.find('\0'), all.size());
    const parse_result source = document::parse_borrowed(all.substr(0, zero));
    const parse_result value = document::parse_borrowed(all.substr(std::min(zero + 1, all.size())));
    if (!source || !value) { return 0; }
    schema::compile_options compile;
    compile.limits.subschemas = 1'000;
    compile.limits.pattern_memory = 1u << 20;
    const schema::compile_result compiled = schema::compile(source.value, compile);
    if (compiled.error) { return 0; }
    const bool fits = schema::fits(compiled.value, value.value.root(), options.validation);
    const alignment a = align(value.value, compiled.value, options);
    require(!fits || a.fits, "what fits is said not to");
    require(!fits || options.defaults || a.json == value.value.text(), "what fits is touched");
    require(a.fits == a.violations.empty(), "violations and the verdict differ");
    require(a.changes.empty() == (a.json == value.value.text()),
            "a change without an entry, or the other way round");
    const parse_result made = document::parse_borrowed(a.json);
    require(static_cast<bool>(made), "the outcome is no JSON");
    if (!a.fits) { return 0; }
    require(schema::fits(compiled.value, made.value.root(), options.validation),
            "what is said to fit does not");
    for (const change& c : a.changes) {
        require(c.risk <= options.max_risk, "a change above the ceiling");
        require(c.begin <= c.end && c.end <= value.value.text().size(), "a change without a place");
        require(c.before != c.after, "a change that changes nothing");
    }
    const alignment again = align(made.value, compiled.value, options);
    require(again.fits && again.changes.empty(), "aligning again changes something");
    return 0;
}

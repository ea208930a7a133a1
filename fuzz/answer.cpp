// Replies under a schema: a byte of settings (which schema, the ceilings), then the text. What fits does, the edits lead to the
// value before alignment, the outcome read again is intact and the same, and a patch of nothing changes nothing.
#include "target.hpp"

#include <jsonheal/answer.hpp>

#include <array>
#include <memory>

using namespace jsonheal;

namespace {

constexpr std::array<const char*, 6> schemas = {
    R"({"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}},"required":["n"]})",
    R"({"type":"array","items":{"type":"integer"}})",
    R"({"type":"object","properties":{"user":{"type":"object","properties":{"name":{"type":"string"}}},"total":{"type":"number"},"tags":{"type":"array","items":{"type":"string"}}},"additionalProperties":false})",
    R"({"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"number"}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{"enum":["RED","DARK_BLUE"]}},"required":["kind","y"]}]})",
    R"({"properties":{"a":{"type":["integer","null"]},"b":{"type":"boolean","default":true}},"required":["b"]})",
    R"({"type":"string"})"};

const schema::program& program(std::size_t index) {
    static const auto all = [] {
        std::array<schema::program, schemas.size()> made;
        for (std::size_t i = 0; i < schemas.size(); ++i) {
            made[i] = schema::compile(document::parse(schemas[i]).value).value;
        }
        return made;
    }();
    return all[index];
}

void require(bool ok, const char* what) {
    if (ok) { return; }
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    const unsigned settings = in.byte();
    const std::string text = in.rest();
    const schema::program& p = program(settings % schemas.size());
    answer_options o;
    o.align.max_risk = static_cast<risk>(settings / 8 % 4);
    o.align.defaults = (settings & 64) != 0;
    o.heal.fast_path = (settings & 128) == 0;
    const fitted f = answer(std::string_view(text), p, o);
    const std::string said = reask_message(f);
    require(said.empty() == (f.fits() && f.text.verdict != verdict::truncated),
            "a message without need, or none");
    if (!f.text.ok()) {
        require(f.json().empty(), "a value of a refused text");
        return 0;
    }
    require(replay(text, f.text.edits) == f.text.json(), "the edits do not lead to the value");
    const parse_result made = document::parse_borrowed(f.json());
    require(static_cast<bool>(made), "the value is no JSON");
    require(f.value.fits == schema::fits(p, made.value.root()),
            "the value fits, or not, and the other is said");
    if (f.value.fits) {
        const fitted again = answer(f.json(), p, o);
        require(again.text.verdict == verdict::intact && again.fits() && again.json() == f.json(),
                "the value read again is another");
        require(again.value.changes.empty(), "what fits is changed");
    }
    const patched whole = apply_patch(f.json(), std::string("{\"\": ") + std::string(f.json()) + "}");
    require(whole.ok && document::parse(whole.json), "the value put in as a whole is no JSON");
    const patched odd = apply_patch(f.json(), text);
    require(static_cast<bool>(document::parse(odd.json)), "a patch makes no JSON");
    return 0;
}

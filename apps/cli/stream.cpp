#include "stream.hpp"

#include "console.hpp"
#include "explain_summary.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "report.hpp"
#include "schema_report.hpp"

#include <jsonheal/stream.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace jsonheal::cli {

namespace {

constexpr std::size_t read_size = 65536;
constexpr std::size_t longest_value = 1u << 20; // bytes of a string in the line of its end

/// Feeds all of the input. Nothing if the input could not be read or the output not be written.
template <class Use>
bool read_all(input_source& in, const Use& use) {
    std::vector<char> buffer(read_size);
    for (;;) {
        std::size_t got = 0;
        if (const problem p = in.read(buffer.data(), buffer.size(), got)) {
            complain(*p);
            return false;
        }
        if (got == 0) { return true; }
        if (!use(std::string_view(buffer.data(), got))) { return false; }
    }
}

stream_options options_for(const stream_command& c) {
    stream_options o;
    o.heal = c.engine;
    o.sink = stream_sink::text;
    if (c.schema != nullptr) {
        o.schema = c.schema->program;
        o.align = c.schema->align;
    }
    return o;
}

exit_code conclude(const stream_command& c, const std::string& name, const healing& h) {
    if (h.verdict == verdict::refused) {
        complain(name + ": refused at byte " + std::to_string(h.why.offset) + ": " + describe(h.why));
    } else if (h.verdict == verdict::truncated && !c.quiet) {
        complain(name + ": the text was cut off " + std::string(cut_phrase(h.cut)));
    }
    return code_of(h.verdict);
}

/// With a schema: prints the text aligned as far as that is certain, and says at the end what else it takes to fit.
exit_code print_aligned(const stream_command& c, input_source& in) {
    stream s(options_for(c));
    std::string printed;
    const auto put = [&](std::string_view text) {
        printed.append(text);
        return print(text);
    };
    const auto use = [&](std::string_view chunk) {
        s.feed(chunk);
        (void)s.drain_edits();
        return put(s.drain());
    };
    if (!read_all(in, use)) { return exit_code::failed; }
    const healing h = s.finish();
    if (!put(h.json())) { return exit_code::failed; }
    const exit_code code = conclude(c, in.name(), h);
    const alignment* a = s.aligned();
    if (a == nullptr) { return code; }
    if (!a->fits) { complain_of_misfit(in.name(), *a); }
    if (a->fits && a->json == printed) { return code; }
    if (a->fits && !c.quiet) {
        complain(in.name() + ": what was printed fits only with changes that the whole value decides");
        complain_of_changes(in.name(), *a, risk::exact);
    }
    return exit_code::misfit;
}

exit_code print_text(const stream_command& c, input_source& in) {
    healer engine(c.engine);
    const auto use = [&](std::string_view chunk) {
        engine.feed(chunk);
        (void)engine.drain_edits();
        return print(engine.drain());
    };
    if (!read_all(in, use)) { return exit_code::failed; }
    const healing h = engine.finish();
    if (!print(h.json())) { return exit_code::failed; }
    return conclude(c, in.name(), h);
}

std::string_view name(event_kind k) noexcept {
    switch (k) {
    case event_kind::began: return "begin";
    case event_kind::piece: return "piece";
    case event_kind::ended: break;
    }
    return "end";
}

/// {"event":"end","place":"/a/0","kind":"number","value":1}
void write_event(const stream_event& e, std::string& out) {
    {
        json_writer line(out, '{');
        line.text("event", name(e.kind))
            .text("place", e.place.pointer())
            .text("kind", jsonheal::name(e.value));
        if (e.kind == event_kind::piece) {
            line.text("text", e.text);
        } else if (e.kind == event_kind::ended &&
                   (e.value == value_kind::object || e.value == value_kind::array)) {
            line.number("size", e.size);
        } else if (e.kind == event_kind::ended && !e.cut) {
            line.json("value", e.text);
        }
    }
    out.push_back('\n');
}

exit_code print_events(const stream_command& c, input_source& in) {
    std::string out;
    stream_options options = options_for(c);
    options.heal.log = log_policy::counted;
    options.longest_text = longest_value;
    options.on_event = [&out](const stream_event& e) { write_event(e, out); };
    stream s(options);
    const auto use = [&](std::string_view chunk) {
        out.clear();
        s.feed(chunk);
        (void)s.drain();
        return print(out);
    };
    if (!read_all(in, use)) { return exit_code::failed; }
    out.clear();
    const healing h = s.finish();
    {
        json_writer line(out, '{');
        line.text("event", "finish")
            .text("verdict", jsonheal::name(h.verdict))
            .text("risk",
                  jsonheal::name(std::max(h.risk, s.aligned() != nullptr ? s.aligned()->risk : risk::exact)));
        if (h.verdict == verdict::truncated) { line.text("cut", jsonheal::name(h.cut)); }
        if (!h.ok()) { line.text("error", describe(h.why)); }
        line.number("edits", h.edit_count);
        if (const alignment* a = s.aligned()) {
            line.member("fits").append(a->fits ? "true" : "false");
            line.json("value", a->json);
        }
    }
    out.push_back('\n');
    if (!print(out)) { return exit_code::failed; }
    const exit_code code = conclude(c, in.name(), h);
    return s.aligned() != nullptr && !s.aligned()->fits ? exit_code::misfit : code;
}

} // namespace

exit_code heal_stream(const stream_command& c, const std::string& path) {
    input_source in;
    if (const problem p = in.open(path)) {
        complain(*p);
        return exit_code::failed;
    }
    if (c.events) { return print_events(c, in); }
    return c.schema != nullptr ? print_aligned(c, in) : print_text(c, in);
}

} // namespace jsonheal::cli

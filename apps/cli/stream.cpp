#include "stream.hpp"

#include "console.hpp"
#include "explain_summary.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "report.hpp"

#include <jsonheal/stream.hpp>

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

exit_code conclude(const stream_command& c, const std::string& name, const healing& h) {
    if (h.verdict == verdict::refused) {
        complain(name + ": refused at byte " + std::to_string(h.why.offset) + ": " + describe(h.why));
    } else if (h.verdict == verdict::truncated && !c.quiet) {
        complain(name + ": the text was cut off " + std::string(cut_phrase(h.cut)));
    }
    return code_of(h.verdict);
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
    stream_options options;
    options.heal = c.engine;
    options.heal.log = log_policy::counted;
    options.sink = stream_sink::text;
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
            .text("risk", jsonheal::name(h.risk));
        if (h.verdict == verdict::truncated) { line.text("cut", jsonheal::name(h.cut)); }
        if (!h.ok()) { line.text("error", describe(h.why)); }
        line.number("edits", h.edit_count);
    }
    out.push_back('\n');
    if (!print(out)) { return exit_code::failed; }
    return conclude(c, in.name(), h);
}

} // namespace

exit_code heal_stream(const stream_command& c, const std::string& path) {
    input_source in;
    if (const problem p = in.open(path)) {
        complain(*p);
        return exit_code::failed;
    }
    return c.events ? print_events(c, in) : print_text(c, in);
}

} // namespace jsonheal::cli

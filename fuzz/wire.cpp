// Wires: any bytes as request, response, error body and stream. The first byte chooses the codec and what to read.
#include "../tests/wire/invariants.hpp"
#include "../tests/wire/show.hpp"
#include "target.hpp"

#include <jsonheal/document.hpp>
#include <jsonheal/wire.hpp>

namespace {

using namespace jsonheal::wire;

void demand(bool holds, const char* what, std::string_view text) {
    if (holds) { return; }
    std::fprintf(stderr, "%s\n  input %s\n", what, jsonheal_test::show(text).c_str());
    std::abort();
}

bool is_json(std::string_view text) { return static_cast<bool>(jsonheal::document::parse_borrowed(text)); }

/// What was read is written as JSON on every wire, and on its own reads back the same.
void request_of(const codec& from, const std::string& text) {
    decode_options options;
    options.model = "m";
    const auto first = from.decode_request(text, options);
    demand(first || !first.error->message.empty(), "an error without a message", text);
    if (!first) { return; }
    for (const codec& to : codecs()) {
        demand(is_json(to.encode_request(first.value, {}).json), "no JSON", text);
    }
    const std::string again = from.encode_request(first.value, {}).json;
    const auto second = from.decode_request(again, options);
    demand(static_cast<bool>(second), "what was written cannot be read", again);
    demand(from.encode_request(second.value, {}).json == again, "writing again changes it", again);
    auto history = first.value.messages;
    (void)repair_history(history);
    demand(!repair_history(history).any(), "a repaired history is repaired again", text);
}

void response_of(const codec& from, const std::string& text) {
    const auto first = from.decode_response(text, {});
    demand(first || !first.error->message.empty(), "an error without a message", text);
    if (!first) { return; }
    for (const codec& to : codecs()) {
        demand(is_json(to.encode_response(first.value, {}).json), "no JSON", text);
    }
    const std::string again = from.encode_response(first.value, {}).json;
    const auto second = from.decode_response(again, {});
    demand(static_cast<bool>(second), "what was written cannot be read", again);
    demand(from.encode_response(second.value, {}).json == again, "writing again changes it", again);
}

/// Lines are events; a line `event: name` names the next one.
std::vector<stream_event> events_of(const codec& from, std::string_view text) {
    const auto decoder = from.make_decoder({});
    std::vector<stream_event> events;
    std::string name;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.starts_with("event: ")) {
            name = line.substr(7);
            continue;
        }
        decoder->feed(name, line, events);
        name.clear();
    }
    decoder->finish(events);
    return events;
}

void stream_of(const codec& from, const std::string& text) {
    const std::vector<stream_event> events = events_of(from, text);
    const auto broken = jsonheal_test::broken_order(events);
    demand(!broken, broken.value_or(std::string()).c_str(), text);
    for (const codec& to : codecs()) {
        const auto encoder = to.make_encoder({});
        std::string body;
        for (const stream_event& e : events) { encoder->put(e, body); }
        demand(!body.empty() && body.back() == '\n', "the body is not framed", text);
    }
    response_gatherer gathered;
    for (const stream_event& e : events) { gathered.put(e); }
    demand(gathered.done(), "the gatherer is not done", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    const unsigned choice = in.byte();
    const codec& from = codecs()[choice / 4 % codecs().size()];
    const std::string text = in.rest();
    switch (choice % 4) {
    case 0: request_of(from, text); break;
    case 1: response_of(from, text); break;
    case 2: stream_of(from, text); break;
    default: {
        const wire_error e = from.decode_error(static_cast<int>(choice) * 4, text);
        demand(!e.message.empty() && e.status != 0, "an error that says nothing", text);
        for (const codec& to : codecs()) { demand(is_json(to.encode_error(e)), "no JSON", text); }
    }
    }
    return 0;
}

#include "random_messages.hpp"

#include <jsonheal/document.hpp>

#include <utility>

namespace jsonheal_test {

using namespace jsonheal::wire;

std::string random_text(random_source& r) {
    static constexpr std::string_view pieces[] = {"a",           "word ",     "\"",
                                                  "\\",          "\n",        "\t",
                                                  "\x01",        "{\"a\":1}", "é",
                                                  "漢",          "😀",         "\xED\xA0\x80x",
                                                  "data: x\n\n", "[DONE]",    "</tool_call>",
                                                  "\\u0041",     " "};
    std::string out = "t";
    for (std::size_t n = r.below(8); n > 0; --n) { out += r.pick(pieces); }
    return out;
}

std::string random_object(random_source& r) {
    static constexpr std::string_view values[] = {"1",
                                                  "1.50",
                                                  "-0",
                                                  "1e400",
                                                  "true",
                                                  "null",
                                                  "\"\\ud83d\\ude00\"",
                                                  "[]",
                                                  "{\"b\":[1,{}]}",
                                                  "12345678901234567890"};
    std::string out = "{";
    const std::size_t n = r.below(4);
    for (std::size_t i = 0; i < n; ++i) {
        if (i != 0) { out += ','; }
        out += "\"k" + std::to_string(i) + "\":" + std::string(r.pick(values));
    }
    return out + "}";
}

namespace {

std::string random_name(random_source& r) {
    static constexpr std::string_view names[] = {"get_time", "f", "search-web", "a_b_c"};
    return std::string(r.pick(names));
}

content_block random_image(random_source& r) {
    image_block image;
    if (r.chance(50)) {
        image.url = "https://example.org/a.png";
    } else {
        image.media_type = "image/png";
        image.data = "iVBORw0=";
    }
    return {std::move(image), {}, {}};
}

message user_message(random_source& r) {
    message m{role::user, {make_text(random_text(r))}, {}, {}};
    if (r.chance(30)) { m.blocks.push_back(random_image(r)); }
    if (r.chance(30)) { m.blocks.push_back(make_text(random_text(r))); }
    if (r.chance(20)) { m.blocks[0].cache_control = R"({"type":"ephemeral"})"; }
    return m;
}

tool_call random_call(random_source& r, std::size_t number) {
    tool_call c;
    c.id = "call_" + std::to_string(number);
    c.name = random_name(r);
    c.arguments = random_object(r);
    return c;
}

/// A message of the assistant, and the results of its calls.
void turn(random_source& r, std::size_t& calls, std::vector<message>& out) {
    message m{role::assistant, {}, {}, {}};
    if (r.chance(70)) { m.blocks.push_back(make_text(random_text(r))); }
    std::vector<message> results;
    for (std::size_t n = m.blocks.empty() ? 1 + r.below(2) : r.below(3); n > 0; --n) {
        tool_call c = random_call(r, calls++);
        tool_result result;
        result.call_id = c.id;
        result.content = random_text(r);
        result.is_error = r.chance(20);
        if (result.is_error && r.chance(60)) { result.error_code = "ExitCode:2"; }
        results.push_back({role::tool, {{std::move(result), {}, {}}}, {}, {}});
        m.blocks.push_back({std::move(c), {}, {}});
    }
    out.push_back(std::move(m));
    for (message& result : results) { out.push_back(std::move(result)); }
}

void random_tools(random_source& r, request& q) {
    for (std::size_t n = r.below(3); n > 0; --n) {
        tool_definition t;
        t.name = random_name(r) + std::to_string(n);
        if (r.chance(70)) { t.description = random_text(r); }
        t.parameters = R"({"type":"object","properties":{"a":{"minimum":1.0}}})";
        if (r.chance(20)) { t.cache_control = R"({"type":"ephemeral"})"; }
        q.tools.push_back(std::move(t));
    }
    if (q.tools.empty()) { return; }
    using kind = tool_choice::kind;
    static constexpr std::array<kind, 5> kinds = {kind::unset, kind::automatic, kind::none, kind::required,
                                                  kind::tool};
    q.tool_choice.what = r.pick(kinds);
    if (q.tool_choice.what == kind::tool) { q.tool_choice.name = q.tools[0].name; }
}

} // namespace

request random_request(random_source& r) {
    request q;
    q.model = "m-1";
    if (r.chance(50)) { q.messages.push_back({role::system, {make_text(random_text(r))}, {}, {}}); }
    std::size_t calls = 0;
    for (std::size_t n = 1 + r.below(3); n > 0; --n) {
        q.messages.push_back(user_message(r));
        if (n > 1) { turn(r, calls, q.messages); }
    }
    random_tools(r, q);
    if (r.chance(40)) { q.max_tokens = static_cast<std::int64_t>(r.below(10000)) + 1; }
    if (r.chance(40)) { q.temperature = "0.70"; }
    if (r.chance(30)) { q.top_p = "1e-1"; }
    if (r.chance(30)) { q.stop = {"END", random_text(r)}; }
    if (r.chance(40)) { q.stream = r.chance(50); }
    if (r.chance(30)) {
        q.response_format.what = response_format::kind::json_schema;
        q.response_format.name = "s";
        q.response_format.schema = R"({"type":"object"})";
    }
    return q;
}

response random_response(random_source& r) {
    response a;
    a.id = "id-" + std::to_string(r.below(1000));
    a.model = "m-1";
    a.created = 1700000000;
    const std::size_t choices = r.chance(80) ? 1 : 2;
    for (std::size_t i = 0; i < choices; ++i) {
        choice c;
        c.index = static_cast<std::int64_t>(i);
        auto& blocks = c.message.blocks;
        if (r.chance(30)) { blocks.push_back({reasoning_block{random_text(r), {}, {}, {}}, {}, {}}); }
        if (r.chance(80)) { blocks.push_back(make_text(random_text(r))); }
        std::size_t calls = r.below(3);
        if (blocks.empty() && calls == 0) { blocks.push_back(make_text(random_text(r))); }
        c.finish.reason = calls != 0     ? finish_reason::tool_calls
                          : r.chance(80) ? finish_reason::stop
                                         : finish_reason::length;
        for (std::size_t n = 0; n < calls; ++n) { blocks.push_back({random_call(r, n), {}, {}}); }
        a.choices.push_back(std::move(c));
    }
    if (r.chance(70)) {
        usage u;
        u.input = static_cast<std::int64_t>(r.below(1000)) + 500;
        u.output = static_cast<std::int64_t>(r.below(1000));
        u.total = *u.input + *u.output;
        if (r.chance(50)) { u.cache_read = static_cast<std::int64_t>(r.below(400)); }
        a.usage = std::move(u);
    }
    return a;
}

} // namespace jsonheal_test

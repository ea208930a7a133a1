// Messages of Ollama, both ways, and the members of its last line.
#include "ollama.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <utility>

namespace jsonheal::wire_detail::ollama {

tool_call read_call(decoding& in, value_view v) {
    tool_call call;
    call.arguments = "{}";
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return call;
    }
    call.id = string_in(v, "id");
    const auto function = v.find("function");
    if (!function || !in.object(*function)) {
        in.fail(v, "is required", "function");
        return call;
    }
    std::string scratch;
    for (const member m : function->members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "name") {
            in.text(m.value, call.name);
        } else if (key == "arguments" && m.value.is(value_kind::string)) {
            call.arguments = m.value.string(); // as OpenAI writes them
        } else if (key == "arguments") {
            read_arguments_object(in, m.value, call);
        } else if (key != "index") {
            keep_extra(m, call.extra);
        }
    }
    if (call.arguments.empty()) { call.arguments = "{}"; }
    if (call.name.empty()) { in.fail(*function, "is required", "name"); }
    return call;
}

void write_call(writer& w, const tool_call& c, std::size_t index, bool own, notes_for& notes) {
    std::string arguments;
    if (!append_arguments(c, arguments)) { notes.add(index, "the arguments are no JSON object"); }
    w.open('{').text_if("id", c.id).open("function", '{').key("index").number(index).text("name", c.name);
    w.json("arguments", arguments);
    if (own) { w.extra(c.extra); }
    w.close('}').close('}');
}

bool read_message_member(decoding& in, std::string_view key, value_view v, message& out) {
    std::string text;
    if (key == "content") {
        if (in.text(v, text) && !text.empty()) { out.blocks.push_back(make_text(std::move(text))); }
    } else if (key == "thinking") {
        if (in.text(v, text) && !text.empty()) {
            out.blocks.insert(out.blocks.begin(), {reasoning_block{std::move(text), {}, {}, {}}, {}, {}});
        }
    } else if (key == "images") {
        if (!in.array(v)) { return true; }
        for (const value_view i : v.elements()) {
            image_block image;
            image.media_type = "image/png"; // the wire does not say; the model looks at the bytes
            in.text(i, image.data);
            out.blocks.push_back({std::move(image), {}, {}});
        }
    } else if (key == "tool_calls") {
        if (!in.array(v)) { return true; }
        for (const value_view c : v.elements()) { out.blocks.push_back({read_call(in, c), {}, {}}); }
    } else {
        return false;
    }
    return true;
}

finish finish_of(std::string_view word) {
    finish f;
    if (word == "stop" || word.empty()) {
        f.reason = finish_reason::stop;
    } else if (word == "length") {
        f.reason = finish_reason::length;
    } else {
        f.reason = finish_reason::other;
        f.native = word;
    }
    return f;
}

std::string_view word_of(const finish& f) {
    if (f.reason == finish_reason::length) { return "length"; }
    if (f.reason == finish_reason::other && !f.native.empty()) { return f.native; }
    return "stop";
}

bool read_trailer_member(decoding& in, const member& m, std::string_view key, trailer& out) {
    const auto counted = [&]() -> usage& {
        if (!out.used) { out.used.emplace(); }
        return *out.used;
    };
    if (key == "done") {
        std::optional<bool> done;
        in.boolean(m.value, done);
        out.done = done.value_or(false);
    } else if (key == "done_reason") {
        std::string word;
        if (in.text(m.value, word)) { out.end = finish_of(word); }
    } else if (key == "prompt_eval_count") {
        in.integer(m.value, counted().input);
    } else if (key == "eval_count") {
        in.integer(m.value, counted().output);
    } else if (key.ends_with("_duration")) {
        keep_extra(m, counted().extra);
    } else {
        return false;
    }
    return true;
}

void write_trailer(writer& w, const finish& f, const std::optional<usage>& u, bool own) {
    w.key("done").boolean(true).text("done_reason", word_of(f));
    if (!u) { return; }
    w.number_if("prompt_eval_count", u->input).number_if("eval_count", u->output);
    if (own) { w.extra(u->extra); }
}

std::string time_text(std::int64_t seconds) {
    namespace c = std::chrono;
    constexpr std::int64_t last = 253402300799; // 9999-12-31T23:59:59Z
    const std::int64_t known = std::clamp<std::int64_t>(seconds, 0, last);
    const c::sys_seconds time{c::seconds(known)};
    const auto day = c::floor<c::days>(time);
    const c::year_month_day date(day);
    const c::hh_mm_ss clock(time - day);
    char text[32];
    const int n =
        std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                      static_cast<int>(clock.seconds().count()));
    return {text, static_cast<std::size_t>(n)};
}

std::optional<std::int64_t> time_of(std::string_view text) noexcept {
    namespace c = std::chrono;
    constexpr std::string_view form = "0000-00-00T00:00:00";
    if (text.size() <= form.size() || text.back() != 'Z') { return std::nullopt; }
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !digit : text[i] != form[i]) { return std::nullopt; }
    }
    const auto number = [&](std::size_t from, std::size_t size) {
        int n = 0;
        std::from_chars(text.data() + from, text.data() + from + size, n);
        return n;
    };
    const c::year_month_day date(c::year(number(0, 4)), c::month(static_cast<unsigned>(number(5, 2))),
                                 c::day(static_cast<unsigned>(number(8, 2))));
    if (!date.ok()) { return std::nullopt; }
    const std::int64_t days = c::sys_days(date).time_since_epoch().count();
    return days * 86400 + number(11, 2) * 3600 + number(14, 2) * 60 + number(17, 2);
}

} // namespace jsonheal::wire_detail::ollama

#include "show.hpp"

#include <jsonheal/document.hpp>

namespace jsonheal_test {
namespace {

using namespace jsonheal::wire;
using jsonheal::document_builder;

/// Members of one object.
class shown {
public:
    shown() { b_.begin_object(); }
    shown& text(std::string_view key, std::string_view v, bool always = false) {
        if (always || !v.empty()) { b_.key(key).string(v); }
        return *this;
    }
    shown& number(std::string_view key, const std::optional<std::int64_t>& n) {
        if (n) { b_.key(key).number(*n); }
        return *this;
    }
    shown& index(std::string_view key, std::size_t n, bool always = false) {
        if (always || n != 0) { b_.key(key).number(static_cast<std::int64_t>(n)); }
        return *this;
    }
    shown& flag(std::string_view key, bool f) {
        if (f) { b_.key(key).boolean(true); }
        return *this;
    }
    shown& extra(std::string_view key, const extra_members& members) {
        if (members.empty()) { return *this; }
        b_.key(key).begin_object();
        for (const extra_member& m : members) {
            b_.key(m.name).copy(jsonheal::document::parse(m.json).value.root());
        }
        b_.end_object();
        return *this;
    }
    shown& json(std::string_view key, const std::string& text) {
        b_.key(key).copy(jsonheal::document::parse(text).value.root());
        return *this;
    }
    std::string done() { return std::string(b_.end_object().finish().text()); }

private:
    document_builder b_;
};

std::string show_usage(const usage& u) {
    return shown()
        .number("input", u.input)
        .number("output", u.output)
        .number("total", u.total)
        .number("cache_read", u.cache_read)
        .number("cache_write", u.cache_write)
        .number("reasoning", u.reasoning)
        .extra("extra", u.extra)
        .extra("input_extra", u.input_extra)
        .extra("output_extra", u.output_extra)
        .done();
}

struct shower {
    std::string operator()(const message_start& e) const {
        return shown()
            .text("start", e.id, true)
            .text("model", e.model)
            .number("created", e.created)
            .extra("extra", e.extra)
            .done();
    }
    std::string operator()(const text_delta& e) const {
        return shown().text("text", e.text, true).index("choice", e.choice).done();
    }
    std::string operator()(const reasoning_delta& e) const {
        return shown()
            .text("reasoning", e.text, true)
            .index("choice", e.choice)
            .text("signature", e.signature)
            .text("redacted", e.redacted)
            .done();
    }
    std::string operator()(const refusal_delta& e) const {
        return shown().text("refusal", e.text, true).index("choice", e.choice).done();
    }
    std::string operator()(const call_begin& e) const {
        return shown()
            .index("call", e.call, true)
            .index("choice", e.choice)
            .text("id", e.id, true)
            .text("name", e.name, true)
            .flag("custom", e.custom)
            .text("signature", e.signature)
            .extra("extra", e.extra)
            .extra("wrapper_extra", e.wrapper_extra)
            .done();
    }
    std::string operator()(const call_arguments& e) const {
        return shown()
            .index("call", e.call, true)
            .index("choice", e.choice)
            .text("arguments", e.text, true)
            .done();
    }
    std::string operator()(const extra_delta& e) const {
        return shown()
            .index("choice", e.choice)
            .extra("chunk", e.chunk)
            .extra("in_choice", e.in_choice)
            .extra("in_delta", e.in_delta)
            .done();
    }
    std::string operator()(const choice_finish& e) const {
        return shown()
            .text("finish", name(e.finish.reason))
            .index("choice", e.choice)
            .text("native", e.finish.native)
            .text("stop_sequence", e.finish.stop_sequence)
            .done();
    }
    std::string operator()(const usage_total& e) const {
        return shown().json("usage", show_usage(e.usage)).done();
    }
    std::string operator()(const stream_error& e) const { return show(e.error); }
    std::string operator()(const stream_done&) const { return shown().flag("done", true).done(); }
};

} // namespace

std::string show(const stream_event& event) { return std::visit(shower{}, event); }

std::string show(const wire_error& e) {
    return shown()
        .text("error", e.message, true)
        .number("status", e.status)
        .text("field", e.field)
        .text("type", e.type)
        .text("code", e.code)
        .text("param", e.param)
        .text("failed_generation", e.failed_generation)
        .extra("extra", e.extra)
        .done();
}

} // namespace jsonheal_test

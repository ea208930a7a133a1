// Streams of chat completions: events to chunks that strict clients accept.
#include "openai_chat.hpp"

#include <utility>

namespace jsonheal::wire_detail::chat {

namespace {

/// What has been told of a choice.
struct told {
    std::vector<bool> arguments; ///< for each call whether any of its arguments went out
    bool seen = false;           ///< its role went out
    bool finished = false;
};

class chat_stream_encoder final : public stream_encoder {
public:
    explicit chat_stream_encoder(const response_options& options)
        : id_(options.id), model_(options.model), created_(options.created), usage_(options.include_usage) {}

    void put(const stream_event& event, std::string& out) override {
        if (ended_) { return; }
        if (const auto* start = std::get_if<message_start>(&event)) {
            head(*start);
        } else {
            std::visit([&](const auto& e) { say(e, out); }, event);
        }
    }

private:
    /// `{"id":…,…,"choices":[`, the same in every chunk.
    void head(const message_start& e) {
        own_ = e.origin == wire_id::openai_chat || e.origin == wire_id::none;
        head_.clear();
        writer w(head_);
        const std::string made = "chatcmpl-" + make_call_id({}, e.model, 0, 0).substr(5);
        w.open('{')
            .text("id", !id_.empty()    ? id_
                        : !e.id.empty() ? e.id
                                        : made)
            .text("object", "chat.completion.chunk");
        w.key("created").number(created_ ? *created_ : e.created.value_or(0));
        w.text("model", model_.empty() ? e.model : model_);
        if (own_) { w.extra(e.extra); }
        head_ += ",\"choices\":[";
    }

    void open(std::string& out) {
        if (head_.empty()) { head({}); }
        out += "data: ";
        out += head_;
    }
    /// Closes the chunk behind its choices; `members` go behind them, and begin with a comma.
    void close(std::string& out, std::string_view members = {}) const {
        out += ']';
        out += members;
        if (usage_) { out += ",\"usage\":null"; }
        out += "}\n\n";
    }

    told& at(std::size_t choice) {
        if (choice >= choices_.size()) { choices_.resize(choice + 1); }
        return choices_[choice];
    }

    /// Writes a chunk with one choice: `{"index":0,"delta":{…` and, behind the delta, the reason or null.
    template <class Delta>
    void chunk(std::size_t choice, std::string& out, Delta&& delta, std::string_view reason = {},
               const extra_members* in_choice = nullptr, std::string_view members = {}) {
        told& t = at(choice);
        open(out);
        writer w(out);
        w.open('{').key("index").number(choice).open("delta", '{');
        const bool first = !std::exchange(t.seen, true);
        if (first) { w.text("role", "assistant"); }
        delta(w, first);
        w.close('}').key("finish_reason");
        if (reason.empty()) {
            w.null();
        } else {
            w.string(reason);
        }
        if (in_choice != nullptr) { w.extra(*in_choice); }
        w.close('}');
        close(out, members);
    }

    void say(const message_start&, std::string&) {}

    void say(const text_delta& e, std::string& out) {
        chunk(e.choice, out, [&](writer& w, bool) { w.text("content", e.text); });
    }
    void say(const reasoning_delta& e, std::string& out) {
        if (e.text.empty()) { return; } // signatures have no place here
        chunk(e.choice, out, [&](writer& w, bool) { w.text(reasoning_member(e.member), e.text); });
    }
    void say(const refusal_delta& e, std::string& out) {
        chunk(e.choice, out, [&](writer& w, bool) { w.text("refusal", e.text); });
    }
    void say(const call_begin& e, std::string& out) {
        std::vector<bool>& calls = at(e.choice).arguments;
        if (e.call >= calls.size()) {
            calls.resize(e.call + 1, e.custom);
        } // a custom tool may get no text at all
        chunk(e.choice, out, [&](writer& w, bool first) {
            if (first) { w.key("content").null(); }
            w.open("tool_calls", '[');
            tool_call call;
            call.id = e.id;
            call.name = e.name;
            call.custom = e.custom;
            if (own_) {
                call.extra = e.extra;
                call.wrapper_extra = e.wrapper_extra;
            }
            write_call(w, call, e.call);
            w.close(']');
        });
    }
    void say(const call_arguments& e, std::string& out) {
        std::vector<bool>& calls = at(e.choice).arguments;
        if (e.call >= calls.size()) { return; } // never begun: the events break their order
        calls[e.call] = true;
        arguments(e.choice, e.call, e.text, out);
    }
    void arguments(std::size_t choice, std::size_t call, std::string_view text, std::string& out) {
        chunk(choice, out, [&](writer& w, bool) {
            w.open("tool_calls", '[').open('{').key("index").number(call);
            w.open("function", '{').text("arguments", text).close('}').close('}').close(']');
        });
    }
    void say(const extra_delta& e, std::string& out) {
        if (!own_) { return; }
        std::string members;
        for (const extra_member& m : e.chunk) {
            members += ',';
            writer w(members);
            w.string(m.name);
            members.append(":").append(m.json);
        }
        chunk(
            e.choice, out, [&](writer& w, bool) { w.extra(e.in_delta); }, {}, &e.in_choice, members);
    }
    void say(const choice_finish& e, std::string& out) {
        if (std::exchange(at(e.choice).finished, true)) { return; }
        const std::vector<bool> calls = at(e.choice).arguments;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (!calls[i]) { arguments(e.choice, i, "{}", out); } // empty arguments are no JSON
        }
        chunk(
            e.choice, out,
            [&](writer& w, bool first) {
                if (first) { w.text("content", ""); }
            },
            word_of(e.finish, calls.size()));
    }
    void say(const usage_total& e, std::string& out) {
        if (!usage_) { return; }
        open(out);
        out += "],\"usage\":";
        writer w(out);
        write_usage(w, e.usage);
        out += "}\n\n";
    }
    /// A top-level error is what clients notice; the reason is for those who look at choices alone.
    void say(const stream_error& e, std::string& out) {
        ended_ = true;
        if (choices_.empty()) { at(0); }
        open(out);
        writer w(out);
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            const bool open_still = !choices_[i].finished && (choices_[i].seen || choices_.size() == 1);
            if (!open_still) { continue; }
            w.open('{')
                .key("index")
                .number(i)
                .open("delta", '{')
                .close('}')
                .text("finish_reason", "error")
                .close('}');
        }
        std::string error = ",\"error\":";
        writer inner(error);
        write_error(inner, e.error);
        close(out, error);
        out += "data: [DONE]\n\n";
    }
    void say(const stream_done&, std::string& out) {
        for (const told& t : choices_) {
            if (t.seen && !t.finished) {
                cut(out);
                return;
            }
        }
        if (choices_.empty()) {
            cut(out);
            return;
        }
        ended_ = true;
        out += "data: [DONE]\n\n";
    }
    void cut(std::string& out) {
        wire_error e;
        e.status = 502;
        e.message = "the stream ended before the answer did";
        say(stream_error{std::move(e)}, out);
    }

    std::string id_, model_, head_;
    std::optional<std::int64_t> created_;
    std::vector<told> choices_;
    bool usage_ = false, own_ = true, ended_ = false;
};

} // namespace

std::unique_ptr<stream_encoder> make_encoder(const response_options& options) {
    return std::make_unique<chat_stream_encoder>(options);
}

} // namespace jsonheal::wire_detail::chat

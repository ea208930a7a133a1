// Streams to responses and back.
#include <jsonheal/wire_stream.hpp>

#include <algorithm>
#include <utility>

namespace jsonheal::wire {

choice& response_gatherer::at(std::size_t index) {
    auto& choices = response_.choices;
    const auto wanted = static_cast<std::int64_t>(index);
    const auto place = std::lower_bound(choices.begin(), choices.end(), wanted,
                                        [](const choice& c, std::int64_t i) { return c.index < i; });
    if (place != choices.end() && place->index == wanted) { return *place; }
    choice added;
    added.index = wanted;
    return *choices.insert(place, std::move(added));
}

namespace {

/// The block that goes on, if the last one is of that kind and open; else a new one.
template <class Block>
Block& last(message& m) {
    if (m.blocks.empty() || m.blocks.back().get<Block>() == nullptr) {
        m.blocks.push_back({Block{}, {}, {}});
    }
    return *m.blocks.back().get<Block>();
}

tool_call* call_at(message& m, std::size_t index) {
    for (content_block& b : m.blocks) {
        auto* c = b.get<tool_call>();
        if (c != nullptr && index-- == 0) { return c; }
    }
    return nullptr;
}

void add_thought(message& m, const reasoning_delta& e) {
    const bool signed_already = !m.blocks.empty() && m.blocks.back().get<reasoning_block>() != nullptr &&
                                (!m.blocks.back().get<reasoning_block>()->signature.empty() ||
                                 !m.blocks.back().get<reasoning_block>()->redacted.empty());
    if (signed_already || !e.redacted.empty()) { m.blocks.push_back({reasoning_block{}, {}, {}}); }
    auto& block = last<reasoning_block>(m);
    block.text += e.text;
    block.signature += e.signature;
    block.redacted += e.redacted;
    if (block.member.empty()) { block.member = e.member; }
}

/// Members of one name come in pieces too; of several the last counts, as for any reader.
void add_extra(extra_members& known, const extra_members& more) {
    for (const extra_member& m : more) {
        const auto same =
            std::find_if(known.begin(), known.end(), [&](const extra_member& k) { return k.name == m.name; });
        if (same == known.end()) {
            known.push_back(m);
        } else {
            same->json = m.json;
        }
    }
}

} // namespace

void response_gatherer::put(const stream_event& event) {
    if (const auto* e = std::get_if<message_start>(&event)) {
        response_.origin = e->origin;
        response_.id = e->id;
        response_.model = e->model;
        response_.created = e->created;
        response_.extra = e->extra;
    } else if (const auto* t = std::get_if<text_delta>(&event)) {
        last<text_block>(at(t->choice).message).text += t->text;
    } else if (const auto* r = std::get_if<reasoning_delta>(&event)) {
        add_thought(at(r->choice).message, *r);
    } else if (const auto* f = std::get_if<refusal_delta>(&event)) {
        last<refusal_block>(at(f->choice).message).text += f->text;
    } else if (const auto* b = std::get_if<call_begin>(&event)) {
        tool_call call{b->id, b->name, {}, b->custom, b->signature, b->extra, b->wrapper_extra};
        at(b->choice).message.blocks.push_back({std::move(call), {}, {}});
    } else if (const auto* a = std::get_if<call_arguments>(&event)) {
        if (tool_call* call = call_at(at(a->choice).message, a->call)) { call->arguments += a->text; }
    } else if (const auto* x = std::get_if<extra_delta>(&event)) {
        add_extra(response_.extra, x->chunk);
        if (!x->in_choice.empty()) { add_extra(at(x->choice).extra, x->in_choice); }
        if (!x->in_delta.empty()) { add_extra(at(x->choice).message.extra, x->in_delta); }
    } else if (const auto* end = std::get_if<choice_finish>(&event)) {
        at(end->choice).finish = end->finish;
    } else if (const auto* u = std::get_if<usage_total>(&event)) {
        response_.usage = u->usage;
    } else if (const auto* failed = std::get_if<stream_error>(&event)) {
        error_ = failed->error;
    } else {
        done_ = true;
    }
}

namespace {

/// Calls `each` for the pieces of a text, of at most `piece` bytes but at least one character.
template <class Each>
void in_pieces(const std::string& text, std::size_t piece, Each&& each) {
    for (std::size_t from = 0; from < text.size();) {
        std::size_t to = piece == 0 || text.size() - from <= piece ? text.size() : from + piece;
        const auto inside = [&](std::size_t i) {
            return (static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u;
        };
        while (to < text.size() && to > from + 1 && inside(to)) { --to; }
        if (to < text.size() && inside(to)) { to = from + 1; }
        while (to < text.size() && inside(to)) { ++to; }
        each(text.substr(from, to - from));
        from = to;
    }
}

void replay_block(const content_block& block, std::size_t choice, std::size_t& calls, std::size_t piece,
                  std::vector<stream_event>& out) {
    if (const auto* t = block.get<text_block>()) {
        in_pieces(t->text, piece, [&](std::string s) { out.emplace_back(text_delta{choice, std::move(s)}); });
    } else if (const auto* r = block.get<reasoning_block>()) {
        in_pieces(r->text, piece, [&](std::string s) {
            out.emplace_back(reasoning_delta{choice, std::move(s), {}, {}, r->member});
        });
        if (!r->signature.empty() || !r->redacted.empty()) {
            out.emplace_back(reasoning_delta{choice, {}, r->signature, r->redacted, r->member});
        }
    } else if (const auto* f = block.get<refusal_block>()) {
        in_pieces(f->text, piece, [&](std::string s) {
            out.emplace_back(refusal_delta{choice, std::move(s)});
        });
    } else if (const auto* c = block.get<tool_call>()) {
        const std::size_t call = calls++;
        out.emplace_back(
            call_begin{choice, call, c->id, c->name, c->custom, c->signature, c->extra, c->wrapper_extra});
        in_pieces(c->arguments, piece, [&](std::string s) {
            out.emplace_back(call_arguments{choice, call, std::move(s)});
        });
    }
}

} // namespace

void replay(const response& r, std::size_t piece, std::vector<stream_event>& out) {
    out.emplace_back(message_start{r.origin, r.id, r.model, r.created, r.extra});
    for (const choice& c : r.choices) {
        const auto index = static_cast<std::size_t>(c.index);
        std::size_t calls = 0;
        for (const content_block& b : c.message.blocks) { replay_block(b, index, calls, piece, out); }
        if (!c.extra.empty() || !c.message.extra.empty()) {
            out.emplace_back(extra_delta{index, {}, c.extra, c.message.extra});
        }
    }
    for (const choice& c : r.choices) {
        out.emplace_back(choice_finish{static_cast<std::size_t>(c.index), c.finish});
    }
    if (r.usage) { out.emplace_back(usage_total{*r.usage}); }
    out.emplace_back(stream_done{});
}

} // namespace jsonheal::wire

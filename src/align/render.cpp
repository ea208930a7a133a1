#include "render.hpp"

#include "solver.hpp"

#include <algorithm>

namespace jsonheal::align_detail {

namespace {

/// A reference token of RFC 6901.
[[nodiscard]] std::string escaped(std::string_view token) {
    std::string out = "/";
    for (const char c : token) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

[[nodiscard]] std::string quoted(std::string_view wtf8) {
    std::string out;
    encode_string(wtf8, out);
    return out;
}

/// The text between two places of one source.
[[nodiscard]] std::string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}
[[nodiscard]] const char* start(value_view v) { return v.source().data(); }
[[nodiscard]] const char* stop(value_view v) { return v.source().data() + v.source().size(); }

} // namespace

void renderer::write(const state& s, const plan& p, std::string& out, alignment* log) {
    log_ = log;
    value(s, p, out);
    while (true) {
        todo_.insert(todo_.end(), next_.rbegin(), next_.rend());
        next_.clear();
        if (todo_.empty()) { return; }
        const task t = todo_.back();
        todo_.pop_back();
        run(t, out);
    }
}

void renderer::put_owned(std::string text) {
    put(task::kind::owned, static_cast<std::uint32_t>(made_.size()));
    made_.push_back(std::move(text));
}

void renderer::run(const task& t, std::string& out) {
    switch (t.what) {
    case task::kind::text: out.append(t.text); return;
    case task::kind::owned: out.append(made_[t.number]); return;
    case task::kind::value: value(plans_.at(t.number), plans_.at(t.number).best, out); return;
    case task::kind::down: pointer_.append(made_[t.number]); return;
    case task::kind::up: pointer_.resize(pointer_.size() - t.number); return;
    case task::kind::span: spans_.emplace_back(notes_[t.number].begin, notes_[t.number].end); return;
    case task::kind::span_back: spans_.pop_back(); return;
    case task::kind::note: {
        change& c = notes_[t.number];
        c.pointer.insert(0, pointer_);
        log_->changes.push_back(std::move(c));
        return;
    }
    }
}

/// Puts a change on the list of tasks, so that it is recorded in its turn.
void renderer::note(change c, std::size_t begin, std::size_t end) {
    if (log_ == nullptr) { return; }
    c.begin = spans_.empty() ? begin : spans_.front().first;
    c.end = spans_.empty() ? end : spans_.front().second;
    put(task::kind::note, static_cast<std::uint32_t>(notes_.size()));
    notes_.push_back(std::move(c));
}

void renderer::below(std::string_view token, std::uint32_t child) {
    if (log_ == nullptr) { return put(task::kind::value, child); }
    const auto number = static_cast<std::uint32_t>(made_.size());
    made_.push_back(escaped(token));
    put(task::kind::down, number);
    put(task::kind::value, child);
    put(task::kind::up, static_cast<std::uint32_t>(made_[number].size()));
}

void renderer::value(const state& s, const plan& p, std::string& out) {
    const value_view v = s.value;
    if (!p.changed) {
        out.append(v.source());
        return;
    }
    switch (p.act) {
    case act::keep: put(task::kind::text, 0, v.source()); return;
    case act::text:
        note({std::string(), std::string(v.source()), p.text, p.rule, p.risk}, v.begin(), v.end());
        put_owned(p.text);
        return;
    case act::same:
        if (log_ != nullptr && p.runner_up != nothing) { choice(p); }
        put(task::kind::value, p.child);
        return;
    case act::inner: inner(s, p); return;
    case act::wrap:
        note({std::string(), std::string(v.source()), "[" + std::string(v.source()) + "]", p.rule, p.risk},
             v.begin(), v.end());
        put_owned("[");
        below("0", p.child);
        put_owned("]");
        return;
    case act::key: {
        const std::string before(v.source());
        note({std::string(), before, "{" + p.text + ": " + before + "}", p.rule, p.risk}, v.begin(), v.end());
        put_owned("{" + p.text + ": ");
        below(plans_.shape_of(s).properties[0].key, p.child);
        put_owned("}");
        return;
    }
    case act::parts:
        if (v.is(value_kind::object)) {
            object(s, p);
        } else {
            array(s, p);
        }
        return;
    }
}

void renderer::choice(const plan& p) {
    const state& taken = plans_.at(p.child);
    const state& next = plans_.at(p.runner_up);
    log_->choices.push_back({pointer_, plans_.node(taken.node).location(), plans_.node(next.node).location(),
                             taken.best.cost, next.best.cost});
    if (taken.best.cost == next.best.cost) { log_->risk = std::max(log_->risk, risk::likely); }
}

void renderer::inner(const state& s, const plan& p) {
    const value_view v = s.value;
    const value_view child = plans_.at(p.child).value;
    const bool held = v.is(value_kind::string); // the child is of another document
    note({std::string(), std::string(v.source()), std::string(child.source()), p.rule, p.risk}, v.begin(),
         v.end());
    if (log_ != nullptr && held) {
        const auto number = static_cast<std::uint32_t>(notes_.size() - 1);
        put(task::kind::span, number);
        // The note is moved out when it is recorded; its bytes stay.
        put(task::kind::value, p.child);
        put(task::kind::span_back);
        return;
    }
    put(task::kind::value, p.child);
}

void renderer::object(const state& s, const plan& p) {
    const value_view v = s.value;
    const auto& properties = plans_.shape_of(s).properties;
    std::string_view separator = ", ";
    std::string_view colon = ": ";
    const char* behind = nullptr; // of the member before in the source
    bool any_kept = false;
    std::size_t i = 0;
    put(task::kind::text, 0,
        v.size() == 0 ? std::string_view("{") : between(start(v), start((*v.members().begin()).key)));
    for (const member m : v.members()) {
        const part_plan& part = p.parts[i++];
        const std::string key = m.key.string();
        if (behind != nullptr) { separator = between(behind, start(m.key)); }
        behind = stop(m.value);
        colon = between(stop(m.key), start(m.value));
        if (part.what == part_plan::dropped) {
            note({escaped(key), std::string(m.value.source()), {}, part.rule, info(part.rule).risk},
                 m.key.begin(), m.value.end());
            continue;
        }
        if (any_kept) { put(task::kind::text, 0, separator); }
        any_kept = true;
        if (part.what == part_plan::renamed) {
            const std::string_view renamed = properties[part.property].key;
            note({escaped(renamed), std::string(m.key.source()), quoted(renamed), part.rule,
                  info(part.rule).risk},
                 m.key.begin(), m.key.end());
            put_owned(quoted(renamed));
            put(task::kind::text, 0, colon);
            below(renamed, part.child);
        } else {
            put(task::kind::text, 0, between(start(m.key), start(m.value)));
            below(key, part.child);
        }
    }
    for (; i != p.parts.size(); ++i) {
        const part_plan& part = p.parts[i];
        const std::string_view key = properties[part.property].key;
        align_rule rule{};
        const std::string text =
            plans_.absent_value(plans_.member_shape(s, key), properties[part.property], rule);
        note({escaped(key), {}, text, rule, info(rule).risk}, v.begin(), v.end());
        if (any_kept) { put(task::kind::text, 0, separator); }
        any_kept = true;
        put_owned(quoted(key) + std::string(colon) + text);
    }
    put(task::kind::text, 0, behind == nullptr ? std::string_view("}") : between(behind, stop(v)));
}

void renderer::array(const state& s, const plan& p) {
    const value_view v = s.value;
    const char* behind = nullptr;
    bool any_kept = false;
    std::size_t i = 0;
    std::size_t kept = 0;
    put(task::kind::text, 0, between(start(v), start(*v.elements().begin())));
    for (const value_view e : v.elements()) {
        const part_plan& part = p.parts[i++];
        const std::string_view separator = behind == nullptr ? std::string_view() : between(behind, start(e));
        behind = stop(e);
        if (part.what == part_plan::dropped) {
            note(
                {escaped(std::to_string(kept)), std::string(e.source()), {}, part.rule, info(part.rule).risk},
                e.begin(), e.end());
            continue;
        }
        if (any_kept) { put(task::kind::text, 0, separator); }
        any_kept = true;
        below(std::to_string(kept++), part.child);
    }
    put(task::kind::text, 0, between(behind, stop(v)));
}

} // namespace jsonheal::align_detail

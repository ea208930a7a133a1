#include "laws.hpp"

#include "random.hpp"
#include "rule_shapes.hpp"
#include "show.hpp"
#include "strict_json.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace jsonheal_test {

using jsonheal::cut_place;
using jsonheal::edit;
using jsonheal::heal_options;
using jsonheal::healing;
using jsonheal::log_policy;
using jsonheal::preset;
using jsonheal::risk;
using jsonheal::rule;
using jsonheal::verdict;

chunking chunks_of(std::size_t size) {
    return [size](std::size_t) { return size; };
}

chunking split_at(std::size_t position) {
    return [position](std::size_t at) { return at < position ? position - at : ~std::size_t{0}; };
}

chunking random_chunks(std::uint64_t seed, std::size_t longest) {
    auto random = std::make_shared<random_source>(seed);
    return [random, longest](std::size_t) { return random->between(1, longest); };
}

// ---- streams

streamed stream(std::string_view text, const heal_options& options, const chunking& chunks) {
    jsonheal::healer h(options);
    return stream(h, text, options, chunks);
}

streamed stream(jsonheal::healer& h, std::string_view text, const heal_options& options,
                const chunking& chunks) {
    streamed out;
    auto look = [&](std::size_t fed) {
        std::string_view now = h.settled();
        if (now.size() < out.settled.size()) {
            out.broken = "after " + std::to_string(fed) + " bytes the settled text shrank from " +
                         std::to_string(out.settled.size()) + " to " + std::to_string(now.size()) + " bytes";
            return;
        }
        // Each byte is kept as it was when it was first handed out, so that a change in it shows at the end.
        out.settled.append(now.substr(out.settled.size()));
        if (options.preset == preset::whole && !now.empty()) {
            out.broken = "the preset whole settled bytes before the end: " + show(now);
        }
        if (fed >= now.size()) { out.most_held = std::max(out.most_held, fed - now.size()); }
    };
    look(0);
    for (std::size_t at = 0; at < text.size();) {
        std::size_t size = std::min(std::max<std::size_t>(chunks(at), 1), text.size() - at);
        // A copy of its own, so that a sanitizer sees a read of bytes that a caller has given up.
        std::unique_ptr<char[]> chunk(new char[size]);
        std::copy_n(text.data() + at, size, chunk.get());
        h.feed({chunk.get(), size});
        at += size;
        look(at);
    }
    out.outcome = h.finish();
    return out;
}

failure compare(const healing& want, const healing& got, std::string_view what) {
    auto differ = [&](std::string_view part) {
        return std::string(what) + ": " + std::string(part) + " differs\n  want " + show(want) + "\n  got  " +
               show(got);
    };
    if (want.json() != got.json()) { return differ("json"); }
    if (want.verdict != got.verdict) { return differ("verdict"); }
    if (want.cut != got.cut) { return differ("cut"); }
    if (want.risk != got.risk) { return differ("risk"); }
    if (want.edit_count != got.edit_count) { return differ("edit_count"); }
    if (want.edits != got.edits) { return differ("edits"); }
    if (want.why.message != got.why.message) { return differ("why.message"); }
    if (want.why.offset != got.why.offset) { return differ("why.offset"); }
    if (want.why.by_rule != got.why.by_rule) { return differ("why.by_rule"); }
    if (want.why.by_rule && want.why.rule != got.why.rule) { return differ("why.rule"); }
    return std::nullopt;
}

failure check_same_answer(std::string_view input, const healing& h, const heal_options& options,
                          const chunking& chunks) {
    streamed s = stream(input, options, chunks);
    if (s.broken) { return "settled: " + *s.broken; }
    if (auto why = compare(h, s.outcome, "same answer, one shot against stream")) { return why; }
    if (s.outcome.json().substr(0, s.settled.size()) != s.settled) {
        return "settled: handed out " + show(s.settled) + "\n  but the outcome is " + show(s.outcome);
    }
    return std::nullopt;
}

namespace {

constexpr std::size_t short_text = 400; // texts up to here are looked at after every chunk

/// What a stream shows that was fed these bytes at once.
jsonheal::snapshot snapshot_of(std::string_view beginning, const heal_options& options) {
    jsonheal::healer h(options);
    h.feed(beginning);
    return h.snapshot();
}

failure check_snapshot(const jsonheal::snapshot& s, std::string_view settled, std::string_view fed,
                       const heal_options& options) {
    auto bad = [&](std::string_view what) {
        return "snapshot after " + std::to_string(fed.size()) + " bytes: " + std::string(what) + ": " +
               std::to_string(s.settled_length) + " bytes of " + show(settled) + " and " + show(s.tail);
    };
    if (s.settled_length > settled.size()) { return bad("longer than what has settled"); }
    if (s.settled_length == 0) { return s.tail.empty() ? failure() : bad("closers of nothing"); }
    const std::string whole = std::string(settled.substr(0, s.settled_length)) + s.tail;
    if (!check_strict_json(whole).valid) { return bad("no strict JSON"); }
    const jsonheal::snapshot want = snapshot_of(fed, options);
    if (want.settled_length != s.settled_length || want.tail != s.tail) {
        return bad("depends on the chunks");
    }
    return std::nullopt;
}

} // namespace

failure check_drained(std::string_view input, const healing& h, const heal_options& options,
                      const chunking& chunks) {
    jsonheal::healer stream(options);
    std::string text;
    std::vector<edit> edits;
    std::size_t shown = 0;
    for (std::size_t at = 0; at < input.size();) {
        const std::size_t size = std::min(std::max<std::size_t>(chunks(at), 1), input.size() - at);
        stream.feed(input.substr(at, size));
        at += size;
        const bool looks = input.size() <= short_text;
        jsonheal::snapshot s;
        if (looks) { s = stream.snapshot(); }
        text += stream.drain();
        const auto log = stream.drain_edits();
        edits.insert(edits.end(), log.begin(), log.end());
        if (!looks) { continue; }
        if (auto why = check_snapshot(s, text, input.substr(0, at), options)) { return why; }
        if (s.settled_length < shown) { return "snapshot: it shows less than the one before"; }
        shown = s.settled_length;
    }
    const std::string handed = text;
    healing rest = stream.finish();
    text += rest.json();
    edits.insert(edits.end(), rest.edits.begin(), rest.edits.end());
    if (text.substr(0, handed.size()) != handed) { return "drained: text was taken back"; }
    rest.set_owned(text);
    // where nothing came out the log says only what was passed over
    rest.edits = h.json().empty() ? h.edits : edits;
    return compare(h, rest, "one shot against a drained stream");
}

// ---- one outcome

failure check_identity(std::string_view valid, heal_options options) {
    auto judge = [&](const healing& h, std::string_view face) -> failure {
        bool same = h.verdict == verdict::intact && h.json() == valid && h.edit_count == 0 &&
                    h.edits.empty() && h.risk == risk::exact && h.cut == cut_place::none;
        if (same) { return std::nullopt; }
        return "identity, " + std::string(face) + ": valid JSON was changed\n  got  " + show(h);
    };
    for (bool fast : {false, true}) {
        options.fast_path = fast;
        healing h = jsonheal::heal(valid, options);
        if (auto why = judge(h, fast ? "fast path on" : "fast path off")) { return why; }
        if (fast && h.json().data() != valid.data()) {
            return "identity: an intact result must borrow the text";
        }
    }
    streamed s = stream(valid, options, chunks_of(valid.size()));
    return judge(s.outcome, "stream");
}

namespace {

/// What makes a settled part whole: the end of a string, a placeholder if a member has no value yet, closers.
bool is_closing(std::string_view text) {
    if (text.substr(0, 3) == "\"\":") {
        text.remove_prefix(1);
    } // a comma was handed out: an empty key follows it
    if (text.substr(0, 1) == "\"") { text.remove_prefix(1); }
    if (text.substr(0, 1) == ":") { text.remove_prefix(1); }
    if (text.substr(0, 4) == "null") { text.remove_prefix(4); }
    return text.find_first_not_of("]}") == std::string_view::npos;
}

} // namespace

failure check_proof(std::string_view input, const healing& h) {
    if (h.edits.size() != h.edit_count) {
        return "proof: edit_count is not the size of the log\n  got  " + show(h);
    }
    std::size_t at = 0;
    for (const edit& e : h.edits) {
        if (e.begin < at || e.end < e.begin || e.end > input.size()) {
            return "proof: an edit out of order or past the end: " + show(e) + "\n  got  " + show(h);
        }
        at = e.end;
    }
    // Applied here by hand, so that a fault in replay() cannot hide one in the log.
    std::string text;
    at = 0;
    for (const edit& e : h.edits) {
        text.append(input.substr(at, e.begin - at)).append(e.text());
        at = e.end;
    }
    if (h.ok()) {
        text.append(input.substr(at));
        if (text != h.json()) { return "proof: the log gives " + show(text) + "\n  got  " + show(h); }
        if (jsonheal::replay(input, h.edits) != text) { return "proof: replay() fails\n  got  " + show(h); }
        return std::nullopt;
    }
    // A refusal after something settled: the log proves the settled part, which ends somewhere in the input; what
    // follows it are the closers that make it whole.
    std::string_view json = h.json();
    if (json.empty()) { return std::nullopt; }
    bool proved = json.substr(0, text.size()) == text;
    std::string_view rest = json.substr(proved ? text.size() : 0);
    std::string_view next = input.substr(at);
    while (!is_closing(rest) && !next.empty() && rest.front() == next.front()) {
        rest.remove_prefix(1);
        next.remove_prefix(1);
    }
    if (!proved || !is_closing(rest)) {
        return "proof: the log gives " + show(text) + " for the settled part\n  got  " + show(h);
    }
    return std::nullopt;
}

failure check_strict(const healing& h, const heal_options& options) {
    if (!h.ok() && h.json().empty()) { return std::nullopt; }
    strict_result r = check_strict_json(h.json());
    if (!r.valid) {
        return "strict: " + std::string(r.reason) + " at " + std::to_string(r.offset) + "\n  got  " + show(h);
    }
    if (r.depth > options.limits.depth) { return "strict: deeper than the limit\n  got  " + show(h); }
    return std::nullopt;
}

failure check_verdict(std::string_view input, const healing& h, const heal_options& options) {
    auto bad = [&](std::string_view what) { return "verdict: " + std::string(what) + "\n  got  " + show(h); };
    if ((h.verdict == verdict::truncated) != (h.cut != cut_place::none) && h.ok()) {
        return bad("cut must be set if and only if truncated");
    }
    if (!h.ok()) {
        if (h.why.message.empty()) { return bad("refused without a message"); }
        if (h.why.offset > input.size()) { return bad("refused past the end"); }
        return std::nullopt;
    }
    if (!h.why.message.empty()) { return bad("a reason of refusal without a refusal"); }
    if (options.preset == preset::whole && options.limits.depth == 0) {
        return bad("depth 0 lets nothing pass");
    }
    if ((h.verdict == verdict::intact) != (h.edit_count == 0)) {
        return bad("intact if and only if no edits");
    }
    if (h.verdict == verdict::intact && h.json() != input) { return bad("intact but not the input"); }
    if (options.log != log_policy::kept) { return std::nullopt; }
    risk highest = risk::exact;
    for (const edit& e : h.edits) { highest = std::max(highest, e.risk()); }
    if (highest != h.risk) { return bad("risk is not the highest of the edits"); }
    if (highest > options.max_risk) { return bad("an edit above the ceiling"); }
    for (const edit& e : h.edits) {
        if (options.forbidden.has(e.rule)) { return bad("an edit under a forbidden rule"); }
    }
    return std::nullopt;
}

failure check_idempotent(const healing& h, const heal_options& options) {
    if (h.json().empty()) { return std::nullopt; }
    std::string once(h.json());
    heal_options again = options;
    again.fast_path = false;
    // What was healed, or settled before a refusal, may be longer than the input that a limit allows.
    again.limits.bytes = jsonheal::heal_limits{}.bytes;
    healing second = jsonheal::heal(once, again);
    if (second.verdict == verdict::intact && second.json() == once) { return std::nullopt; }
    return "idempotent: healing the healed text changes it\n  once  " + show(h) + "\n  twice " + show(second);
}

failure check_bounds(std::string_view input, const healing& h) {
    if (h.work <= 64 * input.size() + 4096) { return std::nullopt; }
    return "bounds: " + std::to_string(h.work) + " bytes looked at again for an input of " +
           std::to_string(input.size());
}

// ---- options that refuse or leave out

failure check_ceilings(std::string_view input, const healing& h, const heal_options& options) {
    if (!h.ok() || options.log != log_policy::kept) { return std::nullopt; }
    auto refused_for = [&](const healing& got, auto&& offends, std::string_view what) -> failure {
        auto first = std::find_if(h.edits.begin(), h.edits.end(), offends);
        if (first == h.edits.end()) { return compare(h, got, what); }
        if (!got.ok() && got.why.by_rule && got.why.rule == first->rule) { return std::nullopt; }
        return std::string(what) + ": must be refused for " + show(*first) + "\n  unbounded " + show(h) +
               "\n  got       " + show(got);
    };
    for (risk ceiling : {risk::exact, risk::likely, risk::invented}) {
        if (ceiling >= options.max_risk) { continue; }
        heal_options lower = options;
        lower.max_risk = ceiling;
        auto above = [&](const edit& e) { return e.risk() > ceiling; };
        healing got = jsonheal::heal(input, lower);
        if (auto why = refused_for(got, above, "ceiling " + std::string(name(ceiling)))) { return why; }
        if (auto why = check_strict(got, lower)) { return "under a ceiling, " + *why; }
    }
    std::set<rule> used;
    for (const edit& e : h.edits) { used.insert(e.rule); }
    for (rule r : used) {
        heal_options without = options;
        without.forbidden.add(r);
        auto same = [&](const edit& e) { return e.rule == r; };
        healing got = jsonheal::heal(input, without);
        if (auto why = refused_for(got, same, "forbidden " + std::string(info(r).id))) { return why; }
    }
    heal_options others = options;
    for (std::size_t i = 0; i < jsonheal::rules().size(); ++i) {
        auto r = static_cast<rule>(i);
        if (used.count(r) == 0) { others.forbidden.add(r); }
    }
    return compare(h, jsonheal::heal(input, others), "all rules forbidden that were not used");
}

failure check_log_policies(std::string_view input, const healing& h, const heal_options& options) {
    for (log_policy policy : {log_policy::off, log_policy::counted}) {
        heal_options other = options;
        other.log = policy;
        healing got = jsonheal::heal(input, other);
        if (!got.edits.empty()) {
            return "log policy: edits were kept against the option\n  got  " + show(got);
        }
        got.edits = h.edits;
        std::string what = policy == log_policy::off ? "log off" : "log counted";
        if (auto why = compare(h, got, what)) { return why; }
    }
    return std::nullopt;
}

failure check_candidates(std::string_view input, const healing& h, const heal_options& options) {
    if (!h.candidates.empty()) { return "candidates: listed without being asked for\n  got  " + show(h); }
    if (options.preset != preset::whole) { return std::nullopt; }
    heal_options listing = options;
    listing.list_candidates = true;
    healing got = jsonheal::heal(input, listing);
    if (auto why = compare(h, got, "candidates listed")) { return why; }
    std::size_t at = 0;
    std::size_t taken = 0;
    for (const jsonheal::candidate& c : got.candidates) {
        std::string place =
            " [" + std::to_string(c.begin) + "," + std::to_string(c.end) + ") " + show(c.json);
        if (c.begin < at || c.end <= c.begin || c.end > input.size()) {
            return "candidates: out of order:" + place;
        }
        if (!check_strict_json(c.json).valid) { return "candidates: not strict JSON:" + place; }
        at = c.end;
        taken += c.taken ? 1 : 0;
    }
    // Of a text that is valid as a whole none need be listed.
    if (h.ok() && h.verdict != verdict::intact && taken == 0) {
        return "candidates: an answer, but none is taken\n  got  " + show(h);
    }
    return std::nullopt;
}

// ---- together

failure check_outcome(std::string_view input, const heal_options& options, const healing& h) {
    if (options.log == log_policy::kept) {
        if (auto why = check_proof(input, h)) { return why; }
        if (auto why = check_nothing_invented(input, h, options)) { return why; }
    }
    if (auto why = check_strict(h, options)) { return why; }
    if (auto why = check_verdict(input, h, options)) { return why; }
    if (auto why = check_bounds(input, h)) { return why; }
    if (h.verdict == verdict::intact) { return std::nullopt; }
    // Not intact, so it must not be valid; a limit may have refused it all the same.
    strict_result r = check_strict_json(input);
    bool within = r.depth <= options.limits.depth && input.size() <= options.limits.bytes;
    if (r.valid && within && h.ok()) { return "identity: valid JSON was changed\n  got  " + show(h); }
    return std::nullopt;
}

failure check_all(std::string_view input, const heal_options& options, const std::vector<chunking>& chunks) {
    healing h = jsonheal::heal(input, options);
    if (auto why = check_outcome(input, options, h)) { return why; }
    heal_options other = options;
    other.fast_path = !options.fast_path;
    if (auto why = compare(h, jsonheal::heal(input, other), "same answer, fast path on and off")) {
        return why;
    }
    other = options;
    other.plain_path = false;
    if (auto why = compare(h, jsonheal::heal(input, other), "same answer, plain path on and off")) {
        return why;
    }
    for (const chunking& c : chunks) {
        if (auto why = check_same_answer(input, h, options, c)) { return why; }
    }
    if (auto why = check_idempotent(h, options)) { return why; }
    if (auto why = check_ceilings(input, h, options)) { return why; }
    if (auto why = check_candidates(input, h, options)) { return why; }
    return check_log_policies(input, h, options);
}

} // namespace jsonheal_test

#include "batch_functions.hpp"

#include "json_writer.hpp"
#include "report.hpp"
#include "schema_report.hpp"

#include <jsonheal/args.hpp>
#include <jsonheal/args_command_line.hpp>
#include <jsonheal/calls.hpp>
#include <jsonheal/quotes.hpp>
#include <jsonheal/sanitize.hpp>

#include <algorithm>
#include <new>
#include <span>

namespace jsonheal::cli {

namespace {

void refuse(json_writer& answer, std::string_view error) {
    answer.text("verdict", "refused").text("error", error);
}

/// What of the engine's options also holds for the functions that only rewrite.
sanitize_options rewriting_options(const heal_options& engine) {
    sanitize_options o;
    o.max_risk = engine.max_risk;
    o.forbidden = engine.forbidden;
    o.limits = {engine.limits.bytes, engine.limits.depth, engine.limits.edits};
    return o;
}

void write_edits(const batch_options& options, const std::vector<edit>& edits, std::size_t count,
                 json_writer& answer, std::string& out) {
    if (options.edits == edit_detail::none) { return; }
    if (options.edits == edit_detail::count) {
        answer.number("edits", count);
        return;
    }
    answer.member("edits");
    json_writer list(out, '[');
    for (const edit& e : edits) {
        json_writer entry(list.element(), '{');
        entry.number("begin", e.begin).number("end", e.end).text("text", e.text());
        entry.text("rule", info(e.rule).id).text("risk", name(e.risk()));
    }
}

/// {"fits","violations","changes"}: of one value, or of all that stand side by side.
void write_fit(const batch_options& options, std::span<const alignment> values, json_writer& answer,
               std::string& out) {
    const bool fits = std::all_of(values.begin(), values.end(), [](const alignment& a) { return a.fits; });
    answer.member("fits").append(fits ? "true" : "false");
    if (!fits) {
        answer.member("violations");
        schema::validation all;
        for (const alignment& a : values) {
            all.violations.insert(all.violations.end(), a.violations.begin(), a.violations.end());
        }
        write_violations(all, out);
    }
    if (options.edits == edit_detail::none) { return; }
    if (options.edits == edit_detail::count) {
        std::size_t count = 0;
        for (const alignment& a : values) { count += a.changes.size(); }
        answer.number("changes", count);
        return;
    }
    answer.member("changes");
    json_writer list(out, '[');
    for (const alignment& a : values) { write_changes(a.changes, list); }
}

/// `heal` with a schema: the members of `heal` and those of a fit. The verdict speaks of the text only.
void answer_fitted(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    if (const std::string problem = worker.compile(*record.schema); !problem.empty()) {
        return refuse(answer, problem);
    }
    const fitted f = worker.reader().answer(record.input);
    const bool ok = f.text.ok();
    answer.text("verdict", name(f.text.verdict)).text("risk", name(f.risk()));
    if (f.text.verdict == verdict::truncated) { answer.text("cut", name(f.text.cut)); }
    if (ok) {
        answer.json("value", f.json());
        write_fit(worker.options(), {&f.value, 1}, answer, out);
    } else {
        answer.text("error", describe(f.text.why) + " at byte " + std::to_string(f.text.why.offset));
    }
    if (worker.options().text && ok) { answer.text("json", f.json()); }
    write_edits(worker.options(), f.text.edits, f.text.edit_count, answer, out);
}

/// `heal`: {"verdict","risk","cut","value","json","edits","error"}, each where it applies.
void answer_heal(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    if (record.schema) { return answer_fitted(worker, record, answer, out); }
    const healing h = worker.heal_input(record.input);
    // One growth for what may be gigabytes, not a doubling.
    out.reserve(out.size() + (worker.options().text ? 2 : 1) * h.json().size() + 256);
    answer.text("verdict", name(h.verdict)).text("risk", name(h.risk));
    if (h.verdict == verdict::truncated) { answer.text("cut", name(h.cut)); }
    if (h.ok()) {
        answer.json("value", h.json());
    } else {
        answer.text("error", describe(h.why) + " at byte " + std::to_string(h.why.offset));
    }
    if (worker.options().text && (h.ok() || !h.json().empty())) { answer.text("json", h.json()); }
    write_edits(worker.options(), h.edits, h.edit_count, answer, out);
}

/// `extract`: {"verdict","risk","texts"}. The texts are bytes of the input as they stand there, so nothing is
/// changed; an object that the text cuts off is not one of them.
void answer_extract(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    answer.text("verdict", name(verdict::intact)).text("risk", name(risk::exact)).member("texts");
    json_writer list(out, '[');
    for (const std::string_view text :
         extract_objects(record.input, rewriting_options(worker.options().engine).limits)) {
        encode_string(text, list.element(), one_line);
    }
}

/// {"verdict","risk","cut","text","edits","error"}, each where it applies.
void write_rewritten(const batch_options& options, const rewritten& r, json_writer& answer,
                     std::string& out) {
    answer.text("verdict", name(r.verdict)).text("risk", name(r.risk));
    if (r.verdict == verdict::truncated) { answer.text("cut", name(r.cut)); }
    if (r.ok()) {
        answer.text("text", r.text);
    } else {
        answer.text("error", describe(r.why) + " at byte " + std::to_string(r.why.offset));
    }
    write_edits(options, r.edits, r.edits.size(), answer, out);
}

void answer_sanitize(batch_worker& worker, const batch_record& record, json_writer& answer,
                     std::string& out) {
    const batch_options& options = worker.options();
    write_rewritten(options, sanitize(record.input, rewriting_options(options.engine)), answer, out);
}

void answer_complete(batch_worker& worker, const batch_record& record, json_writer& answer,
                     std::string& out) {
    const batch_options& options = worker.options();
    write_rewritten(options, complete_object(record.input, rewriting_options(options.engine)), answer, out);
}

/// `quotes`: {"verdict","risk","text","edits"}. With a path the text is touched only if it is that of code.
void answer_quotes(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    if (record.path && !record.path->is(value_kind::string)) {
        return refuse(answer, "\"path\" is not a string");
    }
    const quote_options limits{.max_bytes = worker.options().engine.limits.bytes};
    const normalized_quotes q = record.path ? normalize_code_file(record.path->string(), record.input, limits)
                                            : normalize_quotes(record.input, limits);
    if (q.refused) { return refuse(answer, "the text is longer than the limit of bytes"); }
    answer.text("verdict", name(q.edits.empty() ? verdict::intact : verdict::healed));
    answer.text("risk", name(risk::exact)).text("text", q.text);
    write_edits(worker.options(), q.edits, q.edits.size(), answer, out);
}

/// The options of `args` for a record: its schema says more of the tool than the catalogue.
args_options options_for(const batch_worker& worker, const batch_record& record, std::string_view tool,
                         tool_spec& spec) {
    args_options o;
    o.engine = worker.options().engine;
    if (record.schema) {
        spec = tool_from_schema(tool, *record.schema, tool_catalogue::standard().find(tool));
        o.tool = &spec;
    }
    return o;
}

std::string tool_of(const batch_record& record) {
    return record.tool && record.tool->is(value_kind::string) ? record.tool->string() : std::string();
}

/// `args`: {"verdict","risk","cut","value" or "values","how","passthrough","json","edits","error"}, each where it applies.
void answer_args(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    const std::string tool = tool_of(record);
    tool_spec spec;
    args_options o = options_for(worker, record, tool, spec);
    if (record.schema) {
        if (const std::string problem = worker.compile(*record.schema); !problem.empty()) {
            return refuse(answer, problem);
        }
        o.engine.expect = worker.expected();
    }
    const arguments a = record.tool ? normalize_args(tool, record.input, o) : arguments_map(record.input, o);
    std::vector<alignment> fits;
    std::string json(a.json());
    risk highest = a.risk;
    if (record.schema && a.ok()) {
        fits = align_arguments(a, worker.program());
        json = value_of(fits, a.several());
        for (const alignment& one : fits) { highest = std::max(highest, one.risk); }
    }
    answer.text("verdict", name(a.verdict)).text("risk", name(highest));
    if (a.verdict == verdict::truncated) { answer.text("cut", name(a.cut)); }
    if (a.ok()) {
        answer.json(a.several() ? "values" : "value", json);
        if (record.schema) { write_fit(worker.options(), fits, answer, out); }
        answer.member("how");
        json_writer list(out, '[');
        for (const args_step s : a.how.list()) { encode_string(name(s), list.element()); }
    } else {
        if (a.passthrough) { answer.member("passthrough").append("true"); }
        answer.text("error", describe(a.why));
    }
    if (worker.options().text && a.ok()) { answer.text("json", json); }
    write_edits(worker.options(), a.edits, a.edits.size(), answer, out);
}

/// `argv`: {"verdict","risk","cut","argv"} or {"verdict","error"}.
void answer_argv(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    const std::string tool = tool_of(record);
    tool_spec spec;
    const word_list w = read_argv(tool, record.input, options_for(worker, record, tool, spec));
    if (!w.ok()) {
        answer.text("verdict", name(verdict::refused));
        answer.text("error", std::string(w.error) + " at byte " + std::to_string(w.offset));
        return;
    }
    const bool cut = w.cut != cut_place::none;
    answer.text("verdict", name(cut ? verdict::truncated : verdict::healed)).text("risk", name(w.risk));
    if (cut) { answer.text("cut", name(w.cut)); }
    answer.member("argv");
    json_writer list(out, '[');
    for (const std::string& word : w.list) { encode_string(word, list.element(), one_line); }
}

/// `validate`: {"valid","violations"} of the input, which must be strict JSON. A schema that cannot be used is
/// an error.
void answer_validate(batch_worker& worker, const batch_record& record, json_writer& answer,
                     std::string& out) {
    if (!record.schema) { return refuse(answer, "the record has no \"schema\""); }
    const parse_result parsed = document::parse_borrowed(record.input);
    if (!parsed) {
        return refuse(answer, "the input is not JSON: " + std::string(parsed.error->message) + " at byte " +
                                  std::to_string(parsed.error->offset));
    }
    const std::string problem = worker.compile(*record.schema);
    if (!problem.empty()) { return refuse(answer, problem); }
    const schema::validation v = schema::validate(worker.program(), parsed.value.root());
    answer.text("verdict", name(verdict::intact)).text("risk", name(risk::exact));
    answer.member("valid").append(v.valid ? "true" : "false");
    answer.member("violations");
    write_violations(v, out);
}

/// The format of a record: none, or an error.
std::string format_of(const batch_record& record, const call_format*& format) {
    if (!record.format || record.format->is(value_kind::null)) { return {}; }
    if (!record.format->is(value_kind::string)) { return "\"format\" is not a string"; }
    const std::string name = record.format->string();
    if (name == "auto" || name == "none" || name.empty()) { return {}; }
    format = find_call_format(name);
    if (format != nullptr) { return {}; }
    return "there is no format \"" + name + "\"; the nearest is " + std::string(nearest_call_format(name));
}

/// `calls`: {"verdict","risk","calls","content","reasoning","edits"}.
void answer_calls(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    tool_set_reading tools;
    if (record.tools && !record.tools->is(value_kind::null)) { tools = tool_set::read(*record.tools); }
    if (!tools) { return refuse(answer, tools.error); }
    call_options o;
    if (const std::string why = format_of(record, o.format); !why.empty()) { return refuse(answer, why); }
    o.tools = &tools.tools;
    o.open_reasoning = record.open_reasoning && record.open_reasoning->is(value_kind::boolean) &&
                       record.open_reasoning->boolean();
    o.limits = worker.options().engine.limits;
    const calls_reading r = worker.read_input_calls(record.input, o);
    bool cut = false, changed = false;
    risk most = risk::exact;
    std::vector<edit> edits;
    for (const read_call& c : r.calls) {
        cut = cut || c.status == call_status::incomplete;
        changed = changed || c.status != call_status::complete;
        for (const edit& e : c.edits) {
            if (edits.empty() || !(edits.back() == e)) { edits.push_back(e); }
            most = std::max(most, e.risk());
        }
        for (const retyping& t : c.retyped) { most = std::max(most, t.risk); }
        if (c.fit) { most = std::max(most, c.fit->risk); }
    }
    answer.text("verdict", name(cut                         ? verdict::truncated
                                : changed || !edits.empty() ? verdict::healed
                                                            : verdict::intact));
    answer.text("risk", name(most));
    answer.member("calls");
    {
        json_writer list(out, '[');
        for (const read_call& c : r.calls) {
            json_writer call(list.element(), '{');
            call.text("id", c.id)
                .text("name", c.name)
                .json("arguments", c.arguments)
                .text("status", name(c.status));
            call.member("declared").append(c.declared ? "true" : "false");
            if (!c.fit) { continue; }
            call.member("fits").append(c.fit->fits ? "true" : "false");
            if (!c.fit->violations.empty()) {
                schema::validation all;
                all.violations = c.fit->violations;
                call.member("violations");
                write_violations(all, out);
            }
            if (worker.options().edits != edit_detail::all) { continue; }
            call.member("changes");
            json_writer changes(out, '[');
            write_changes(c.fit->changes, changes);
        }
    }
    answer.text("content", r.content).text("reasoning", r.reasoning);
    write_edits(worker.options(), edits, edits.size(), answer, out);
}

/// One row a function. `run` appends the members of the answer behind its `id`; null: not in this version.
struct batch_function {
    std::string_view name;
    void (*run)(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out);
};

constexpr batch_function functions[] = {
    {"heal", answer_heal},         {"args", answer_args},         {"calls", answer_calls},
    {"validate", answer_validate}, {"sanitize", answer_sanitize}, {"extract", answer_extract},
    {"complete", answer_complete}, {"argv", answer_argv},         {"quotes", answer_quotes},
};

/// The function of a record that names none: by what else it holds.
std::string_view default_function(const batch_record& record) {
    if (record.tools || record.format) { return "calls"; }
    if (record.tool) { return "args"; }
    return "heal";
}

void dispatch(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    const std::string_view wanted =
        record.fn.empty() ? default_function(record) : std::string_view(record.fn);
    for (const batch_function& f : functions) {
        if (f.name != wanted) { continue; }
        if (f.run == nullptr) {
            return refuse(answer, "this version has no fn \"" + std::string(wanted) + "\" yet");
        }
        return f.run(worker, record, answer, out);
    }
    std::string known;
    for (const batch_function& f : functions) { known.append(known.empty() ? "" : ", ").append(f.name); }
    refuse(answer, "there is no fn \"" + std::string(wanted) + "\"; there are " + known);
}

/// splitmix64: the same sequence of chunks for a seed and a line, on every machine.
std::uint64_t next_random(std::uint64_t& state) noexcept {
    std::uint64_t z = state += 0x9E37'79B9'7F4A'7C15ull;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9ull;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EBull;
    return z ^ z >> 31;
}

} // namespace

healing batch_worker::heal_input(std::string_view input) {
    if (options_.chunk == 0 && !options_.chunk_seed) { return heal(input, options_.engine); }
    if (stream_) {
        stream_->reset();
    } else {
        stream_.emplace(options_.engine);
    }
    std::uint64_t state = options_.chunk_seed.value_or(0) + number_ * 0x1'0000'0001ull;
    while (!input.empty()) {
        const std::size_t size = options_.chunk_seed ? next_random(state) % 64 + 1 : options_.chunk;
        stream_->feed(input.substr(0, size));
        input.remove_prefix(std::min(size, input.size()));
    }
    return stream_->finish();
}

calls_reading batch_worker::read_input_calls(std::string_view input, const call_options& options) const {
    call_reader reader(options);
    calls_reading out;
    const bool chunked = options_.chunk != 0 || options_.chunk_seed;
    std::uint64_t state = options_.chunk_seed.value_or(0) + number_ * 0x1'0000'0001ull;
    do {
        const std::size_t size = !chunked              ? input.size()
                                 : options_.chunk_seed ? next_random(state) % 64 + 1
                                                       : options_.chunk;
        gather(reader.feed(input.substr(0, size)), out);
        input.remove_prefix(std::min(size, input.size()));
    } while (!input.empty());
    gather(reader.finish(), out);
    return out;
}

std::string batch_worker::compile(value_view schema) {
    if (schema.source() == compiled_source_) { return compile_problem_; }
    compiled_source_ = schema.source();
    schema::compile_result made = compile_schema(document::parse(compiled_source_).value, options_.schema);
    compile_problem_ = made.error ? describe(*made.error) : std::string();
    program_ = std::move(made.value);
    reader_.reset();
    expected_.reset();
    return compile_problem_;
}

answerer& batch_worker::reader() {
    if (!reader_) { reader_.emplace(program_, answer_options{options_.engine, {}}); }
    return *reader_;
}

const expectation* batch_worker::expected() {
    if (!expected_) { expected_ = schema::make_expectation(program_); }
    return expected_.get();
}

/// Appends the answer and returns nothing, or returns what stopped it half way.
std::string batch_worker::try_answer(std::string_view line, batch_record& record, std::string& out) {
    try {
        json_writer answer(out, '{');
        const std::string why = read_record(line, record);
        answer.json("id", record.id);
        if (why.empty()) {
            dispatch(*this, record, answer, out);
        } else {
            refuse(answer, why);
        }
        return {};
    } catch (const std::bad_alloc&) {
        return "there is not enough memory for this record";
    } catch (const std::exception& e) { return e.what(); }
}

void batch_worker::answer(std::string_view line, std::uint64_t number, std::string& out) {
    number_ = number;
    const std::size_t start = out.size();
    batch_record record;
    const std::string failure = try_answer(line, record, out);
    if (failure.empty()) { return; }
    // Whatever stopped it, this record has one answer and the next ones theirs.
    stream_.reset();
    out.resize(start);
    json_writer answer(out, '{');
    answer.json("id", record.id);
    refuse(answer, failure);
}

} // namespace jsonheal::cli

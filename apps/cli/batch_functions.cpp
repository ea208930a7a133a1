#include "batch_functions.hpp"

#include "json_writer.hpp"
#include "report.hpp"
#include "schema_report.hpp"

#include <jsonheal/extract.hpp>

#include <algorithm>
#include <new>

namespace jsonheal::cli {

namespace {

void refuse(json_writer& answer, std::string_view error) {
    answer.text("verdict", "refused").text("error", error);
}

void write_edits(const batch_options& options, const healing& h, json_writer& answer, std::string& out) {
    if (options.edits == edit_detail::none) { return; }
    if (options.edits == edit_detail::count) {
        answer.number("edits", h.edit_count);
        return;
    }
    answer.member("edits");
    json_writer list(out, '[');
    for (const edit& e : h.edits) {
        json_writer entry(list.element(), '{');
        entry.number("begin", e.begin).number("end", e.end).text("text", e.text());
        entry.text("rule", info(e.rule).id).text("risk", name(e.risk()));
    }
}

/// `heal`: {"verdict","risk","cut","value","json","edits","error"}, each where it applies.
void answer_heal(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
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
    write_edits(worker.options(), h, answer, out);
}

/// `extract`: {"verdict","risk","texts"}. The texts are bytes of the input as they stand there, so nothing is
/// changed; a value that the text cuts off is not one of them.
void answer_extract(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out) {
    answer.text("verdict", name(verdict::intact)).text("risk", name(risk::exact)).member("texts");
    json_writer list(out, '[');
    for (const candidate& c : extract(record.input, worker.options().engine)) {
        if (c.cut != cut_place::none) { continue; }
        encode_string(record.input.substr(c.begin, c.end - c.begin), list.element(), one_line);
    }
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

/// One row a function. `run` appends the members of the answer behind its `id`; null: not in this version.
struct batch_function {
    std::string_view name;
    void (*run)(batch_worker& worker, const batch_record& record, json_writer& answer, std::string& out);
};

constexpr batch_function functions[] = {
    {"heal", answer_heal},         {"args", nullptr},     {"calls", nullptr},
    {"validate", answer_validate}, {"sanitize", nullptr}, {"extract", answer_extract},
    {"complete", nullptr},         {"argv", nullptr},     {"quotes", nullptr},
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

std::string batch_worker::compile(value_view schema) {
    if (schema.source() == compiled_source_) { return compile_problem_; }
    compiled_source_ = schema.source();
    schema::compile_result made = compile_schema(document::parse(compiled_source_).value, options_.schema);
    compile_problem_ = made.error ? describe(*made.error) : std::string();
    program_ = std::move(made.value);
    return compile_problem_;
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

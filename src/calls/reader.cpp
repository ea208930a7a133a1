// Events of the formats' reader to events of calls.
#include "writer.hpp"

#include <jsonheal/args.hpp>
#include <jsonheal/calls.hpp>

#include <algorithm>
#include <utility>

namespace jsonheal {

using namespace calls_detail;

namespace {

constexpr std::size_t part_bytes = 64u << 10;

const dialect::tool_names& names_of(const call_options& o) {
    static const dialect::tool_names none;
    return o.tools != nullptr ? o.tools->names() : none;
}

} // namespace

class call_reader::worker final : public dialect::sink {
public:
    explicit worker(const call_options& options)
        : options_(options), reader_(reader_options(options_), *this) {}

    std::span<const call_event> feed(std::string_view chunk) {
        start();
        reader_.feed(chunk);
        flush();
        return {events_.data(), used_};
    }
    std::span<const call_event> finish() {
        start();
        reader_.finish();
        flush();
        return {events_.data(), used_};
    }

    void on_content(std::string_view text) override { add_text(call_event::kind::content, text); }
    void on_reasoning(std::string_view text) override { add_text(call_event::kind::reasoning, text); }

    void on_call(const dialect::call_begin& call) override {
        call_event& e = next_event(call_event::kind::begin);
        e.index = count_;
        e.id = call.id.empty() ? options_.id_prefix + std::to_string(count_) : std::string(call.id);
        e.name = call.name;
        e.declared = !call.tool.empty() || call.name.starts_with('@');
        begin_ = call.offset;
        name_ = call.name;
        tool_ = options_.tools != nullptr ? options_.tools->find(call.tool) : nullptr;
        arguments_.clear();
        streamed_.clear();
        writer_.start(tool_, arguments_);
        text_edits_.clear();
        text_cut_ = text_changed_ = text_wrong_ = false;
    }

    void on_json(std::string_view bytes) override { writer_.json(bytes); }
    void on_parameter(std::string_view key, dialect::type_hint hint, std::size_t) override {
        writer_.parameter(key, hint == dialect::type_hint::json);
    }
    void on_value(std::string_view text, std::size_t) override { writer_.value(text); }
    void on_value_end(bool whole) override { writer_.value_end(whole); }

    /// Text that holds the arguments: `args` knows all the ways in which it may.
    void on_text(std::string_view text, std::size_t offset) override {
        if (text.empty()) { return; }
        args_options o;
        o.engine.limits = options_.limits;
        o.quotes = string_quotes::code_fields;
        tool_spec spec;
        if (tool_ != nullptr && tool_->parameters.root().is(value_kind::object)) {
            spec = tool_from_schema(name_, tool_->parameters.root(), tool_catalogue::standard().find(name_));
            if (spec.has_schema && !spec.properties.empty()) { o.tool = &spec; }
        }
        const arguments a = normalize_args(name_, text, o);
        if (a.ok() && !a.several()) {
            writer_.json(a.json());
            text_cut_ = a.verdict == verdict::truncated;
            text_changed_ = a.risk >= risk::likely;
            text_edits_ = a.edits;
            if (offset == static_cast<std::size_t>(-1)) {
                text_edits_.clear(); // of a text that does not stand there as it is
            }
            for (edit& e : text_edits_) {
                e.begin += static_cast<std::uint32_t>(offset);
                e.end += static_cast<std::uint32_t>(offset);
            }
            return;
        }
        // a command line, or what is no object
        text_wrong_ = !a.passthrough;
        whole_ = true;
        encode_string(text, arguments_);
    }

    void on_call_end(const dialect::call_end& end) override {
        const bool object = !whole_;
        if (object) { writer_.finish(); }
        whole_ = false;
        flush();
        call_event& e = next_event(call_event::kind::end);
        e.index = count_++;
        e.begin_offset = begin_;
        e.end_offset = end.offset;
        e.edits.assign(end.edits.begin(), end.edits.end());
        e.edits.insert(e.edits.end(), text_edits_.begin(), text_edits_.end());
        e.retyped = writer_.take_retyped();
        using ending = dialect::call_ending;
        const bool cut = end.ending == ending::cut || (text_cut_ && end.ending != ending::closed);
        const bool wrong = end.ending == ending::rejected || text_wrong_;
        const bool changed = end.ending == ending::mended || text_changed_ || text_cut_ || !e.retyped.empty();
        e.status = cut       ? call_status::incomplete
                   : wrong   ? call_status::rejected
                   : changed ? call_status::repaired
                             : call_status::complete;
        if (std::any_of(e.edits.begin(), e.edits.end(),
                        [](const edit& d) { return d.risk() >= risk::likely; }) &&
            e.status == call_status::complete) {
            e.status = call_status::repaired;
        }
        if (object && !cut && !wrong && has_schema()) {
            e.fit = std::make_shared<const call_fit>(fit_of_call());
            if (!e.fit->changes.empty()) { e.status = call_status::repaired; }
        }
        arguments_.clear();
    }

private:
    static constexpr std::size_t most_kept = 64;      // events
    static constexpr std::size_t longest_kept = 4096; // bytes of one's text

    static dialect::reader_options reader_options(const call_options& o) {
        dialect::reader_options r;
        r.format = o.format;
        r.tools = &names_of(o);
        r.open_reasoning = o.open_reasoning;
        r.in_reasoning = o.in_reasoning;
        r.limits = o.limits;
        return r;
    }

    void add_text(call_event::kind what, std::string_view text) {
        const bool more = used_ != 0 && events_[used_ - 1].what == what;
        (more ? events_[used_ - 1] : next_event(what)).text.append(text);
    }

    /// The events of the last chunk are over; what they hold is used again.
    void start() {
        used_ = 0;
        if (events_.size() > most_kept) { events_.resize(most_kept); }
    }

    call_event& next_event(call_event::kind what) {
        if (used_ == events_.size()) { events_.emplace_back(); }
        call_event& e = events_[used_++];
        const bool more_than_text = e.what == call_event::kind::begin || e.what == call_event::kind::end;
        if (more_than_text || e.text.capacity() > longest_kept) {
            e = call_event();
        } else {
            e.text.clear();
        }
        e.what = what;
        return e;
    }

    [[nodiscard]] bool has_schema() const noexcept { return tool_ != nullptr && tool_->has_schema; }

    /// What alignment makes of the arguments that were streamed.
    [[nodiscard]] call_fit fit_of_call() const {
        call_fit out;
        const parse_result parsed = document::parse_borrowed(streamed_);
        if (!parsed) { // deeper than a document may be
            out.fits = false;
            return out;
        }
        if (schema::fits(tool_->program, parsed.value.root())) { return out; }
        alignment a = align(parsed.value, tool_->program);
        if (!a.json.starts_with('{')) { // `{}` where the schema wants a list: arguments stay an object
            out.fits = false;
            out.violations = schema::validate(tool_->program, parsed.value.root()).violations;
            return out;
        }
        out.fits = a.fits;
        out.violations = std::move(a.violations);
        if (a.changes.empty()) { return out; }
        out.changes = std::move(a.changes);
        out.arguments = std::move(a.json);
        out.risk = a.risk;
        return out;
    }

    /// Hands out what there is of arguments, whole characters only.
    void flush() {
        if (arguments_.empty()) { return; }
        std::size_t end = arguments_.size();
        for (std::size_t back = 1; back <= 3 && back <= end; ++back) {
            const auto c = static_cast<unsigned char>(arguments_[end - back]);
            if ((c & 0xC0) == 0x80) { continue; }
            const std::size_t size = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
            if (size > back) { end -= back; }
            break;
        }
        if (end == 0) { return; }
        call_event& e = next_event(call_event::kind::arguments);
        e.index = count_;
        e.text.assign(arguments_, 0, end);
        arguments_.erase(0, end);
        if (has_schema()) { streamed_.append(e.text); }
    }

    const call_options options_;
    dialect::reader reader_;
    argument_writer writer_;
    std::vector<call_event> events_; // the first `used_` are this chunk's
    std::size_t used_ = 0;
    std::string arguments_; // of the open call, not yet handed out
    std::string streamed_;  // of the open call, handed out; kept where a schema will ask for it
    std::string name_;
    const call_tool* tool_ = nullptr;
    std::size_t count_ = 0, begin_ = 0;
    std::vector<edit> text_edits_;
    bool text_cut_ = false, text_changed_ = false, text_wrong_ = false;
    bool whole_ = false; // the arguments are there already
};

call_reader::call_reader(const call_options& options) : worker_(std::make_unique<worker>(options)) {}
call_reader::~call_reader() = default;
call_reader::call_reader(call_reader&&) noexcept = default;
call_reader& call_reader::operator=(call_reader&&) noexcept = default;
std::span<const call_event> call_reader::feed(std::string_view chunk) { return worker_->feed(chunk); }
std::span<const call_event> call_reader::finish() { return worker_->finish(); }

void gather(std::span<const call_event> events, calls_reading& out) {
    for (const call_event& e : events) {
        switch (e.what) {
        case call_event::kind::content: out.content.append(e.text); break;
        case call_event::kind::reasoning: out.reasoning.append(e.text); break;
        case call_event::kind::begin: {
            read_call c;
            c.id = e.id;
            c.name = e.name;
            c.declared = e.declared;
            out.calls.push_back(std::move(c));
            break;
        }
        case call_event::kind::arguments: out.calls.back().arguments.append(e.text); break;
        case call_event::kind::end: {
            read_call& c = out.calls.back();
            c.status = e.status;
            c.edits = e.edits;
            c.retyped = e.retyped;
            if (!e.fit) { break; }
            c.fit = *e.fit;
            if (!c.fit->arguments.empty()) { c.arguments = std::exchange(c.fit->arguments, {}); }
            c.begin_offset = e.begin_offset;
            c.end_offset = e.end_offset;
            break;
        }
        }
    }
}

calls_reading read_calls(std::string_view text, const call_options& options) {
    calls_reading out;
    call_reader reader(options);
    while (!text.empty()) { // in parts, so that the events of many calls are not held at once
        gather(reader.feed(text.substr(0, part_bytes)), out);
        text.remove_prefix(std::min(part_bytes, text.size()));
    }
    gather(reader.finish(), out);
    return out;
}

std::string_view name(call_status s) noexcept {
    constexpr std::string_view names[] = {"complete", "repaired", "incomplete", "rejected"};
    return names[static_cast<std::size_t>(s)];
}

} // namespace jsonheal

#include "state.hpp"

#include <jsonheal/answer.hpp>

#include <algorithm>
#include <stdexcept>

namespace jsonheal {

namespace {

constexpr std::size_t longest_document =
    0xFFFF'FFFFu - 1'100'000; // a tape counts in 32 bits; room for closers

value_kind kind_of(char first) noexcept {
    switch (first) {
    case '{': return value_kind::object;
    case '[': return value_kind::array;
    case '"': return value_kind::string;
    case 't':
    case 'f': return value_kind::boolean;
    case 'n': return value_kind::null;
    default: return value_kind::number;
    }
}

bool is_container(value_kind k) noexcept { return k == value_kind::object || k == value_kind::array; }

/// Content of a JSON string, without its quotes, as WTF-8. Borrows `content` where nothing is escaped.
std::string_view decoded(std::string_view content, std::string& scratch) {
    if (content.find('\\') == std::string_view::npos) { return content; }
    std::string quoted = "\"";
    quoted.append(content).push_back('"');
    scratch.clear();
    return decode_string(quoted, scratch) ? std::string_view(scratch) : content;
}

bool continues_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The engine's options: what is aligned is also read with the schema as a hint, as `answer` does.
heal_options engine_options(const stream_options& o, std::unique_ptr<expectation>& expected) {
    heal_options out = o.heal;
    if (o.schema && o.align && out.expect == nullptr) {
        expected = schema::make_expectation(*o.schema);
        out.expect = expected.get();
    }
    return out;
}

} // namespace

stream_state::stream_state(stream_options given)
    : options(std::move(given)), show(options.show), engine(engine_options(options, expected)) {
    if (!options.schema) { return; }
    fit.emplace(*options.schema);
    if (options.align) { aligner.emplace(*options.schema, *options.align); }
}

void stream_state::require_open(const char* message) const {
    if (finished) { throw std::logic_error(message); }
}

void stream_state::reset() {
    engine.reset();
    reader.reset();
    if (fit) { fit->reset(); }
    if (aligner) { aligner->reset(); }
    aligned.reset();
    input_.clear();
    validation.reset();
    finished = false;
    place_.steps_.clear();
    place_.keys_.clear();
    open_.clear();
    out_.clear();
    out_base_ = taken_ = 0;
    tape_.nodes.clear();
    doc_text_.clear();
    cut_off_.clear();
    marks_.clear();
    patched_ = false;
    fewer_children_ = no_node;
}

void stream_state::feed(std::string_view chunk) {
    if (decides_at_end()) {
        // of a text above the limit that much is enough to refuse it
        if (input_.size() <= options.heal.limits.bytes) { input_.append(chunk); }
        return;
    }
    engine.feed(chunk);
    take(engine.drain(), engine.token_ended());
}

/// More has settled: what can be shown of it is read on.
void stream_state::take(std::string_view settled, bool token_ended) {
    if (!aligner) { return show_text(settled, token_ended); }
    shown_.clear();
    aligner->read(settled, token_ended, shown_);
    show_text(shown_, token_ended || aligner->shown_is_whole());
}

/// Reads on in the text that is shown.
void stream_state::show_text(std::string_view settled, bool token_ended) {
    unpatch();
    if (keeps_document()) {
        if (doc_text_.size() + settled.size() > longest_document) {
            throw std::length_error(
                "jsonheal: the live document is longer than 4 GiB; take the text instead");
        }
        doc_text_.append(settled);
    }
    if (keeps_text()) { out_.append(settled); }
    reader.read(settled);
    if (token_ended) { reader.end_token(); }
    const bool in_string = !open_.empty() && open_.back().kind == value_kind::string && !open_.back().few;
    if (in_string && options.on_event && options.piece_bytes == 0) { send_piece(piece_.size()); }
}

/// What is shown depends on the bytes so far alone, not on chunks.
void stream_state::catch_up() {
    if (decides_at_end()) { return; }
    engine.settle();
    if (!engine.settled().empty()) { take(engine.drain(), engine.token_ended()); }
}

healing stream_state::finish() {
    if (decides_at_end()) { return finish_at_end(); }
    healing h = engine.finish();
    take(h.json(), false);
    if (aligner) {
        shown_.clear();
        aligner->finish(shown_);
        show_text(shown_, false);
    }
    unpatch();
    reader.end_token();
    finished = true;
    if (aligner && h.ok()) {
        const parse_result parsed = document::parse(aligner->take_healed());
        if (parsed) { aligned = align(parsed.value, *options.schema, *options.align); }
    } else if (fit && keeps_document() && h.ok()) {
        if (const parse_result parsed = document::parse_borrowed(doc_text_)) {
            validation = schema::validate(*options.schema, parsed.value.root());
        }
    }
    if (aligned) { validation = schema::validation{aligned->fits, aligned->violations, true}; }
    return h;
}

/// The preset `whole`: which value is meant is known at the end, and so is how it fits.
healing stream_state::finish_at_end() {
    fitted f = answerer(*options.schema, {options.heal, *options.align}).answer(input_);
    show_text(f.json(), true);
    reader.end_token();
    finished = true;
    healing h = std::move(f.text);
    h.set_owned({}); // it may borrow the input
    if (!h.ok()) { return h; }
    aligned = std::move(f.value);
    validation = schema::validation{aligned->fits, aligned->violations, true};
    return h;
}

// ---- from the reader

void stream_state::key_begins(std::size_t at) {
    key_.clear();
    key_begin_ = at;
}

void stream_state::key_run(std::string_view bytes) { key_.append(bytes); }

void stream_state::key_ends(std::size_t end) { key_end_ = end; }

/// The path leads to the part of the innermost container that begins now.
void stream_state::step_into(std::size_t) {
    if (open_.empty()) { return; }
    const bool array = open_.back().kind == value_kind::array;
    if (place_.steps_.size() < open_.size()) {
        place_.steps_.push_back({array, 0, place_.keys_.size()});
    } else if (array) {
        ++place_.steps_.back().index;
    }
    if (!array) {
        place_.keys_.resize(place_.steps_.back().key_begin);
        place_.keys_.append(decoded(key_, scratch_));
    }
}

void stream_state::apply_rules(open_value& v) {
    if (show.empty()) { return; }
    const stream_detail::show_table::answer a = show.ask(place_);
    v.when_done = a.when_done;
    v.state = a.with_state;
    if (v.kind == value_kind::object) { v.wanted = a.wanted; }
    if (!open_.empty() && v.kind != value_kind::null) { open_.back().wanted &= ~a.meets; }
}

void stream_state::value_begins(char first, std::size_t at) {
    open_value v;
    v.kind = kind_of(first);
    v.begin = at;
    v.before = reader.whole();
    step_into(at);
    v.item = !open_.empty() && open_.back().kind == value_kind::array;
    apply_rules(v);
    if (fit) {
        fit->begin(place_, v.kind, at);
        v.few = v.kind == value_kind::string && fit->one_of_few();
    }
    if (!open_.empty()) { ++open_.back().parts; }
    const bool shown_early = is_container(v.kind) || v.kind == value_kind::string;
    if (shown_early && keeps_document()) {
        v.node = static_cast<std::uint32_t>(tape_.nodes.size() + (!open_.empty() && !v.item ? 1 : 0));
        add_node(v, at + 1);
    }
    if (v.state && shown_early) { marks_.push_back({at, true}); }
    scalar_.clear();
    scalar_cut_ = false;
    piece_.clear();
    open_.push_back(v);
    if (shown_early && !v.few) { report(event_kind::began, v, {}, 0); }
}

void stream_state::value_run(std::string_view bytes) {
    const open_value& v = open_.back();
    const std::size_t room = options.longest_text - std::min(options.longest_text, scalar_.size());
    if (v.kind != value_kind::string) {
        scalar_.append(bytes);
        return;
    }
    if (fit) { fit->run(decoded(bytes, scratch_)); }
    if (!options.on_event) { return; }
    if (bytes.size() > room) { scalar_cut_ = true; }
    // whole runs only, so that no escape is cut
    if (!scalar_cut_) { scalar_.append(bytes); }
    if (!v.few) { piece(bytes); }
}

void stream_state::value_ends(std::size_t end) {
    const open_value v = open_.back();
    if (is_container(v.kind) && place_.steps_.size() == open_.size()) {
        place_.keys_.resize(place_.steps_.back().key_begin);
        place_.steps_.pop_back();
    }
    const bool shown_late = !is_container(v.kind) && v.kind != value_kind::string;
    if (v.kind == value_kind::string && options.on_event && !v.few) { send_piece(piece_.size()); }
    if (fit) { fit->end(is_container(v.kind) ? std::string_view() : std::string_view(scalar_)); }
    open_.pop_back();
    if (keeps_document()) {
        if (shown_late) {
            add_node(v, end);
        } else {
            close_node(v, end);
        }
    }
    if (v.state) {
        if (shown_late) { marks_.push_back({v.begin, true}); }
        marks_.push_back({end, false});
    }
    if (v.kind == value_kind::string && options.on_event) {
        scalar_.insert(scalar_.begin(), '"');
        scalar_.push_back('"');
    }
    report(event_kind::ended, v, is_container(v.kind) ? std::string_view() : std::string_view(scalar_), end);
}

// ---- events

void stream_state::report(event_kind kind, const open_value& v, std::string_view text, std::size_t end) {
    if (!options.on_event) { return; }
    stream_event e{kind, v.kind, place_, text};
    e.item = v.item;
    e.cut = kind == event_kind::ended && scalar_cut_ && v.kind == value_kind::string;
    e.size = v.parts;
    e.begin = v.begin;
    e.end = end;
    options.on_event(e);
}

/// More content of the string that is open: sent on at the end of what has settled, or in pieces of one size.
void stream_state::piece(std::string_view bytes) {
    piece_.append(bytes);
    while (options.piece_bytes != 0 && piece_.size() >= options.piece_bytes + 12) {
        // the end of the unit that the size falls into
        std::size_t i = 0;
        while (i < options.piece_bytes) {
            if (piece_[i] != '\\') {
                ++i;
                while (i < piece_.size() && continues_character(piece_[i])) { ++i; }
            } else if (piece_[i + 1] != 'u') {
                i += 2;
            } else {
                const bool high = (piece_[i + 2] | 0x20) == 'd' &&
                                  std::string_view("89abAB").find(piece_[i + 3]) != std::string_view::npos;
                const bool pair =
                    high && i + 7 < piece_.size() && piece_[i + 6] == '\\' && piece_[i + 7] == 'u';
                i += pair ? 12 : 6;
            }
        }
        send_piece(std::min(i, piece_.size()));
    }
}

void stream_state::send_piece(std::size_t bytes) {
    if (bytes == 0) { return; }
    const std::string_view text = decoded(std::string_view(piece_).substr(0, bytes), scratch_);
    report(event_kind::piece, open_.back(), text, 0);
    piece_.erase(0, bytes);
}

// ---- what is shown

stream_state::cut stream_state::shown() const {
    for (std::size_t i = 0; i != open_.size(); ++i) {
        if (open_[i].hidden()) { return {open_[i].before, i, false}; }
    }
    return {reader.whole(), reader.depth(), reader.in_string()};
}

/// Where the text ends that `drain` may hand over.
std::size_t stream_state::handed_to() const noexcept {
    // its key may be out already
    if (!open_.empty() && open_.back().few) { return std::max(open_.back().before, out_base_ + taken_); }
    return reader.size();
}

std::string stream_state::tail(const cut& c) const {
    std::string out;
    if (c.at == 0) { return out; }
    if (c.in_string) { out.push_back('"'); }
    reader.append_brackets(out, c.depth);
    return out;
}

} // namespace jsonheal

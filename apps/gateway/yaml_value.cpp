#include "yaml_value.hpp"

#include "../cli/spelling.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>

namespace jsonheal::gateway {

namespace {

/// Lines count from 0 in yaml-cpp, and are -1 where it does not know.
std::size_t line_of(const YAML::Mark& m) { return m.line < 0 ? 0 : static_cast<std::size_t>(m.line) + 1; }

std::string in_quotes(std::string_view written) {
    constexpr std::size_t most = 60;
    std::string out = "'";
    for (const char c : written.substr(0, most)) { out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c; }
    return out + (written.size() > most ? "…'" : "'");
}

/// The number at the beginning of `text`, digits with or without a point; `text` keeps what follows.
std::optional<double> take_number(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    double n = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + end, n, std::chars_format::fixed);
    if (end == 0 || error != std::errc() || stop != text.data() + end) { return std::nullopt; }
    text.remove_prefix(end);
    return n;
}

std::string show(std::chrono::milliseconds d) {
    constexpr std::pair<std::int64_t, std::string_view> units[] = {
        {3'600'000, "h"}, {60'000, "m"}, {1000, "s"}};
    for (const auto& [size, unit] : units) {
        if (d.count() != 0 && d.count() % size == 0) {
            return std::to_string(d.count() / size) + std::string(unit);
        }
    }
    return std::to_string(d.count()) + (d.count() == 0 ? "" : "ms");
}

std::string show_bytes(std::uint64_t n) {
    constexpr std::pair<unsigned, std::string_view> units[] = {{30, "GiB"}, {20, "MiB"}, {10, "KiB"}};
    for (const auto& [shift, unit] : units) {
        if (n != 0 && n % (std::uint64_t{1} << shift) == 0) {
            return std::to_string(n >> shift) + std::string(unit);
        }
    }
    return std::to_string(n);
}

constexpr bool name_character(char c, bool first) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (!first && c >= '0' && c <= '9');
}

/// Parses without keeping anything.
class ignoring : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark& m) override { begin = m; }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

    YAML::Mark begin;
};

/// The line of what stands behind the first document, where YAML::Load stops without a word; 0: nothing does. (YAML::LoadAll of
/// yaml-cpp 0.7 does not end on some texts.)
std::size_t line_behind(const std::string& text) {
    std::istringstream in(text);
    YAML::Parser parser(in);
    ignoring events;
    if (!parser.HandleNextDocument(events) || !parser.HandleNextDocument(events)) { return 0; }
    return std::max<std::size_t>(line_of(events.begin), 1);
}

} // namespace

// The file -------------------------------------------------------------------------------------------------

void yaml_source::keep(std::size_t line, std::string message) {
    if (mistakes_.size() >= most_mistakes) {
        ++left_out_;
        return;
    }
    mistakes_.push_back({line, std::move(message)});
}

void yaml_source::mistake(std::size_t line, std::string_view what) {
    keep(line, file_ + (line == 0 ? "" : ":" + std::to_string(line)) + ": " + std::string(what));
}

void yaml_source::mistakes_of_other(std::size_t line, const std::vector<std::string>& others) {
    for (const std::string& m : others) { keep(line, m); }
}

std::vector<std::string> yaml_source::mistakes() const {
    std::vector<entry> sorted = mistakes_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const entry& a, const entry& b) { return a.line < b.line; });
    std::vector<std::string> out;
    for (entry& e : sorted) { out.push_back(std::move(e.message)); }
    if (left_out_ != 0) { out.push_back(file_ + ": " + std::to_string(left_out_) + " more mistakes"); }
    return out;
}

std::string yaml_source::beside(const std::string& path) const {
    return (std::filesystem::path(file_).parent_path() / path).string();
}

void yaml_source::read(std::string_view yaml, const std::function<void(const yaml_value&)>& reader) {
    if (yaml.size() > most_bytes) { return mistake(0, "the file is larger than 1 MiB"); }
    if (yaml.find('\0') != std::string_view::npos) { return mistake(0, "the file holds a NUL byte"); }
    try {
        const std::string text(yaml);
        const YAML::Node root = YAML::Load(text);
        if (const std::size_t line = line_behind(text); line != 0) {
            return mistake(line, "more stands here, behind the end of the document");
        }
        reader({*this, root, "", 1});
    } catch (const YAML::DeepRecursion& e) {
        mistake(line_of(e.mark), "no YAML: it is nested too deep");
    } catch (const YAML::Exception& e) { mistake(line_of(e.mark), "no YAML: " + e.msg); }
}

std::string read_small_file(const std::string& path, std::string& why) {
    std::error_code error;
    std::ifstream in;
    // A folder can be opened, and reading a device may never end.
    if (std::filesystem::is_regular_file(path, error)) { in.open(path, std::ios::binary); }
    if (!in.is_open()) {
        why = std::filesystem::exists(path, error) ? "it cannot be read as a file" : "there is no such file";
        return {};
    }
    std::string text(yaml_source::most_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) { why = "it cannot be read"; }
    return text;
}

// One value ------------------------------------------------------------------------------------------------

yaml_value::yaml_value(yaml_source& source, YAML::Node node, std::string name, std::size_t line_of_key)
    : source_(&source), node_(std::move(node)), name_(std::move(name)), line_(line_of_key) {
    if (node_.IsDefined() && !node_.IsNull() && line_of(node_.Mark()) != 0) { line_ = line_of(node_.Mark()); }
}

bool yaml_value::wrong(std::string_view what) const {
    const std::string subject = name_.empty() ? "the file" : "'" + name_ + "'";
    source_->mistake(line_, subject + " " + std::string(what));
    return false;
}

bool yaml_value::unlike(std::string what) const { return wrong(what + ", not " + in_quotes(node_.Scalar())); }

bool yaml_value::from_environment() const {
    return node_.IsScalar() && source_->variables_ == yaml_source::variables::expanded &&
           node_.Scalar().starts_with("${") && node_.Scalar().ends_with('}');
}

bool yaml_value::within_budget() const {
    if (source_->values_ > yaml_source::most_values) { return false; }
    if (++source_->values_ <= yaml_source::most_values) { return true; }
    source_->mistake(line_, "the file has too many values; is an alias used again and again?");
    return false;
}

/// `inside` is what stands between `${` and `}`.
bool yaml_value::variable(std::string_view inside, std::string& out) const {
    const std::size_t end = inside.find(":-");
    const std::string name(inside.substr(0, end));
    bool good = !name.empty();
    for (std::size_t i = 0; i < name.size(); ++i) { good = good && name_character(name[i], i == 0); }
    if (!good) {
        return wrong("has " + in_quotes("${" + std::string(inside) + "}") +
                     ", which names no variable; for the text itself write $${");
    }
    const char* const value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): nobody sets any
    if (end != std::string_view::npos && (value == nullptr || *value == '\0')) {
        out += inside.substr(end + 2);
    } else if (value != nullptr) {
        out += value;
    } else {
        return wrong("needs the environment's variable " + name + ", which is not set");
    }
    return true;
}

bool yaml_value::expand(std::string_view written, std::string& out) const {
    std::size_t at = 0;
    for (;;) {
        const std::size_t next = written.find("${", at);
        if (next == std::string_view::npos) { break; }
        if (next > at && written[next - 1] == '$') { // $${ is the text ${
            out.append(written, at, next - 1 - at).append("${");
            at = next + 2;
            continue;
        }
        out.append(written, at, next - at);
        const std::size_t end = written.find('}', next);
        if (end == std::string_view::npos) {
            return wrong("has a ${ without its }; for the text itself write $${");
        }
        if (!variable(written.substr(next + 2, end - next - 2), out)) { return false; }
        at = end + 1;
    }
    out.append(written.substr(at));
    return true;
}

std::optional<std::string> yaml_value::scalar() const {
    if (!within_budget()) { return std::nullopt; }
    if (!node_.IsScalar()) {
        wrong(node_.IsNull() ? "has no value" : "must be a single value");
        return std::nullopt;
    }
    if (source_->variables_ == yaml_source::variables::kept) { return node_.Scalar(); }
    std::string out;
    if (!expand(node_.Scalar(), out)) { return std::nullopt; }
    return out;
}

// Scalars --------------------------------------------------------------------------------------------------

bool yaml_value::text(std::string& out) const {
    std::optional<std::string> s = scalar();
    if (!s) { return false; }
    out = std::move(*s);
    return true;
}

bool yaml_value::filled(std::string& out) const {
    std::optional<std::string> s = scalar();
    if (!s) { return false; }
    if (s->empty()) { return wrong("is empty"); }
    out = std::move(*s);
    return true;
}

bool yaml_value::flag(bool& out) const {
    const std::optional<std::string> s = scalar();
    if (!s) { return false; }
    constexpr yaml_word<bool> words[] = {{"true", true}, {"false", false}, {"yes", true},
                                         {"no", false},  {"on", true},     {"off", false}};
    for (const auto& w : words) {
        if (w.name == *s) {
            out = w.value;
            return true;
        }
    }
    return unlike("must be true or false");
}

bool yaml_value::whole(std::uint64_t& out, std::uint64_t least, std::uint64_t most) const {
    const std::optional<std::string> s = scalar();
    if (!s) { return false; }
    std::uint64_t n = 0;
    const auto [stop, error] = std::from_chars(s->data(), s->data() + s->size(), n);
    if (s->empty() || error != std::errc() || stop != s->data() + s->size() || n < least || n > most) {
        return unlike("must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    out = n;
    return true;
}

bool yaml_value::amount(double& out, double most) const {
    const std::optional<std::string> s = scalar();
    if (!s) { return false; }
    std::string_view rest = *s;
    const std::optional<double> n = take_number(rest);
    if (!n || !rest.empty() || *n <= 0 || *n > most) {
        return unlike("must be a number above 0, at most " +
                      std::to_string(static_cast<std::uint64_t>(most)));
    }
    out = *n;
    return true;
}

bool yaml_value::bytes(std::uint64_t& out, std::uint64_t least, std::uint64_t most) const {
    const std::optional<std::string> s = scalar();
    if (!s) { return false; }
    constexpr yaml_word<unsigned> units[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    std::uint64_t n = 0;
    const auto [stop, error] = std::from_chars(s->data(), s->data() + s->size(), n);
    const std::string_view unit(stop, static_cast<std::size_t>(s->data() + s->size() - stop));
    const auto* const u =
        std::find_if(std::begin(units), std::end(units), [&](const auto& w) { return w.name == unit; });
    const bool good = error == std::errc() && u != std::end(units) && n <= (most >> u->value);
    if (!good || (n << u->value) < least) {
        return unlike("must be a number of bytes (4096, 64KiB, 32MiB, 1GiB) from " + show_bytes(least) +
                      " to " + show_bytes(most));
    }
    out = n << u->value;
    return true;
}

bool yaml_value::duration(std::chrono::milliseconds& out, std::chrono::milliseconds least,
                          std::chrono::milliseconds most) const {
    const std::optional<std::string> s = scalar();
    if (!s) { return false; }
    constexpr yaml_word<double> units[] = {
        {"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
    std::string_view unit = *s;
    const std::optional<double> n = take_number(unit);
    const auto* const u =
        std::find_if(std::begin(units), std::end(units), [&](const auto& w) { return w.name == unit; });
    const double exact = n && u != std::end(units) ? *n * u->value : -1;
    const double rounded = std::round(exact);
    // What is finer than a millisecond would be lost.
    if (exact < static_cast<double>(least.count()) || exact > static_cast<double>(most.count()) ||
        std::abs(exact - rounded) > 1e-6) {
        return unlike("must be a duration (500ms, 10s, 5m, 1h) from " + show(least) + " to " + show(most));
    }
    out = std::chrono::milliseconds(static_cast<std::int64_t>(rounded));
    return true;
}

bool yaml_value::choose(std::span<const std::string_view> names, std::size_t& chosen) const {
    const std::optional<std::string> s = scalar();
    if (!s) { return false; }
    const auto found = std::find(names.begin(), names.end(), *s);
    if (found == names.end()) { return unlike("must be " + one_of(names)); }
    chosen = static_cast<std::size_t>(found - names.begin());
    return true;
}

// Collections ----------------------------------------------------------------------------------------------

bool yaml_value::members(const member_reader& reader) const {
    if (!within_budget()) { return false; }
    if (node_.IsNull()) { return true; }
    if (!node_.IsMap()) { return wrong("must be a map of names and values"); }
    std::map<std::string, std::size_t> seen; // name → line
    for (const auto& member : node_) {
        const std::size_t line = line_of(member.first.Mark());
        if (!member.first.IsScalar()) {
            source_->mistake(line, "a name must be a single word");
            continue;
        }
        const std::string& key = member.first.Scalar();
        const auto [place, first_time] = seen.try_emplace(key, line);
        if (!first_time) {
            source_->mistake(line, in_quotes(key) + " stands here again; it was given on line " +
                                       std::to_string(place->second));
            continue;
        }
        if (!within_budget()) { return false; }
        reader(key, line, {*source_, member.second, name_.empty() ? key : name_ + "." + key, line});
    }
    return true;
}

bool yaml_value::elements(const std::function<void(const yaml_value&)>& reader) const {
    if (!within_budget()) { return false; }
    if (node_.IsNull()) { return true; }
    if (!node_.IsSequence()) { return wrong("must be a list"); }
    std::size_t index = 0;
    for (const YAML::Node& element : node_) {
        if (!within_budget()) { return false; }
        reader({*source_, element, name_ + "[" + std::to_string(index++) + "]", line_});
    }
    return true;
}

bool yaml_value::texts(std::vector<std::string>& out) const {
    return elements([&](const yaml_value& element) {
        std::string s;
        if (element.filled(s)) { out.push_back(std::move(s)); }
    });
}

void yaml_value::unknown(std::string_view key, std::size_t line_of_key,
                         std::span<const std::string_view> known) const {
    if (source_->mistakes_.size() >= yaml_source::most_mistakes) { return source_->mistake(line_of_key, {}); }
    std::string hint = perhaps(key, known);
    if (key == "<<") { hint = "; maps are not merged"; }
    if (hint.empty()) {
        hint = "; known are ";
        for (const std::string_view k : known) { hint.append(k).append(k == known.back() ? "" : ", "); }
    }
    source_->mistake(line_of_key, in_quotes(key) + " is not known here" + hint);
}

std::string perhaps(std::string_view word, std::span<const std::string_view> candidates) {
    const std::string_view meant = cli::nearest(word, candidates);
    return meant.empty() ? std::string() : "; did you mean '" + std::string(meant) + "'?";
}

std::string one_of(std::span<const std::string_view> names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i != 0) { out += i + 1 == names.size() ? " or " : ", "; }
        out += names[i];
    }
    return out;
}

} // namespace jsonheal::gateway

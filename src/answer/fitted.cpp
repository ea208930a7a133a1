// With a schema: every value of the text is healed and aligned, and the one that fits best is taken.

#include <jsonheal/answer.hpp>
#include <jsonheal/document.hpp>
#include <jsonheal/scan.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace jsonheal {

namespace {

constexpr std::uint32_t light_cost = 16; // a change below it is of spelling, above it of shape

/// How well a value serves, for comparing; the greater is the better.
struct merit {
    bool meant =
        false; // not a draft inside reasoning: one that fits is no excuse for an answer that does not
    bool fits = false;
    bool whole = false; // not cut off
    unsigned shape = 0; // 2: nothing but spellings changed; 1: its shape; 0: content was dropped
    friend auto operator<=>(const merit&, const merit&) = default;
};

merit merit_of(const alignment& a, bool reasoning, bool cut) {
    merit m;
    m.meant = !reasoning;
    m.whole = !cut;
    m.fits = a.fits;
    if (!a.fits) { return m; }
    m.shape = 2;
    for (const change& c : a.changes) {
        const unsigned shape = c.risk > risk::likely ? 0 : info(c.rule).cost < light_cost ? 2 : 1;
        m.shape = std::min(m.shape, shape);
    }
    return m;
}

std::string bytes_of(std::size_t begin, std::size_t end) {
    return "at bytes " + std::to_string(begin) + " to " + std::to_string(end);
}

std::string counted(std::size_t n, std::string_view thing) {
    return std::to_string(n) + ' ' + std::string(thing) + (n == 1 ? "" : "s");
}

std::string describe(const judged& j) {
    if (!j.fits) { return j.violations == 0 ? "does not fit" : "has " + counted(j.violations, "violation"); }
    return j.cost == 0 ? "fits as it stands" : "fits with changes of cost " + std::to_string(j.cost);
}

/// Aligns each value that a text holds, and picks one.
class fit_chooser final : public value_chooser {
public:
    fit_chooser(const schema::program& program, const align_options& options)
        : program_(program), options_(options) {}

    choice choose(std::span<const candidate> found) override {
        choice c;
        std::vector<merit> merits;
        for (const candidate& one : found) {
            alignment a = aligned(one.json);
            merits.push_back(merit_of(a, one.reasoning, one.cut != cut_place::none));
            values_.push_back(a.fits ? a.json : std::string());
            judged_.push_back(
                {one.begin, one.end, a.fits, a.cost, a.violations.size(), false, one.reasoning});
            if (best_ == none || merits.back() >= merits[best_]) {
                if (best_ != none) { second_ = best_; }
                best_ = judged_.size() - 1;
                best_alignment_ = std::move(a);
            } else if (second_ == none || merits.back() >= merits[second_]) {
                second_ = judged_.size() - 1;
            }
        }
        const bool usual = list_fits(found, merits[best_]) || !merits[best_].fits;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!usual && i != best_ && !judged_[i].fits) { c.misfits.push_back(i); }
            judged_[i].taken = usual ? found[i].taken : i == best_;
        }
        if (!usual) {
            c.index = best_;
            find_copies(c.copies);
        }
        as_usual_ = usual;
        return c;
    }

    /// The alignment of the value that was chosen, if it is known already.
    [[nodiscard]] std::optional<alignment> take() {
        if (as_usual_ || best_ == none) { return std::nullopt; }
        return std::move(best_alignment_);
    }
    [[nodiscard]] std::vector<judged>& all() noexcept { return judged_; }
    [[nodiscard]] std::string reason() const;

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[nodiscard]] alignment aligned(const std::string& json) const {
        return align(document::parse(json).value, program_, options_);
    }

    /// The other values that say the same, however they are spelled.
    void find_copies(std::vector<std::size_t>& copies) const {
        const document taken = document::parse(values_[best_]).value;
        const std::uint64_t hash = hash_value(taken.root());
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (i == best_ || values_[i].empty()) { continue; }
            const document other = document::parse(values_[i]).value;
            if (hash_value(other.root()) == hash && same_value(other.root(), taken.root())) {
                copies.push_back(i);
            }
        }
    }

    /// Values that stand side by side are a list: is that what the schema wants?
    [[nodiscard]] bool list_fits(std::span<const candidate> found, const merit& best) const {
        std::string list = "[";
        std::size_t taken = 0;
        for (const candidate& c : found) {
            if (!c.taken) { continue; }
            if (taken++ != 0) { list += ','; }
            list += c.json;
        }
        if (taken < 2) { return false; }
        list += ']';
        return merit_of(aligned(list), false, found.back().cut != cut_place::none) >= best;
    }

    const schema::program& program_;
    const align_options& options_;
    std::vector<judged> judged_;
    std::vector<std::string> values_; ///< of those that fit
    std::size_t best_ = none, second_ = none;
    alignment best_alignment_;
    bool as_usual_ = true;
};

std::string fit_chooser::reason() const {
    if (judged_.empty()) { return {}; }
    if (as_usual_) {
        std::size_t taken = 0;
        for (const judged& j : judged_) { taken += j.taken ? 1U : 0U; }
        return "took " + std::to_string(taken) + " of " + counted(judged_.size(), "value") +
               (taken > 1 ? ", as a list" : ", none of which fits");
    }
    const judged& best = judged_[best_];
    std::string out = "took 1 of " + counted(judged_.size(), "value") + ", " +
                      bytes_of(best.begin, best.end) + ": it " + describe(best);
    if (second_ != none) {
        const judged& second = judged_[second_];
        out += "; the runner-up, " + bytes_of(second.begin, second.end) + ", " + describe(second);
        if (second.reasoning) {
            out += ", but is a draft inside reasoning";
        } else if (second.fits) {
            out += second.begin < best.begin ? ", but stands before it" : ", but in another shape";
        }
    }
    return out;
}

} // namespace

struct answerer::parts {
    schema::program program;
    answer_options options;
    std::unique_ptr<expectation> expected;

    parts(schema::program p, const answer_options& o)
        : program(std::move(p)), options(o), expected(schema::make_expectation(program)) {
        options.heal.preset = preset::whole;
        options.heal.expect = expected.get();
        options.heal.chooser = nullptr;
        options.heal.close_at_known_keys = false;
    }

    [[nodiscard]] bool intact(std::string_view text, fitted& f) const;
    [[nodiscard]] fitted read(std::string_view text, bool close_at_known_keys) const;
};

/// Strict JSON needs no healing.
bool answerer::parts::intact(std::string_view text, fitted& f) const {
    if (!options.heal.fast_path || text.size() > options.heal.limits.bytes) { return false; }
    document_limits limits;
    limits.depth = options.heal.limits.depth;
    const parse_result parsed = document::parse_borrowed(text, limits);
    if (!parsed) { return false; }
    f.text.verdict = verdict::intact;
    f.text.set_borrowed(text);
    f.value = align(parsed.value, program, options.align);
    f.reason = "the text is JSON";
    return true;
}

fitted answerer::parts::read(std::string_view text, bool close_at_known_keys) const {
    fitted f;
    fit_chooser chooser(program, options.align);
    heal_options asked = options.heal;
    asked.chooser = &chooser;
    asked.close_at_known_keys = close_at_known_keys;
    f.text = heal(text, asked);
    if (!f.text.ok()) {
        f.reason = f.text.why.message;
        return f;
    }
    std::optional<alignment> known = chooser.take();
    f.value = known ? std::move(*known)
                    : align(document::parse_borrowed(f.text.json()).value, program, options.align);
    f.reason = chooser.reason();
    if (f.reason.empty()) { f.reason = "took the only value"; }
    f.candidates = std::move(chooser.all());
    return f;
}

answerer::answerer(schema::program program, const answer_options& options)
    : parts_(std::make_unique<parts>(std::move(program), options)) {}
answerer::~answerer() = default;
answerer::answerer(answerer&&) noexcept = default;
answerer& answerer::operator=(answerer&&) noexcept = default;

fitted answerer::answer(std::string_view text) {
    fitted f;
    if (parts_->intact(text, f)) { return f; }
    f = parts_->read(text, false);
    if (f.text.verdict != verdict::truncated || f.text.cut != cut_place::closers) { return f; }
    // {"a":{"b":1,"c":2}: a bracket is missing at the end, but perhaps not there
    fitted other = parts_->read(text, true);
    if (!other.fits() || other.text.verdict == verdict::truncated) { return f; }
    other.reason += "; the schema's keys say where a bracket was lost";
    return other;
}

fitted answer(std::string_view text, const schema::program& program, const answer_options& options) {
    return answerer(program, options).answer(text);
}

} // namespace jsonheal

#include "words.hpp"

#include "fold.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace jsonheal::align_detail {

namespace {

template <std::size_t N>
[[nodiscard]] bool listed(const std::string_view (&list)[N], std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// Words after which a text does not say what its other words say. Folded.
constexpr std::string_view denials[] = {
    "not",       "no",      "never",      "none",      "neither",   "nor",      "without", "except",
    "excluding", "instead", "rather",     "but",       "cannot",    "cant",     "isn",     "isnt",
    "aren",      "arent",   "doesn",      "doesnt",    "don",       "dont",     "won",     "wont",
    "wasn",      "wasnt",   "wouldn",     "shouldn",   "unlike",    "hardly",   "false",   "wrong",
    "unless",    "non",     "avoid",      "versus",    "against",   "nicht",    "kein",    "keine",
    "weder",     "ohne",    "nie",        "statt",     "pas",       "jamais",   "sans",    "ni",
    "sin",       "nunca",   "nao",        "sem",       "nem",       "mai",      "senza",   "niet",
    "geen",      "ikke",    "inte",       "nie",       "не",        "нет",      "ни",      "без",
    "or",        "oder",    "maybe",      "perhaps",   "either",    "could",    "might",   "was",
    "formerly",  "used",    "previously", "if",        "almost",    "nearly",   "anti",    "un",
    "except",    "ou",      "o",          "или",       "unsure",    "unknown",  "vs",      "than",
    "failed",    "fails",   "unable",     "lack",      "lacks",     "lacking",  "refused", "refuses",
    "refuse",    "stop",    "stopped",    "minus",     "far",       "opposite", "below",   "above",
    "be",        "will",    "rejected",   "denied",    "cancelled", "canceled", "revoked", "isn",
    "pending",   "dis",     "half",       "partially", "partly"};

/// Words that may stand right beside a value without saying more of it: `The colour is blue`.
constexpr std::string_view fillers[] = {
    "a",      "an",       "the",     "is",    "are",       "am",       "it",       "its",    "it's",
    "this",   "that",     "these",   "i",     "think",     "guess",    "believe",  "say",    "would",
    "we",     "my",       "our",     "your",  "answer",    "value",    "result",   "option", "choice",
    "class",  "category", "label",   "type",  "status",    "state",    "color",    "colour", "grade",
    "level",  "rating",   "one",     "final", "as",        "to",       "for",      "in",     "of",
    "with",   "and",      "so",      "then",  "clearly",   "probably", "likely",   "very",   "definitely",
    "most",   "best",     "because", "since", "sentiment", "priority", "severity", "mode",   "kind",
    "please", "ok",       "okay",    "yes",   "sure",      "here",     "pick",     "choose", "chose",
    "picked", "selected", "select",  "go",    "tone",      "el",       "la",       "le",     "der",
    "die",    "das",      "ist",     "es",    "est",       "c"};

constexpr std::string_view negating_characters[] = {"不", "非", "未", "没", "無", "ない", "안", "لا", "नहीं"};

/// `didn't`, which is the words `didn` and `t`, and `didnt`.
[[nodiscard]] bool is_contraction(const std::vector<word>& words, std::size_t i) {
    constexpr std::string_view verbs[] = {"did",  "does",  "do",   "is",  "are",   "was",    "were",
                                          "has",  "have",  "had",  "can", "could", "should", "would",
                                          "must", "might", "need", "ai",  "wo",    "sha"};
    std::string_view w = words[i].folded;
    if (w.ends_with("nt")) {
        w.remove_suffix(2);
    } else if (w.ends_with('n') && i + 1 < words.size() && words[i + 1].folded == "t") {
        w.remove_suffix(1);
    } else {
        return w == "can" && i + 1 < words.size() && words[i + 1].folded == "t";
    }
    return listed(verbs, w) || w == "ca";
}

/// Does a word that may change its meaning stand right before or behind a value: `light blue`, `approved rejected`?
[[nodiscard]] bool is_modified(std::string_view text, const std::vector<word>& words, std::size_t from,
                               std::size_t count) {
    const auto touches = [&](std::size_t end, std::size_t begin) {
        return text.substr(end, begin - end).find_first_not_of(" -") == std::string_view::npos;
    };
    if (from != 0 && touches(words[from - 1].end, words[from].begin) &&
        !listed(fillers, words[from - 1].folded)) {
        return true;
    }
    const std::size_t next = from + count;
    return next < words.size() && touches(words[next - 1].end, words[next].begin) &&
           !listed(fillers, words[next].folded);
}

[[nodiscard]] bool denies(std::string_view text, const std::vector<word>& words, std::size_t from,
                          std::size_t count) {
    for (std::size_t i = 0; i != words.size(); ++i) {
        if (i >= from && i < from + count) { continue; }
        if (listed(denials, words[i].folded) || is_contraction(words, i)) { return true; }
    }
    return std::any_of(std::begin(negating_characters), std::end(negating_characters),
                       [&](std::string_view c) { return text.find(c) != std::string_view::npos; });
}

constexpr std::string_view true_words[] = {"true", "yes", "y", "on", "t", "1"};
constexpr std::string_view false_words[] = {"false", "no", "n", "off", "f", "0"};

/// The only one of the words true and false that stands in a text which denies nothing.
std::optional<boolean_reading> boolean_in_text(std::string_view text) {
    const std::vector<word> words = words_of(text);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i != words.size(); ++i) {
        if (words[i].folded != "true" && words[i].folded != "false") { continue; }
        if (found && words[*found].folded != words[i].folded) { return std::nullopt; }
        found = i;
    }
    if (!found || denies(text, words, *found, 1)) { return std::nullopt; }
    return boolean_reading{words[*found].folded == "true", align_rule::boolean_in_text};
}

/// The one value whose folded spelling is `folded`. `several` is set where there are more.
const enum_name* only_match(std::span<const enum_name> names, std::string enum_name::*form,
                            std::string_view folded, std::size_t least, bool& several) {
    const enum_name* found = nullptr;
    if (folded.size() < least) { return found; }
    for (const enum_name& n : names) {
        if (n.*form != folded) { continue; }
        if (found != nullptr && found->value != n.value) {
            several = true;
            return nullptr;
        }
        if (found == nullptr || found->alias) { found = &n; }
    }
    return found;
}

/// Where a value stands in a text as whole words.
struct occurrence {
    std::size_t from = 0; ///< word
    std::size_t count = 0;
    std::uint32_t value = 0;
    std::uint32_t hits = 1; ///< how often
    bool same_case = false;
    bool doubtful = false; ///< a short name that may be a word like any other: `A cat sat`
};

/// Whether a short name is set off from the rest: `B: because …`, `(B)`, `The answer is: B`, `Option B`.
[[nodiscard]] bool set_off(std::string_view text, std::size_t begin, std::size_t end) {
    constexpr std::string_view openers = " \t\n\"'(*[`";
    const std::string_view before = text.substr(0, begin);
    const std::string_view behind = text.substr(end);
    const std::size_t last = before.find_last_not_of(openers);
    const bool marked =
        !behind.empty() && std::string_view(":).,]*").find(behind[0]) != std::string_view::npos;
    const bool ends = behind.find_first_not_of(" \t\n\"'.)*]`") == std::string_view::npos;
    constexpr std::string_view sorts[] = {"option",   "choice",  "answer", "grade", "class",
                                          "category", "type",    "level",  "plan",  "tier",
                                          "group",    "variant", "no",     "number"};
    if (ends && listed(sorts, fold(before, fold_level::separators))) { return true; } // Option B
    return last == std::string_view::npos ? marked : before[last] == ':' && ends;
}

/// A name of one or two characters that could be a word or a figure.
[[nodiscard]] bool is_short(const std::vector<word>& name) {
    constexpr std::size_t most = 2;
    if (name.size() != 1 || name[0].folded.size() > most) { return false; }
    const auto digits = std::count_if(name[0].folded.begin(), name[0].folded.end(),
                                      [](char c) { return c >= '0' && c <= '9'; });
    return digits == 0 || digits == static_cast<std::ptrdiff_t>(name[0].folded.size());
}

/// Appends the places of one spelling.
void find_words(std::string_view text, const std::vector<word>& words, const enum_name& name,
                std::vector<occurrence>& out) {
    const std::vector<word> own = words_of(name.text);
    if (own.empty() || own.size() > words.size()) { return; }
    for (std::size_t at = 0; at + own.size() <= words.size(); ++at) {
        const bool same = std::equal(own.begin(), own.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                                     [](const word& a, const word& b) { return a.folded == b.folded; });
        if (!same) { continue; }
        const std::size_t begin = words[at].begin;
        const std::size_t end = words[at + own.size() - 1].end;
        occurrence o{at, own.size(), name.value, 1, text.substr(begin, end - begin) == name.text, false};
        o.doubtful = is_short(own) && !set_off(text, begin, end);
        if (o.doubtful && !o.same_case) { continue; } // a is no A
        out.push_back(o);
    }
}

/// Signs beside a word that make it another name: `C++`, `-5`, `k8s/api`, `dark-blue`.
[[nodiscard]] bool glued(std::string_view text, const std::vector<word>& words, const occurrence& o) {
    constexpr std::string_view glue = "+#&/\\@_-=<>$%^~|";
    const std::size_t begin = words[o.from].begin;
    const std::size_t end = words[o.from + o.count - 1].end;
    if (end < text.size() && glue.find(text[end]) != std::string_view::npos) { return true; }
    if (begin != 0 && glue.find(text[begin - 1]) != std::string_view::npos) { return true; }
    // 10.5 is no 10
    const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    if (end < text.size() && (text[end] == '.' || text[end] == ',') && digit(end + 1)) { return true; }
    if (begin > 1 && (text[begin - 1] == '.' || text[begin - 1] == ',') && digit(begin - 2)) { return true; }
    const bool joined_before = o.from != 0 && words[o.from - 1].end == begin; // a hump: darkBlue
    const bool joined_behind = o.from + o.count < words.size() && words[o.from + o.count].begin == end;
    return joined_before || joined_behind;
}

[[nodiscard]] bool covers(const occurrence& a, const occurrence& b) noexcept {
    return a.count > b.count && a.from <= b.from && b.from + b.count <= a.from + a.count;
}

/// One place for each value: the longest where several overlap, and those in the schema's case before all others.
std::vector<occurrence> meant(const std::vector<occurrence>& all) {
    const bool any_same_case =
        std::any_of(all.begin(), all.end(), [](const occurrence& o) { return o.same_case; });
    std::vector<occurrence> kept;
    for (const occurrence& o : all) {
        if (any_same_case && !o.same_case) { continue; }
        if (std::any_of(all.begin(), all.end(), [&](const occurrence& other) { return covers(other, o); })) {
            continue;
        }
        const auto same =
            std::find_if(kept.begin(), kept.end(), [&](const occurrence& k) { return k.value == o.value; });
        if (same == kept.end()) {
            kept.push_back(o);
        } else {
            ++same->hits;
            same->doubtful = same->doubtful && o.doubtful;
        }
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [](const occurrence& a, const occurrence& b) { return a.hits > b.hits; });
    return kept;
}

std::optional<enum_reading> enum_in_text(std::string_view text, std::span<const enum_name> names,
                                         bool lossy) {
    constexpr std::size_t short_text = 80;
    constexpr std::size_t most_text = 4'096;
    if (text.size() > (lossy ? most_text : short_text)) { return std::nullopt; }
    const std::vector<word> words = words_of(text);
    std::vector<occurrence> all;
    const std::string folded = fold(text, fold_level::punctuation);
    for (const enum_name& n : names) {
        if (folded.find(n.by_punctuation) != std::string::npos) { find_words(text, words, n, all); }
    }
    if (std::any_of(all.begin(), all.end(), [&](const occurrence& o) { return glued(text, words, o); })) {
        return std::nullopt;
    }
    const std::vector<occurrence> kept = meant(all);
    if (kept.empty() || denies(text, words, kept[0].from, kept[0].count)) { return std::nullopt; }
    if (kept.size() > 1 && (!lossy || kept[0].hits == kept[1].hits)) { return std::nullopt; }
    if (kept[0].doubtful) { return std::nullopt; }
    const bool sure = kept.size() == 1 && text.size() <= short_text &&
                      !is_modified(text, words, kept[0].from, kept[0].count);
    if (!sure && !lossy) { return std::nullopt; }
    return enum_reading{kept[0].value, sure ? align_rule::enum_word : align_rule::enum_in_text};
}

} // namespace

enum_name::enum_name(std::string_view wtf8, std::uint32_t of_value, bool is_alias)
    : text(wtf8),
      value(of_value),
      alias(is_alias),
      by_case(fold(wtf8, fold_level::case_only)),
      by_separators(fold(wtf8, fold_level::separators)),
      by_punctuation(fold(wtf8, fold_level::punctuation)) {}

std::optional<boolean_reading> read_boolean(std::string_view text, bool lossy) {
    const std::string folded = fold(text, fold_level::case_only);
    if (folded == "true" || folded == "false") {
        return boolean_reading{folded == "true", align_rule::string_to_boolean};
    }
    if (listed(true_words, folded)) { return boolean_reading{true, align_rule::boolean_word}; }
    if (listed(false_words, folded)) { return boolean_reading{false, align_rule::boolean_word}; }
    if (!lossy) { return std::nullopt; }
    return boolean_in_text(text);
}

bool is_null_word(std::string_view text) {
    constexpr std::string_view words[] = {"null", "none", "nil",    "undefined",
                                          "n/a",  "na",   "<null>", "(null)"};
    constexpr std::size_t longest = 16;
    return text.size() <= longest && listed(words, fold(text, fold_level::case_only));
}

std::optional<enum_reading> read_enum(std::string_view text, std::span<const enum_name> names, bool lossy) {
    bool several = false;
    const std::u32string signs = signs_of(text);
    for (const enum_name& n : names) {
        if (n.text == text) {
            return enum_reading{n.value, align_rule::enum_alias};
        } // a real name would fit already
    }
    using enum fold_level;
    constexpr std::size_t least = 3; // C is not C#
    const struct {
        std::string enum_name::*form;
        fold_level of_text;
        std::size_t shortest;
        align_rule rule;
    } readings[] = {{&enum_name::by_case, case_only, 1, align_rule::enum_case},
                    {&enum_name::by_separators, separators, 1, align_rule::enum_spelling},
                    {&enum_name::by_separators, punctuation, least, align_rule::enum_spelling}};
    for (const auto& r : readings) {
        const enum_name* const n = only_match(names, r.form, fold(text, r.of_text), r.shortest, several);
        if (n != nullptr && signs_of(n->text) != signs) { return std::nullopt; }
        if (n != nullptr) { return enum_reading{n->value, n->alias ? align_rule::enum_alias : r.rule}; }
        if (several) { return std::nullopt; }
    }
    return enum_in_text(text, names, lossy);
}

} // namespace jsonheal::align_detail

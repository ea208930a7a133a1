/// @file words.cpp
/// What is said about a fault: expected, got, and one sentence a model can act on.

#include "evaluation.hpp"
#include "formats.hpp"
#include "report.hpp"

namespace jsonheal::schema::detail {

namespace {

constexpr std::size_t most_listed = 12;
constexpr std::size_t most_bytes = 80;

std::string quoted(std::string_view wtf8) {
    std::string out;
    encode_string(wtf8, out);
    return out;
}

/// A value as it stands in the text, cut where it is long.
std::string shortened(value_view v) {
    std::string_view source = v.source();
    if (source.size() <= most_bytes) { return std::string(source); }
    std::size_t cut = most_bytes;
    while (cut > 0 && (static_cast<unsigned char>(source[cut]) & 0xC0) == 0x80) { --cut; }
    return std::string(source.substr(0, cut)) + "...";
}

std::string shown(value_view v) {
    switch (v.kind()) {
    case value_kind::null: return "null";
    case value_kind::boolean: return std::string(v.source());
    case value_kind::number: return "the number " + shortened(v);
    case value_kind::string: return "the string " + shortened(v);
    case value_kind::array: return "an array";
    case value_kind::object: return "an object";
    }
    return {};
}

std::string counted(std::uint64_t n, std::string_view thing) {
    return std::to_string(n).append(" ").append(thing).append(n == 1 ? "" : "s");
}

/// `a, b or c`, of at most `most_listed`.
std::string listed(const std::vector<std::string>& parts, std::string_view last) {
    std::string out;
    const std::size_t shown_parts = std::min(parts.size(), most_listed);
    for (std::size_t i = 0; i != shown_parts; ++i) {
        if (i > 0) { out.append(i + 1 == parts.size() ? last : std::string_view(", ")); }
        out.append(parts[i]);
    }
    if (parts.size() > shown_parts) {
        out.append(", ... (").append(std::to_string(parts.size())).append(" in all)");
    }
    return out;
}

class speaker {
public:
    speaker(const program_data& p, value_view root, const recording& r, const unit& u,
            std::string_view pointer)
        : p_(p),
          root_(root),
          r_(r),
          u_(u),
          value_(root.with_index(u.value)),
          place_(pointer.empty() ? "The value" : std::string(pointer)) {}

    wording say() {
        w_.keyword = u_.keyword == keyword::count ? "false" : std::string(info(u_.keyword).name);
        switch (u_.reason) {
        case unit_reason::required: required(); break;
        case unit_reason::forbidden: forbidden(); break;
        case unit_reason::several:
            say("exactly one of the forms under oneOf", counted(u_.extra, "form") + " that it fits",
                place_ + " must fit exactly one of the allowed forms, but it fits " +
                    std::to_string(u_.extra) + ".");
            break;
        case unit_reason::too_few:
        case unit_reason::too_many: contains(); break;
        case unit_reason::dependency: dependency_missing(); break;
        case unit_reason::repeated:
            say("the same as before", shown(value_), place_ + " has faults that are listed already.");
            break;
        case unit_reason::stopped: stopped(); break;
        case unit_reason::branch:
            say("one of several forms", shown(value_), place_ + " does not fit this form.");
            break;
        case unit_reason::keyword: keyword_fault(); break;
        }
        return std::move(w_);
    }

private:
    void say(std::string expected, std::string got, std::string message) {
        w_.expected = std::move(expected);
        w_.got = std::move(got);
        w_.message = std::move(message);
    }
    /// `/a must be EXPECTED, not GOT.`
    void must_be(std::string expected, std::string got) {
        std::string message = place_ + " must be " + expected + ", not " + got + ".";
        say(std::move(expected), std::move(got), std::move(message));
    }
    void must_have(std::string expected, std::string got) {
        std::string message = place_ + " must have " + expected + "; it has " + got + ".";
        say(std::move(expected), std::move(got), std::move(message));
    }
    [[nodiscard]] const instruction& in() const { return p_.code[u_.instruction]; }
    [[nodiscard]] const node& here() const { return p_.nodes[r_.paths[u_.path].node]; }

    void required() {
        const std::string key = in().op == opcode::required ? p_.required_lists[in().a][u_.extra]
                                                            : std::string(p_.properties[u_.extra].key);
        say("the key " + quoted(key), "no such key", place_ + " lacks the required key " + quoted(key) + ".");
    }

    void forbidden() {
        if (u_.keyword == keyword::additional_properties || u_.keyword == keyword::unevaluated_properties) {
            const std::string key = quoted(value_.string());
            std::string allowed;
            if (u_.keyword == keyword::additional_properties) { allowed = known_keys(); }
            say(allowed.empty() ? "no further keys" : "only the keys " + allowed, "the key " + key,
                "The key " + key + " at " + place_ + " is not allowed" +
                    (allowed.empty() ? "." : "; allowed are " + allowed + "."));
            return;
        }
        if (u_.keyword == keyword::count) {
            return say("nothing", shown(value_), place_ + " is not allowed here; leave it out.");
        }
        say("no further elements", shown(value_), place_ + " is one element too many; leave it out.");
    }
    [[nodiscard]] std::string known_keys() const {
        const object_shape& shape = p_.objects[in().a];
        std::vector<std::string> keys;
        for (std::uint32_t i = 0; i != shape.properties.count; ++i) {
            const property& prop = p_.properties[shape.properties.begin + i];
            if (prop.to.at != none) { keys.push_back(quoted(prop.key)); }
        }
        return listed(keys, " and ");
    }

    void contains() {
        const contains_shape& shape = p_.contains[in().a];
        const bool few = u_.reason == unit_reason::too_few;
        if (few && shape.least_at != none) { w_.keyword = "minContains"; }
        if (!few) { w_.keyword = "maxContains"; }
        must_have((few ? "at least " + counted(shape.least, "element")
                       : "at most " + counted(shape.most, "element")) +
                      " of the form under contains",
                  std::to_string(u_.extra));
    }

    void dependency_missing() {
        const dependency& d = p_.dependencies[in().a][u_.extra];
        const std::string name = quoted(d.names[u_.name]);
        say("the key " + name, "no such key",
            place_ + " has the key " + quoted(d.key) + ", so it must also have the key " + name + ".");
    }

    void stopped() {
        w_.keyword = "limit";
        switch (r_.stopped) {
        case stop_reason::pattern:
            return say("a text that the pattern can be tried on", shown(value_),
                       place_ + " could not be checked: a regular expression took too many steps on it.");
        case stop_reason::cycle:
            return say("a schema that ends", "one that leads back to itself",
                       place_ + " could not be checked: the schema refers to itself without end.");
        default:
            return say("a check within the limit", "more work than that",
                       place_ + " could not be checked: validation took more steps than the limit.");
        }
    }

    void type() {
        const node& n = here();
        std::vector<std::string> names;
        for (unsigned k = 0; k != 6; ++k) {
            if ((n.kinds >> k & 1u) == 0) { continue; }
            constexpr std::string_view articles[] = {"null",     "a boolean", "a number",
                                                     "a string", "an array",  "an object"};
            const bool whole =
                k == static_cast<unsigned>(value_kind::number) && (n.flags & node::integers_only) != 0;
            names.emplace_back(whole ? std::string_view("a whole number") : articles[k]);
        }
        must_be(listed(names, " or "), shown(value_));
    }

    void values() {
        std::vector<std::string> list;
        for (const value_view v : p_.value_sets[in().a].all) { list.push_back(shortened(v)); }
        must_be(list.size() == 1 ? list.front()
                : list.empty()   ? "one of no values"
                                 : "one of " + listed(list, " and "),
                shown(value_));
    }

    void unique() {
        hash_cache hashes;
        const auto twins = find_duplicate(root_, value_, hashes);
        const std::string first = std::to_string(twins ? twins->first : 0);
        const std::string second = std::to_string(twins ? twins->second : 0);
        say("elements that all differ", "equal elements at " + first + " and " + second,
            place_ + " must not hold equal elements, but those at " + first + " and " + second +
                " are equal.");
    }

    void keyword_fault() {
        if (u_.instruction == none) { return type(); }
        const auto bound_text = [&] { return std::string(p_.bounds[in().a].text); };
        switch (in().op) {
        case opcode::integer: return type();
        case opcode::minimum: return must_be("at least " + bound_text(), shortened(value_));
        case opcode::exclusive_minimum: return must_be("more than " + bound_text(), shortened(value_));
        case opcode::maximum: return must_be("at most " + bound_text(), shortened(value_));
        case opcode::exclusive_maximum: return must_be("less than " + bound_text(), shortened(value_));
        case opcode::multiple_of:
            return must_be("a multiple of " + std::string(p_.divisors[in().a].text), shortened(value_));
        case opcode::min_length:
            return must_have("at least " + counted(in().a, "character"), std::to_string(length()));
        case opcode::max_length:
            return must_have("at most " + counted(in().a, "character"), std::to_string(length()));
        case opcode::pattern: {
            const std::string pattern = "a text that matches the pattern " + p_.regexes[in().a]->source();
            return say(pattern, shown(value_),
                       place_ + " must be " + pattern + " ; it is " + shortened(value_) + ".");
        }
        case opcode::format: return must_be("a valid " + std::string(format_name(in().a)), shown(value_));
        case opcode::min_items:
            return must_have("at least " + counted(in().a, "element"), std::to_string(value_.size()));
        case opcode::max_items:
            return must_have("at most " + counted(in().a, "element"), std::to_string(value_.size()));
        case opcode::min_properties:
            return must_have("at least " + counted(in().a, "key"), std::to_string(value_.size()));
        case opcode::max_properties:
            return must_have("at most " + counted(in().a, "key"), std::to_string(value_.size()));
        case opcode::unique_items: return unique();
        case opcode::value_set: return values();
        case opcode::any_of:
        case opcode::one_of: {
            const std::string branches = std::to_string(p_.unions[in().a].branches.count);
            return say("one of the " + branches + " forms under " + w_.keyword, shown(value_),
                       place_ + " fits none of the " + branches + " allowed forms.");
        }
        case opcode::negation:
            return say("anything but the form under not", shown(value_),
                       place_ + " must not be of the form under not.");
        default: return say("a value that fits", shown(value_), place_ + " does not fit.");
        }
    }
    [[nodiscard]] std::size_t length() const { return count_code_points(value_.string()); }

    const program_data& p_;
    value_view root_;
    const recording& r_;
    const unit& u_;
    value_view value_;
    std::string place_;
    wording w_;
};

} // namespace

wording words_for(const program_data& p, value_view root, const recording& r, const unit& u,
                  std::string_view pointer) {
    return speaker(p, root, r, u, pointer).say();
}

} // namespace jsonheal::schema::detail

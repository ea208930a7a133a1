/// @file compile_keywords.cpp
/// Third stage, continued: the keywords that look at a value alone.

#include "compiler.hpp"
#include "formats.hpp"
#include "numbers.hpp"
#include "regex.hpp"

#include <algorithm>

namespace jsonheal::schema::detail {

namespace {

const std::optional<value_view>& get(const keyword_values& values, keyword k) {
    return values[static_cast<std::size_t>(k)];
}

struct type_row {
    std::string_view name;
    std::uint8_t kinds;
    bool integer;
    bool extension;
};
// The extensions are what providers of language models take beside the standard's names.
constexpr type_row types[] = {
    {"null", bit(value_kind::null), false, false},     {"boolean", bit(value_kind::boolean), false, false},
    {"number", bit(value_kind::number), false, false}, {"integer", bit(value_kind::number), true, false},
    {"string", bit(value_kind::string), false, false}, {"array", bit(value_kind::array), false, false},
    {"object", bit(value_kind::object), false, false}, {"bool", bit(value_kind::boolean), false, true},
    {"int", bit(value_kind::number), true, true},      {"float", bit(value_kind::number), false, true},
    {"NULL", bit(value_kind::null), false, true},      {"BOOLEAN", bit(value_kind::boolean), false, true},
    {"NUMBER", bit(value_kind::number), false, true},  {"INTEGER", bit(value_kind::number), true, true},
    {"STRING", bit(value_kind::string), false, true},  {"ARRAY", bit(value_kind::array), false, true},
    {"OBJECT", bit(value_kind::object), false, true},
};

const type_row* type_named(value_view v, bool extensions) {
    if (!v.is(value_kind::string)) { return nullptr; }
    for (const type_row& row : types) {
        if (v.string_is(row.name) && (extensions || !row.extension)) { return &row; }
    }
    return nullptr;
}

} // namespace

void compiler::compile_type(node& n, const keyword_values& values) {
    const std::optional<value_view>& v = get(values, keyword::type);
    if (!v) { return; }
    const bool list = v->is(value_kind::array);
    if (!expect(v->is(value_kind::string) || (list && v->size() > 0), keyword::type, *v,
                "a type's name or an array of them")) {
        return;
    }
    unsigned kinds = 0;
    bool integer = false;
    bool number = false;
    const auto take = [&](value_view name) {
        const type_row* const row = type_named(name, options_.extensions);
        if (row == nullptr) { return fail(name, "there is no type " + std::string(name.source())); }
        kinds |= row->kinds;
        integer = integer || row->integer;
        number = number || (row->kinds == bit(value_kind::number) && !row->integer);
    };
    if (list) {
        for (const value_view name : v->elements()) { take(name); }
    } else {
        take(*v);
    }
    if (const auto& nullable = get(values, keyword::nullable); nullable && nullable->source() == "true") {
        kinds |= bit(value_kind::null);
    }
    n.kinds = static_cast<std::uint8_t>(kinds);
    if (integer && !number) {
        n.flags |= node::integers_only;
        emit(group::number, opcode::integer, keyword::type, *v, 0);
    }
}

void compiler::compile_values(keyword k, value_view values) {
    value_set set;
    const auto take = [&set](value_view v) {
        set.kinds = static_cast<std::uint8_t>(set.kinds | bit(v.kind()));
        set.all.push_back(v);
        if (!v.is(value_kind::string)) {
            set.others.push_back(v);
            return;
        }
        std::string scratch;
        const std::string_view text = v.string(scratch);
        if (set.strings.find(text) == key_table::not_found) { set.strings.add(text, 0); }
    };
    if (k == keyword::constant) {
        take(values);
    } else {
        if (!expect(values.is(value_kind::array), k, values, "an array")) { return; }
        for (const value_view v : values.elements()) { take(v); }
    }
    set.strings.settle();
    emit(group::any, opcode::value_set, k, values, static_cast<std::uint32_t>(program_.value_sets.size()));
    program_.value_sets.push_back(std::move(set));
}

void compiler::compile_numbers(const keyword_values& values, schema::dialect d) {
    const auto& minimum = get(values, keyword::minimum);
    const auto& maximum = get(values, keyword::maximum);
    const auto& exclusive_minimum = get(values, keyword::exclusive_minimum);
    const auto& exclusive_maximum = get(values, keyword::exclusive_maximum);
    if (d == dialect::draft4) { // there they are booleans that change the keyword beside them
        const auto strict = [](const std::optional<value_view>& v) { return v && v->source() == "true"; };
        compile_bound(keyword::minimum, minimum,
                      strict(exclusive_minimum) ? opcode::exclusive_minimum : opcode::minimum);
        compile_bound(keyword::maximum, maximum,
                      strict(exclusive_maximum) ? opcode::exclusive_maximum : opcode::maximum);
        for (const keyword k : {keyword::exclusive_minimum, keyword::exclusive_maximum}) {
            const auto& v = get(values, k);
            if (v && !expect(v->is(value_kind::boolean), k, *v, "a boolean in draft 4")) { return; }
        }
    } else {
        compile_bound(keyword::minimum, minimum, opcode::minimum);
        compile_bound(keyword::maximum, maximum, opcode::maximum);
        compile_bound(keyword::exclusive_minimum, exclusive_minimum, opcode::exclusive_minimum);
        compile_bound(keyword::exclusive_maximum, exclusive_maximum, opcode::exclusive_maximum);
    }
    if (const auto& v = get(values, keyword::multiple_of)) { compile_multiple_of(*v); }
}

void compiler::compile_bound(keyword k, const std::optional<value_view>& v, opcode op) {
    if (!v || !expect(v->is(value_kind::number), k, *v, "a number")) { return; }
    emit(group::number, op, k, *v, static_cast<std::uint32_t>(program_.bounds.size()));
    program_.bounds.push_back(make_bound(v->source()));
}

void compiler::compile_multiple_of(value_view v) {
    const keyword k = keyword::multiple_of;
    if (!expect(v.is(value_kind::number) && is_positive(v.source()), k, v, "a number above 0")) { return; }
    divisor d = make_divisor(v.source());
    if (d.digits.size() > options_.limits.number_digits) {
        return fail(v, "multipleOf has more digits than the limit");
    }
    emit(group::number, opcode::multiple_of, k, v, static_cast<std::uint32_t>(program_.divisors.size()));
    program_.divisors.push_back(std::move(d));
}

void compiler::compile_strings(const keyword_values& values, const resource& r) {
    compile_count(keyword::min_length, get(values, keyword::min_length), group::string, opcode::min_length);
    compile_count(keyword::max_length, get(values, keyword::max_length), group::string, opcode::max_length);
    if (const auto& v = get(values, keyword::format);
        v && (options_.format_assertion || r.vocabularies.asserts_formats)) {
        if (!expect(v->is(value_kind::string), keyword::format, *v, "a string")) { return; }
        const std::string name = v->string();
        if (const std::optional<std::uint32_t> f = find_format(name)) {
            emit(group::string, opcode::format, keyword::format, *v, *f);
        } else {
            std::vector<std::string>& list = program_.unchecked_formats;
            if (std::find(list.begin(), list.end(), name) == list.end()) { list.push_back(name); }
        }
    }
    if (const auto& v = get(values, keyword::pattern)) {
        if (!expect(v->is(value_kind::string), keyword::pattern, *v, "a string")) { return; }
        if (const std::optional<std::uint32_t> index = regex_of(*v)) {
            emit(group::string, opcode::pattern, keyword::pattern, *v, *index);
        }
    }
}

/// A whole number from 0 on; those beyond 2^63 count as 2^64 - 1.
std::uint64_t compiler::count_of(keyword k, value_view v) {
    const bool ok = v.is(value_kind::number) && v.is_integer() && (is_positive(v.source()) || v.int64() == 0);
    if (!expect(ok, k, v, "a whole number from 0 on")) { return 0; }
    const std::optional<std::int64_t> small = v.int64();
    return small ? static_cast<std::uint64_t>(*small) : ~std::uint64_t{0};
}

/// No text has 2^32 - 1 of anything, so greater counts are that one.
void compiler::compile_count(keyword k, const std::optional<value_view>& v, group g, opcode op) {
    if (!v) { return; }
    const std::uint64_t count = count_of(k, *v);
    const bool minimum = op == opcode::min_length || op == opcode::min_items || op == opcode::min_properties;
    if (minimum && count == 0) { return; }
    emit(g, op, k, *v, static_cast<std::uint32_t>(std::min<std::uint64_t>(count, none)));
}

std::optional<std::uint32_t> compiler::regex_of(value_view pattern) {
    std::string text = pattern.string();
    if (const auto known = regexes_by_text_.find(text); known != regexes_by_text_.end()) {
        return known->second;
    }
    if (text.size() > options_.limits.pattern_bytes) {
        fail(pattern, "the regular expression is longer than the limit");
        return std::nullopt;
    }
    if (program_.regexes.size() >= options_.limits.patterns) {
        fail(pattern, "there are more regular expressions than the limit");
        return std::nullopt;
    }
    regex_result made = regex::make(text, options_.limits.pattern_memory);
    if (!made.value) {
        fail(pattern, "the regular expression is not usable: " + made.error);
        return std::nullopt;
    }
    const auto index = static_cast<std::uint32_t>(program_.regexes.size());
    program_.regexes.push_back(std::move(made.value));
    regexes_by_text_.emplace(std::move(text), index);
    return index;
}

std::vector<std::string> compiler::names_of(keyword k, value_view array) {
    std::vector<std::string> names;
    if (!expect(array.is(value_kind::array), k, array, "an array of strings")) { return names; }
    for (const value_view v : array.elements()) {
        if (!expect(v.is(value_kind::string), k, v, "an array of strings")) { return {}; }
        names.push_back(v.string());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

} // namespace jsonheal::schema::detail

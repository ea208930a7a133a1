#include "subjects.hpp"

#include "timing.hpp"

#include <jsonheal/extract.hpp>
#include <jsonheal/heal.hpp>

#include <simdjson.h>

#if __has_include(<rapidjson/document.h>)
#include <rapidjson/document.h>
#define JSONHEAL_BENCH_RAPIDJSON
#endif
#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define JSONHEAL_BENCH_NLOHMANN
#endif

namespace jsonheal::bench {
namespace {

heal_options with_log(log_policy log, bool fast_path = true) {
    heal_options options;
    options.log = log;
    options.fast_path = fast_path;
    return options;
}

answer answer_of(const healing& h) { return {!h.ok(), std::string(h.json()), h.edit_count}; }

job one_shot(const std::string& text, const heal_options& options) {
    return {[&text, options] { return answer_of(heal(text, options)); },
            [&text, options] { keep(heal(text, options)); }};
}

job kept(const std::string& text) { return one_shot(text, with_log(log_policy::kept)); }
job counted(const std::string& text) { return one_shot(text, with_log(log_policy::counted)); }
job off(const std::string& text) { return one_shot(text, with_log(log_policy::off)); }
job engine_only(const std::string& text) { return one_shot(text, with_log(log_policy::kept, false)); }

/// One healer for all texts, which is how a caller keeps buffers.
job reused(const std::string& text) {
    auto h = std::make_shared<healer>(with_log(log_policy::kept));
    return {[&text, h] { return answer_of(h->heal(text)); },
            [&text, h] {
                healing healed = h->heal(text);
                keep(healed);
                h->reset(std::move(healed));
            }};
}

job extracted(const std::string& text) {
    return {[&text] {
                const auto found = extract(text);
                return answer{found.empty(), found.empty() ? "" : found.back().json, found.size()};
            },
            [&text] { keep(extract(text)); }};
}

job simdjson_dom(const std::string& text) {
    const auto parser = std::make_shared<simdjson::dom::parser>();
    const auto padded = std::make_shared<simdjson::padded_string>(text);
    const auto parse = [parser, padded] {
        simdjson::dom::element root;
        return parser->parse(*padded).get(root) == simdjson::SUCCESS;
    };
    return {[parse, &text] {
                return parse() ? answer{false, text, 0} : answer{true, {}, 0};
            },
            [parse] { keep(parse()); }};
}

#ifdef JSONHEAL_BENCH_RAPIDJSON
job rapidjson_dom(const std::string& text) {
    const auto parse = [&text] {
        rapidjson::Document d;
        d.Parse(text.data(), text.size());
        return !d.HasParseError();
    };
    return {[parse, &text] {
                return parse() ? answer{false, text, 0} : answer{true, {}, 0};
            },
            [parse] { keep(parse()); }};
}
#endif

#ifdef JSONHEAL_BENCH_NLOHMANN
job nlohmann_dom(const std::string& text) {
    return {[&text] { // the same parser, but for the order of keys
                const auto value = nlohmann::ordered_json::parse(text, nullptr, false);
                return value.is_discarded() ? answer{true, {}, 0} : answer{false, value.dump(), 0};
            },
            [&text] { keep(nlohmann::json::parse(text, nullptr, false)); }};
}
#endif

} // namespace

const std::vector<subject_kind>& subject_kinds() {
    static const std::vector<subject_kind> kinds = {
        {"jsonheal", kept},           {"jsonheal counted", counted},    {"jsonheal off", off},
        {"jsonheal reused", reused},  {"jsonheal engine", engine_only}, {"jsonheal extract", extracted},
        {"simdjson", simdjson_dom},
#ifdef JSONHEAL_BENCH_RAPIDJSON
        {"RapidJSON", rapidjson_dom},
#endif
#ifdef JSONHEAL_BENCH_NLOHMANN
        {"nlohmann", nlohmann_dom},
#endif
    };
    return kinds;
}

} // namespace jsonheal::bench

// What /metrics shows: the exposition format of Prometheus, also with labels from strangers and with many writers.
#include "metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <chrono>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using jsonheal::gateway::metrics;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

/// The samples by name and labels, as they are written; fails on any line that is none.
std::map<std::string, double> samples(const std::string& text) {
    static const RE2 sample(
        R"re(([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-z_]+="(?:[^"\\]|\\["\\n])*",?)*\})?) ([0-9.e+-]+))re");
    static const RE2 comment("# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))");
    std::map<std::string, double> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::string name;
        double value = 0;
        if (RE2::FullMatch(line, comment)) { continue; }
        if (!RE2::FullMatch(line, sample, &name, &value)) {
            ADD_FAILURE() << "no sample: " << line;
        } else if (!out.emplace(name, value).second) {
            ADD_FAILURE() << "twice: " << line;
        }
    }
    return out;
}

TEST(metrics, nothing_counted_is_well_formed) {
    const auto s = samples(metrics().exposition());
    EXPECT_EQ(s.at("jsonheal_requests_in_flight"), 0);
    EXPECT_EQ(s.at("jsonheal_streams_open"), 0);
}

TEST(metrics, all_that_is_counted_is_shown) {
    metrics m;
    m.answered("/v1/chat/completions", 200, 30ms);
    m.answered("/v1/chat/completions", 200, 3s);
    m.answered("/v1/chat/completions", 503, 1h);
    m.generation("up", "gpt", "ok", 100ms);
    m.generation("up", "gpt", "429", 1ms);
    m.tokens("up", "gpt", 17, 0);
    m.first_token("up", "gpt", 40ms);
    m.healing("reasked", 2);
    m.healing("intact", 1);
    m.rule_used("trailing_comma", 3);
    m.rule_used("trailing_comma", 2);
    m.stopped_early("up");
    m.request_began();
    m.request_began();
    m.request_ended();
    m.stream_began();
    const auto s = samples(m.exposition());
    const std::string route = "{http_route=\"/v1/chat/completions\",http_response_status_code=\"200\"";
    const std::string http = "http_server_request_duration_seconds";
    EXPECT_EQ(s.at(http + "_bucket" + route + ",le=\"0.025\"}"), 0);
    EXPECT_EQ(s.at(http + "_bucket" + route + ",le=\"0.05\"}"), 1);
    EXPECT_EQ(s.at(http + "_bucket" + route + ",le=\"5\"}"), 2);
    EXPECT_EQ(s.at(http + "_bucket" + route + ",le=\"+Inf\"}"), 2);
    EXPECT_EQ(s.at(http + "_count" + route + "}"), 2);
    EXPECT_EQ(s.at(http + "_sum" + route + "}"), 3.03);
    const std::string slow = "{http_route=\"/v1/chat/completions\",http_response_status_code=\"503\"";
    EXPECT_EQ(s.at(http + "_bucket" + slow + ",le=\"300\"}"), 0);
    EXPECT_EQ(s.at(http + "_bucket" + slow + ",le=\"+Inf\"}"), 1);
    const std::string up =
        "{gen_ai_operation_name=\"chat\",gen_ai_system=\"up\",gen_ai_request_model=\"gpt\"";
    EXPECT_EQ(s.at("gen_ai_client_operation_duration_seconds_count" + up + ",error_type=\"\"}"), 1);
    EXPECT_EQ(s.at("gen_ai_client_operation_duration_seconds_count" + up + ",error_type=\"429\"}"), 1);
    EXPECT_EQ(s.at("gen_ai_client_token_usage_bucket" + up + ",gen_ai_token_type=\"input\",le=\"16\"}"), 0);
    EXPECT_EQ(s.at("gen_ai_client_token_usage_bucket" + up + ",gen_ai_token_type=\"input\",le=\"64\"}"), 1);
    EXPECT_EQ(s.at("gen_ai_client_token_usage_sum" + up + ",gen_ai_token_type=\"input\"}"), 17);
    EXPECT_EQ(s.at("gen_ai_client_token_usage_count" + up + ",gen_ai_token_type=\"output\"}"), 1);
    EXPECT_EQ(s.at("gen_ai_server_time_to_first_token_seconds_bucket" + up + ",le=\"0.04\"}"), 1)
        << "an upper end belongs to its bucket";
    EXPECT_EQ(s.at("gen_ai_server_time_to_first_token_seconds_bucket" + up + ",le=\"0.02\"}"), 0);
    EXPECT_EQ(s.at("jsonheal_healings_total{outcome=\"reasked\"}"), 1);
    EXPECT_EQ(s.at("jsonheal_attempts_bucket{outcome=\"reasked\",le=\"1\"}"), 0);
    EXPECT_EQ(s.at("jsonheal_attempts_bucket{outcome=\"reasked\",le=\"2\"}"), 1);
    EXPECT_EQ(s.at("jsonheal_edits_total{rule=\"trailing_comma\"}"), 5);
    EXPECT_EQ(s.at("jsonheal_stopped_early_total{gen_ai_system=\"up\"}"), 1);
    EXPECT_EQ(s.at("jsonheal_requests_in_flight"), 1);
    EXPECT_EQ(s.at("jsonheal_streams_open"), 1);
}

TEST(metrics, negative_values_do_not_break_sums) {
    metrics m;
    m.answered("/", 200, -5ms);
    m.tokens("up", "m", -1, -1);
    const auto s = samples(m.exposition());
    EXPECT_EQ(
        s.at("http_server_request_duration_seconds_sum{http_route=\"/\",http_response_status_code=\"200\"}"),
        0);
    EXPECT_THAT(m.exposition(), Not(HasSubstr("gen_ai_client_token_usage_sum")));
}

TEST(metrics, labels_from_strangers) {
    metrics m;
    const std::string names[] = {"a\"b\\c\nd",           "\xff\xfe",
                                 "\xed\xa0\x80",         "",
                                 std::string(5000, 'x'), std::string(127, 'x') + "ü",
                                 "le=\"0\"} 5\n# TYPE x"};
    for (const std::string& n : names) { m.first_token("up", n, 1ms); }
    const std::string text = m.exposition();
    samples(text);
    EXPECT_THAT(text, HasSubstr("gen_ai_request_model=\"a\\\"b\\\\c\\nd\""));
    EXPECT_THAT(text, HasSubstr("gen_ai_request_model=\"\xEF\xBF\xBD\xEF\xBF\xBD\""));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
    EXPECT_THAT(text, Not(HasSubstr("\xed\xa0\x80")));
    EXPECT_THAT(text, HasSubstr("\"" + std::string(128, 'x') + "\""));
    EXPECT_THAT(text, HasSubstr("\"" + std::string(127, 'x') + "\"")) << "cut before a character";
}

TEST(metrics, models_beyond_200_are_one) {
    metrics m;
    for (int i = 0; i < 1000; ++i) { m.generation("up", "m" + std::to_string(i), "ok", 1ms); }
    m.generation("up", "m3", "ok", 1ms);
    const auto s = samples(m.exposition());
    const auto count = [&](const std::string& model) {
        const auto found =
            s.find("gen_ai_client_operation_duration_seconds_count{gen_ai_operation_name=\"chat\","
                   "gen_ai_system=\"up\",gen_ai_request_model=\"" +
                   model + "\",error_type=\"\"}");
        return found == s.end() ? 0 : found->second;
    };
    EXPECT_EQ(count("m3"), 2);
    EXPECT_EQ(count("m199"), 1);
    EXPECT_EQ(count("m200"), 0);
    EXPECT_EQ(count("other"), 800);
}

TEST(metrics, many_writers_lose_nothing) {
    metrics m;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&m] {
            for (int i = 0; i < 5000; ++i) {
                m.rule_used("rule" + std::to_string(i % 300), 1);
                m.generation("up", "m" + std::to_string(i % 250), "ok", 1ms);
                if (i % 1000 == 0) { (void)m.exposition(); }
            }
        });
    }
    for (std::thread& t : threads) { t.join(); }
    double rules = 0, generations = 0;
    for (const auto& [name, value] : samples(m.exposition())) {
        if (name.starts_with("jsonheal_edits_total")) { rules += value; }
        if (name.starts_with("gen_ai_client_operation_duration_seconds_count")) { generations += value; }
    }
    EXPECT_EQ(rules, 20'000);
    EXPECT_EQ(generations, 20'000);
}

} // namespace

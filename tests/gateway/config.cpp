// Reading gateway.yaml: values, defaults, and every mistake with its line.
#include "config.hpp"

#include "keys.hpp"
#include "script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace jsonheal::gateway;
using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> mistakes_in(const std::string& yaml) {
    std::vector<std::string> out;
    for (const config_mistake& m : read_config(yaml, "g.yaml").mistakes) { out.push_back(m.message); }
    return out;
}

/// The file with one upstream before it, on its line 1.
std::string with_upstream(const std::string& rest) {
    return "upstreams: [{name: a, script: builtin}]\n" + rest;
}

/// A variable of the environment for one test.
struct variable {
    std::string name;
    variable(std::string n, const char* value) : name(std::move(n)) { setenv(name.c_str(), value, 1); }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;
    ~variable() { unsetenv(name.c_str()); }
};

TEST(config, the_example_shows_the_defaults) {
    const config_reading read = load_config("examples/gateway/gateway.yaml");
    for (const config_mistake& m : read.mistakes) { ADD_FAILURE() << m.message; }
    const gateway_config& c = read.config;
    const gateway_config plain;
    EXPECT_EQ(c.listen.address, plain.listen.address);
    EXPECT_EQ(c.listen.port, plain.listen.port);
    EXPECT_EQ(c.listen.cores, plain.listen.cores);
    EXPECT_EQ(c.limits.body_bytes, plain.limits.body_bytes);
    EXPECT_EQ(c.limits.header_bytes, plain.limits.header_bytes);
    EXPECT_EQ(c.limits.header_count, plain.limits.header_count);
    EXPECT_EQ(c.limits.connections, plain.limits.connections);
    EXPECT_EQ(c.limits.depth, plain.limits.depth);
    EXPECT_EQ(c.limits.answer_bytes, plain.limits.answer_bytes);
    EXPECT_EQ(c.limits.header_timeout, plain.limits.header_timeout);
    EXPECT_EQ(c.limits.body_timeout, plain.limits.body_timeout);
    EXPECT_EQ(c.limits.idle_timeout, plain.limits.idle_timeout);
    EXPECT_EQ(c.limits.write_timeout, plain.limits.write_timeout);
    EXPECT_EQ(c.limits.drain, plain.limits.drain);
    EXPECT_EQ(c.healing.max_attempts, plain.healing.max_attempts);
    EXPECT_EQ(c.healing.time_budget, plain.healing.time_budget);
    EXPECT_EQ(c.healing.token_budget, plain.healing.token_budget);
    EXPECT_EQ(c.healing.stream, plain.healing.stream);
    EXPECT_EQ(c.healing.cut_calls, plain.healing.cut_calls);
    EXPECT_EQ(c.healing.check_response_format, plain.healing.check_response_format);
    EXPECT_EQ(c.healing.best_candidate, plain.healing.best_candidate);
    EXPECT_EQ(c.healing.failure_status, plain.healing.failure_status);
    EXPECT_EQ(c.healing.should_retry, plain.healing.should_retry);
    EXPECT_EQ(c.healing.retry_after, plain.healing.retry_after);
    EXPECT_EQ(c.healing.reports, plain.healing.reports);
    EXPECT_EQ(c.healing.keep_alive, plain.healing.keep_alive);
    EXPECT_EQ(c.log.least, plain.log.least);
    EXPECT_EQ(c.log.bodies, plain.log.bodies);
    EXPECT_FALSE(c.redis);

    ASSERT_EQ(c.upstreams.size(), 3u);
    const upstream_config& u = c.upstreams[0];
    const upstream_config plain_upstream;
    EXPECT_EQ(u.base.origin(), "http://127.0.0.1:11434");
    EXPECT_EQ(u.base.target, "/v1");
    EXPECT_THAT(u.models, ElementsAre("llama3.1:8b", "qwen2.5:7b"));
    EXPECT_THAT(u.headers, ElementsAre(testing::Pair("x-title", "jsonheal")));
    EXPECT_EQ(u.native_schema, plain_upstream.native_schema);
    EXPECT_EQ(u.native_json, plain_upstream.native_json);
    EXPECT_EQ(u.native_tools, plain_upstream.native_tools);
    EXPECT_EQ(u.tool_format, plain_upstream.tool_format);
    EXPECT_EQ(u.continues, plain_upstream.continues);
    EXPECT_EQ(u.timeouts.connect, plain_upstream.timeouts.connect);
    EXPECT_EQ(u.timeouts.first_token, plain_upstream.timeouts.first_token);
    EXPECT_EQ(u.timeouts.idle, plain_upstream.timeouts.idle);
    EXPECT_EQ(u.timeouts.total, plain_upstream.timeouts.total);
    EXPECT_EQ(u.retries, plain_upstream.retries);
    EXPECT_EQ(u.retry_wait, plain_upstream.retry_wait);
    EXPECT_EQ(u.retry_after_most, plain_upstream.retry_after_most);
    ASSERT_NE(c.upstreams[2].script, nullptr);
    EXPECT_EQ(c.upstreams[2].script->models(), std::vector<std::string>{"greeter"});
    ASSERT_EQ(c.models.size(), 1u);
    EXPECT_EQ(c.models[0].model, "qwen2.5:7b");
    ASSERT_EQ(c.keys.size(), 1u);
    EXPECT_EQ(c.keys[0].sha256, sha256_hex("test"));
    EXPECT_EQ(c.keys[0].requests_per_minute, 600);
    EXPECT_EQ(c.keys[0].concurrent, 20u);
    EXPECT_EQ(c.find_upstream("demo"), &c.upstreams[1]);
    EXPECT_EQ(c.find_upstream("dem"), nullptr);
}

TEST(config, all_values_are_taken) {
    const config_reading read = read_config(R"(
listen: {address: "::1", port: 0, cores: 2}
limits: {body_bytes: 1GiB, header_bytes: 2048, drain: 0, idle_timeout: 1.5, depth: 7}
upstreams:
  - {name: b, script: builtin, native_schema: no, native_json: off, native_tools: false, continues: yes,
     tool_format: KIMI-K2, retries: 0, retry_wait: 0, timeouts: {connect: 1500ms, total: 1h}}
models: {big: {upstream: b}}
healing: {max_attempts: 10, stream: live, cut_calls: accept_closers, failure_status: 422, should_retry: true,
          retry_after: 2m, reports: 0, token_budget: 5000}
log: {level: "off", bodies: true}
redis: {host: r, database: 2, timeout: 1s}
)",
                                            "g.yaml");
    for (const config_mistake& m : read.mistakes) { ADD_FAILURE() << m.message; }
    const gateway_config& c = read.config;
    EXPECT_EQ(c.listen.address, "::1");
    EXPECT_EQ(c.listen.port, 0);
    EXPECT_EQ(c.listen.cores, 2u);
    EXPECT_EQ(c.limits.body_bytes, std::size_t{1} << 30);
    EXPECT_EQ(c.limits.header_bytes, 2048u);
    EXPECT_EQ(c.limits.drain, 0ms);
    EXPECT_EQ(c.limits.idle_timeout, 1500ms);
    EXPECT_EQ(c.limits.depth, 7u);
    const upstream_config& u = c.upstreams.at(0);
    EXPECT_FALSE(u.native_schema || u.native_json || u.native_tools);
    EXPECT_TRUE(u.continues);
    EXPECT_EQ(u.tool_format, "kimi_k2");
    EXPECT_EQ(u.retries, 0u);
    EXPECT_EQ(u.timeouts.connect, 1500ms);
    EXPECT_EQ(u.timeouts.total, 1h);
    EXPECT_EQ(u.timeouts.idle, 60s);
    EXPECT_EQ(c.models.at(0).model, "big") << "the alias's own name";
    EXPECT_EQ(c.healing.max_attempts, 10u);
    EXPECT_EQ(c.healing.stream, stream_policy::live);
    EXPECT_EQ(c.healing.cut_calls, cut_call_policy::accept_closers);
    EXPECT_EQ(c.healing.failure_status, 422);
    EXPECT_TRUE(c.healing.should_retry);
    EXPECT_EQ(c.healing.retry_after, 2min);
    EXPECT_EQ(c.healing.token_budget, 5000u);
    EXPECT_EQ(c.log.least, log_config::level::off);
    EXPECT_TRUE(c.log.bodies);
    redis_config r;
    r.host = "r";
    r.database = 2;
    r.timeout = 1s;
    EXPECT_EQ(c.redis, r);
}

TEST(config, sections_whose_members_are_commented_out_are_empty) {
    EXPECT_THAT(mistakes_in(with_upstream("limits:\nhealing:\n  # max_attempts: 3\nkeys:\nmodels:\n")),
                IsEmpty());
}

TEST(config, nothing_configured_says_what_to_do) {
    for (const char* const yaml : {"", "# nothing\n", "upstreams: []", "listen: {port: 1}"}) {
        EXPECT_THAT(
            mistakes_in(yaml),
            ElementsAre("g.yaml: no upstream is configured: give one under 'upstreams', or try the gateway "
                        "with --demo"))
            << yaml;
    }
}

TEST(config, all_mistakes_are_told_with_their_lines) {
    EXPECT_THAT(
        mistakes_in(R"(upstreams:
  - name: a
    script: builtin
    retires: 3
healing:
  max_atempts: 4
  stream: bufer
  retry_after: soon
listen:
  port: 70000
)"),
        ElementsAre("g.yaml:4: 'retires' is not known here; did you mean 'retries'?",
                    "g.yaml:6: 'max_atempts' is not known here; did you mean 'max_attempts'?",
                    "g.yaml:7: 'healing.stream' must be buffer, live or off, not 'bufer'",
                    "g.yaml:8: 'healing.retry_after' must be a duration (500ms, 10s, 5m, 1h) from 0 to 1h, "
                    "not 'soon'",
                    "g.yaml:10: 'listen.port' must be a whole number from 0 to 65535, not '70000'"));
}

struct bad_value {
    const char* yaml;
    const char* message;
};

TEST(config, values_out_of_range) {
    const bad_value cases[] = {
        {"healing: {max_attempts: 0}",
         "g.yaml:2: 'healing.max_attempts' must be a whole number from 1 to 10, not '0'"},
        {"healing: {max_attempts: 11}", "from 1 to 10, not '11'"},
        {"healing: {max_attempts: -1}", "from 1 to 10, not '-1'"},
        {"healing: {max_attempts: 3.0}", "from 1 to 10, not '3.0'"},
        {"healing: {max_attempts: ' 3'}", "from 1 to 10, not ' 3'"},
        {"healing: {max_attempts: 99999999999999999999}", "from 1 to 10"},
        {"healing: {max_attempts: }", "'healing.max_attempts' has no value"},
        {"healing: {max_attempts: [3]}", "'healing.max_attempts' must be a single value"},
        {"healing: {failure_status: 500}", "'healing.failure_status' must be 503 or 422, not '500'"},
        {"healing: {should_retry: maybe}", "'healing.should_retry' must be true or false, not 'maybe'"},
        {"healing: {keep_alive: 0}", "from 100ms to 1h, not '0'"},
        {"healing: {retry_after: 1.0001}", "'healing.retry_after' must be a duration"},
        {"healing: {retry_after: 1e3}", "must be a duration"},
        {"healing: {retry_after: -5s}", "must be a duration"},
        {"healing: {retry_after: 5 s}", "must be a duration"},
        {"healing: {retry_after: .}", "must be a duration"},
        {"healing: {retry_after: 1.2.3}", "must be a duration"},
        {"healing: {time_budget: 25h}", "from 1ms to 24h, not '25h'"},
        {"healing: [1]", "g.yaml:2: 'healing' must be a map of names and values"},
        {"limits: {body_bytes: 5GiB}", "from 1KiB to 4GiB, not '5GiB'"},
        {"limits: {body_bytes: 1MB}", "must be a number of bytes (4096, 64KiB, 32MiB, 1GiB)"},
        {"limits: {body_bytes: 99999999999GiB}", "must be a number of bytes"},
        {"limits: {body_bytes: ''}", "must be a number of bytes"},
        {"listen: {address: localhost}", "'listen.address' must be an IP address"},
        {"listen: {tls: {certificate: x.pem}}", "'listen.tls' needs a key besides its certificate"},
        {"listen: {tls: {key: x.pem}}", "'listen.tls' needs a certificate besides its key"},
        {"listen: {tls: {certificate: nowhere.pem, key: k}}", "there is no file nowhere.pem"},
        {"ca_file: /nowhere/ca.pem", "g.yaml:2: 'ca_file': there is no file /nowhere/ca.pem"},
        {"ca_file: tests", "'ca_file': tests cannot be read as a file"},
        {"log: {level: verbose}", "'log.level' must be debug, info, warning, error or off, not 'verbose'"},
        {"log: {levle: info}", "did you mean 'level'?"},
        {"limit: {}", "g.yaml:2: 'limit' is not known here; did you mean 'limits'?"},
        {"zzzzzzzz: {}", "'zzzzzzzz' is not known here; known are listen, limits, upstreams, models, keys"},
        {"<<: {log: {}}", "maps are not merged"},
        {"[a]: 1", "a name must be a single word"},
        {"log: {level: info, level: debug}", "'level' stands here again; it was given on line 2"},
    };
    for (const bad_value& c : cases) {
        const auto mistakes = mistakes_in(with_upstream(c.yaml));
        EXPECT_THAT(mistakes, Contains(HasSubstr(c.message))) << c.yaml;
    }
}

TEST(config, upstreams_that_cannot_be_used) {
    const bad_value cases[] = {
        {"[{name: a}]",
         "g.yaml:1: the upstream 'a' needs a base_url, such as https://api.openai.com/v1, or a script"},
        {"[{script: builtin}]", "an upstream has no name"},
        {"[{name: a, script: builtin, base_url: http://x/}]", "must have a base_url or a script, not both"},
        {"[{name: a, base_url: ftp://x/}]", "'upstreams[0].base_url' is no address: "},
        {"[{name: a, base_url: 'http://u:p@x/'}]", "'upstreams[0].base_url' is no address: "},
        {"[{name: a, base_url: 'http://x/v1?k=1'}]", "must have no query"},
        {"[{name: a b, script: builtin}]", "the name 'a b' must be of letters"},
        {"[{name: a, script: builtin}, {name: a, script: builtin}]", "the upstream 'a' stands here again"},
        {"[{name: a, script: nowhere.yaml}]", "the script nowhere.yaml: there is no such file"},
        {"[{name: a, script: tests}]", "the script tests: it cannot be read as a file"},
        {"[{name: a, script: builtin, tool_format: hermees}]",
         "is no format of calls; did you mean 'hermes'?"},
        {"[{name: a, script: builtin, api_key: ''}]", "'upstreams[0].api_key' is empty; leave it out"},
        {"[{name: a, script: builtin, headers: {'a b': c}}]", "'a b' cannot be the name of a header field"},
        {"[{name: a, script: builtin, headers: {Content-Length: 3}}]",
         "'Content-Length' is written by the connection"},
        {"[{name: a, script: builtin, headers: {x: \"a\\r\\nb: c\"}}]",
         "'upstreams[0].headers.x' holds a control"},
        {"[{name: a, script: builtin, models: [x, '']}]", "'upstreams[0].models[1]' is empty"},
        {"[{name: a, script: builtin, models: x}]", "'upstreams[0].models' must be a list"},
        {"[3]", "'upstreams[0]' must be a map"},
        {"{name: a}", "'upstreams' must be a list"},
    };
    for (const bad_value& c : cases) {
        EXPECT_THAT(mistakes_in(std::string("upstreams: ") + c.yaml), Contains(HasSubstr(c.message)))
            << c.yaml;
    }
}

TEST(config, references) {
    const std::string upstreams = "upstreams: [{name: local, script: builtin, models: [m1, m2]}]\n";
    EXPECT_THAT(mistakes_in(upstreams + "models:\n  big:\n    upstream: lokal\n"),
                ElementsAre("g.yaml:4: there is no upstream 'lokal'; did you mean 'local'?"));
    EXPECT_THAT(mistakes_in(upstreams + "models:\n  big: {model: m1}\n"),
                ElementsAre("g.yaml:3: the model 'big' needs the name of its upstream"));
    const std::string key = "keys: [{name: k, sha256: " + sha256_hex("x") + ", models: [big, m2, m3]}]\n";
    EXPECT_THAT(mistakes_in(upstreams + "models: {big: {upstream: local, model: other}}\n" + key),
                ElementsAre("g.yaml:3: there is no model 'm3'; did you mean 'm1'?"));
    EXPECT_THAT(mistakes_in("upstreams: [{name: any, script: builtin}]\n" + key), IsEmpty())
        << "an upstream without a list takes any model";
}

TEST(config, keys) {
    const std::string hash = sha256_hex("secret-key");
    const variable key("JSONHEAL_TEST_KEY", "secret-key");
    const variable broken("JSONHEAL_TEST_BROKEN", "secret-key\n");
    const variable empty("JSONHEAL_TEST_EMPTY", "");
    const config_reading read = read_config(
        with_upstream("keys: [{name: k, key: '${JSONHEAL_TEST_KEY}', requests_per_minute: 0.5}]"), "g.yaml");
    ASSERT_TRUE(read) << read.mistakes[0].message;
    EXPECT_EQ(read.config.keys.at(0).sha256, hash);
    EXPECT_EQ(read.config.keys.at(0).requests_per_minute, 0.5);

    const bad_value cases[] = {
        {"{name: k}", "the key 'k' needs its sha256"},
        {"{name: k, key: '${JSONHEAL_TEST_KEY}', sha256: ab}",
         "the key 'k' needs its sha256, or the key itself"},
        {"{name: k, sha256: abc}", "must be the 64 hexadecimal digits"},
        {"{name: k, key: '${JSONHEAL_TEST_BROKEN}'}", "holds a control character"},
        {"{name: k, key: '${JSONHEAL_TEST_EMPTY}'}", "'keys[0].key' is empty"},
        {"{name: k, key: '${JSONHEAL_TEST_NONE}'}", "variable JSONHEAL_TEST_NONE, which is not set"},
        {"{name: k, key: '${JSONHEAL_TEST_KEY}', requests_per_minute: 0}", "must be a number above 0"},
        {"{name: k, key: '${JSONHEAL_TEST_KEY}', concurrent: 0}", "from 1 to 1000000, not '0'"},
        {"{sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}", "a key has no name"},
        {"{name: k, key: '${JSONHEAL_TEST_KEY}'}, {name: l, key: '${JSONHEAL_TEST_KEY}'}",
         "the key 'l' is the same as 'k'"},
    };
    for (const bad_value& c : cases) {
        EXPECT_THAT(mistakes_in(with_upstream("keys: [" + std::string(c.yaml) + "]")),
                    Contains(HasSubstr(c.message)))
            << c.yaml;
    }
    EXPECT_THAT(mistakes_in(with_upstream("keys: [{name: k, key: secret-key}]")),
                ElementsAre(testing::AllOf(HasSubstr("stands in the file for all to read"),
                                           HasSubstr("sha256: " + hash), Not(HasSubstr("secret-key")))));
}

TEST(config, variables_of_the_environment) {
    const variable port("JSONHEAL_TEST_PORT", "9000");
    const variable empty("JSONHEAL_TEST_EMPTY", "");
    const variable tricky("JSONHEAL_TEST_TRICKY", "1}\nlog: {level: off}\n${JSONHEAL_TEST_PORT}");
    const auto address_of = [](const std::string& value) {
        const config_reading r =
            read_config(with_upstream("models: {x: {upstream: a, model: '" + value + "'}}"), "g.yaml");
        return r ? r.config.models.at(0).model : r.mistakes[0].message;
    };
    EXPECT_EQ(address_of("a-${JSONHEAL_TEST_PORT}-b"), "a-9000-b");
    EXPECT_EQ(address_of("${JSONHEAL_TEST_PORT}${JSONHEAL_TEST_PORT}"), "90009000");
    EXPECT_EQ(address_of("${JSONHEAL_TEST_NONE:-7}"), "7");
    EXPECT_EQ(address_of("${JSONHEAL_TEST_EMPTY:-7}"), "7");
    EXPECT_EQ(address_of("x${JSONHEAL_TEST_EMPTY}"), "x");
    EXPECT_EQ(address_of("${JSONHEAL_TEST_PORT:-7}"), "9000");
    EXPECT_EQ(address_of("$${JSONHEAL_TEST_PORT}"), "${JSONHEAL_TEST_PORT}");
    EXPECT_EQ(address_of("$5 $JSONHEAL_TEST_PORT $$"), "$5 $JSONHEAL_TEST_PORT $$");
    EXPECT_EQ(address_of("${JSONHEAL_TEST_TRICKY}"), "1}\nlog: {level: off}\n${JSONHEAL_TEST_PORT}")
        << "a value is never read as YAML, nor expanded again";
    EXPECT_EQ(
        address_of("${JSONHEAL_TEST_NONE}"),
        "g.yaml:2: 'models.x.model' needs the environment's variable JSONHEAL_TEST_NONE, which is not set");
    EXPECT_THAT(address_of("${JSONHEAL_TEST_PORT"), HasSubstr("has a ${ without its }"));
    EXPECT_THAT(address_of("${}"), HasSubstr("which names no variable"));
    EXPECT_THAT(address_of("${A B}"), HasSubstr("which names no variable"));
    EXPECT_THAT(mistakes_in(with_upstream("'${JSONHEAL_TEST_PORT}': 1")),
                ElementsAre(HasSubstr("'${JSONHEAL_TEST_PORT}' is not known here")))
        << "names are not expanded";
    EXPECT_EQ(
        read_config(with_upstream("listen: {port: '${JSONHEAL_TEST_PORT}'}"), "g.yaml").config.listen.port,
        9000);
}

TEST(config, messages_do_not_show_what_came_from_the_environment) {
    const variable secret("JSONHEAL_TEST_SECRET", "sk-very-secret");
    for (const char* const yaml :
         {"listen: {port: '${JSONHEAL_TEST_SECRET}'}", "log: {level: '${JSONHEAL_TEST_SECRET}'}",
          "healing: {retry_after: '${JSONHEAL_TEST_SECRET}'}",
          "keys: [{name: k, sha256: '${JSONHEAL_TEST_SECRET}'}]",
          "upstreams: [{name: a, base_url: '${JSONHEAL_TEST_SECRET}'}]"}) {
        const auto mistakes = mistakes_in(yaml);
        ASSERT_FALSE(mistakes.empty());
        for (const std::string& m : mistakes) { EXPECT_THAT(m, Not(HasSubstr("sk-very-secret"))) << yaml; }
    }
}

TEST(config, text_that_is_no_yaml) {
    const auto first = [](const std::string& yaml) { return mistakes_in(yaml).at(0); };
    EXPECT_THAT(first("a: [1\nb: 2\n"), HasSubstr("g.yaml:2: no YAML: "));
    EXPECT_THAT(first("a: &x [*y]\n"), HasSubstr("g.yaml:1: no YAML: "));
    EXPECT_THAT(first("- a\n"), HasSubstr("g.yaml:1: the file must be a map"));
    EXPECT_THAT(first("log: {}\n---\nlog: {}\n"), HasSubstr("g.yaml:2: more stands here, behind the end"));
    EXPECT_THAT(first("log: {}\n]\nlimits: {}\n"), HasSubstr("g.yaml:2: "));
    EXPECT_THAT(first(std::string("log: {}\0", 8)), HasSubstr("NUL"));
    EXPECT_THAT(first("# " + std::string(std::size_t{1} << 20, 'x')), HasSubstr("larger than 1 MiB"));
    EXPECT_THAT(first("a: " + std::string(100'000, '[')), HasSubstr("no YAML: it is nested too deep"));
}

TEST(config, an_alias_is_read_and_a_bomb_is_not) {
    const std::string shared = "upstreams:\n  - {name: a, script: builtin, timeouts: &t {total: 3s}}\n"
                               "  - {name: b, script: builtin, timeouts: *t}\n";
    const config_reading read = read_config(shared, "g.yaml");
    ASSERT_TRUE(read) << read.mistakes[0].message;
    EXPECT_EQ(read.config.upstreams.at(1).timeouts.total, 3s);

    std::string bomb = "upstreams:\n  - &u {name: a, script: builtin, models: [";
    for (int i = 0; i < 5000; ++i) { bomb += "x,"; }
    bomb += "x]}\n";
    for (int i = 0; i < 5000; ++i) { bomb += "  - *u\n"; }
    const auto mistakes = mistakes_in(bomb);
    EXPECT_THAT(mistakes, Contains(HasSubstr("the file has too many values")));
    EXPECT_LE(mistakes.size(), 101u);
}

TEST(config, files_are_looked_for_beside_the_configuration) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "jsonheal_config_beside";
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
    write("g.yaml",
          "upstreams: [{name: a, script: s.yaml}]\nlisten: {tls: {certificate: c.pem, key: k.pem}}\n");
    write("s.yaml", "replies: [{text: hi, when: {modell: x}}]\n");
    write("c.pem", "c");
    write("k.pem", "k");
    const config_reading broken = load_config((folder / "g.yaml").string());
    ASSERT_EQ(broken.mistakes.size(), 1u);
    EXPECT_EQ(broken.mistakes[0].message,
              (folder / "s.yaml").string() + ":1: 'modell' is not known here; did you mean 'model'?");
    write("s.yaml", "replies: [{text: hi}]\n");
    const config_reading read = load_config((folder / "g.yaml").string());
    ASSERT_TRUE(read) << read.mistakes[0].message;
    EXPECT_EQ(read.config.listen.certificate, (folder / "c.pem").string());
    EXPECT_EQ(load_config((folder / "h.yaml").string()).mistakes.at(0).message,
              (folder / "h.yaml").string() + ": there is no such file");
    std::filesystem::remove_all(folder);
}

TEST(config, demo_needs_nothing) {
    const gateway_config c = demo_config();
    ASSERT_EQ(c.upstreams.size(), 1u);
    EXPECT_NE(c.upstreams[0].script, nullptr);
    EXPECT_THAT(c.upstreams[0].models, Contains("demo"));
    EXPECT_EQ(c.listen.address, "127.0.0.1");
}

} // namespace

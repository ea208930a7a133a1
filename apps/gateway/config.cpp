// The names of the configuration, section by section: what is a value of which sort and range. One more is one more row.
#include "config.hpp"

#include "config_reading.hpp"
#include "keys.hpp"
#include "script.hpp"

#include <jsonheal/dialect.hpp>

#include <algorithm>

namespace jsonheal::gateway {

namespace detail {

namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t gib = kib * kib * kib;
constexpr std::int64_t second = 1000; // in milliseconds, as all bounds of durations
constexpr std::int64_t hour = 3600 * second;
constexpr std::int64_t day = 24 * hour;

/// Reads text that must not be empty, and remembers its line.
template <auto Member, auto Line, class Section>
void filled_on(const yaml_value& v, Section& s) {
    s.*Line = v.line();
    v.filled(s.*Member);
}

// listen ---------------------------------------------------------------------------------------------------

constexpr yaml_field<listen_entry> tls_fields[] = {
    {"certificate", filled_on<&listen_entry::certificate, &listen_entry::certificate_line>},
    {"key", filled_on<&listen_entry::key, &listen_entry::key_line>},
};

void read_tls(const yaml_value& v, listen_entry& s) {
    v.section(tls_fields, s);
    if (s.certificate_line == 0 && s.key_line == 0) { return; }
    if (s.certificate_line == 0) { v.wrong("needs a certificate besides its key"); }
    if (s.key_line == 0) { v.wrong("needs a key besides its certificate"); }
}

constexpr yaml_field<listen_entry> listen_fields[] = {
    {"address", filled_on<&listen_entry::address, &listen_entry::address_line>},
    {"port", yaml_whole<&listen_entry::port, 0, 65535>},
    {"cores", yaml_whole<&listen_entry::cores, 0, 1024>},
    {"tls", read_tls},
};

// limits ---------------------------------------------------------------------------------------------------

constexpr yaml_field<limits_config> limits_fields[] = {
    {"body_bytes", yaml_bytes<&limits_config::body_bytes, kib, 4 * gib>},
    {"header_bytes", yaml_bytes<&limits_config::header_bytes, kib, kib * kib>},
    {"header_count", yaml_whole<&limits_config::header_count, 1, 10'000>},
    {"connections", yaml_whole<&limits_config::connections, 1, 10'000'000>},
    {"depth", yaml_whole<&limits_config::depth, 1, 1'000'000>},
    {"answer_bytes", yaml_bytes<&limits_config::answer_bytes, kib, 4 * gib>},
    {"header_timeout", yaml_duration<&limits_config::header_timeout, 1, day>},
    {"body_timeout", yaml_duration<&limits_config::body_timeout, 1, day>},
    {"idle_timeout", yaml_duration<&limits_config::idle_timeout, 1, day>},
    {"write_timeout", yaml_duration<&limits_config::write_timeout, 1, day>},
    {"drain", yaml_duration<&limits_config::drain, 0, day>},
};

// upstreams ------------------------------------------------------------------------------------------------

constexpr yaml_field<upstream_timeouts> timeout_fields[] = {
    {"connect", yaml_duration<&upstream_timeouts::connect, 1, day>},
    {"first_token", yaml_duration<&upstream_timeouts::first_token, 1, day>},
    {"idle", yaml_duration<&upstream_timeouts::idle, 1, day>},
    {"total", yaml_duration<&upstream_timeouts::total, 1, day>},
};

void read_base_url(const yaml_value& v, upstream_entry& s) {
    s.base_line = v.line();
    std::string text;
    if (!v.filled(text)) { return; }
    const net::url_reading read = net::read_url(text);
    if (!read) {
        v.wrong("is no address: " + read.why);
        return;
    }
    s.base = read.value;
    if (s.base.target.find('?') != std::string::npos) {
        v.wrong("must have no query: paths are put behind it");
    }
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; });
}

/// What goes out in a header field, where a line feed would begin another one.
bool field_value(const yaml_value& v, std::string& out) {
    std::string text;
    if (!v.text(text)) { return false; }
    if (has_control(text)) { return v.wrong("holds a control character (is a line feed at its end?)"); }
    out = std::move(text);
    return true;
}

void read_api_key(const yaml_value& v, upstream_entry& s) {
    if (field_value(v, s.api_key) && s.api_key.empty()) {
        v.wrong("is empty; leave it out to pass the client's own Authorization on");
    }
}

bool is_token(std::string_view name) { // RFC 9110, 5.6.2
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               others.find(c) != std::string_view::npos;
    });
}

/// Fields that belong to the connection, and are written by it.
constexpr std::string_view own_fields[] = {"connection", "content-length", "host",    "keep-alive",
                                           "te",         "trailer",        "upgrade", "transfer-encoding"};

void read_headers(const yaml_value& v, upstream_entry& s) {
    v.members([&](const std::string& name, std::size_t line, const yaml_value& value) {
        std::string lower = name;
        for (char& c : lower) { c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
        if (!is_token(name)) {
            return v.source().mistake(line, "'" + name + "' cannot be the name of a header field");
        }
        if (std::find(std::begin(own_fields), std::end(own_fields), lower) != std::end(own_fields)) {
            return v.source().mistake(line, "'" + name + "' is written by the connection itself");
        }
        std::string text;
        if (field_value(value, text)) { s.headers.emplace_back(name, std::move(text)); }
    });
}

constexpr yaml_field<upstream_entry> upstream_fields[] = {
    {"name", yaml_filled<&upstream_entry::name>},
    {"base_url", read_base_url},
    {"script", filled_on<&upstream_entry::script_path, &upstream_entry::script_line>},
    {"api_key", read_api_key},
    {"headers", read_headers},
    {"models", yaml_texts<&upstream_entry::models>},
    {"native_schema", yaml_flag<&upstream_entry::native_schema>},
    {"native_json", yaml_flag<&upstream_entry::native_json>},
    {"native_tools", yaml_flag<&upstream_entry::native_tools>},
    {"tool_format",
     [](const yaml_value& v, upstream_entry& s) {
         if (!v.filled(s.tool_format)) { return; }
         const call_format* const f = find_call_format(s.tool_format);
         if (f == nullptr) {
             v.wrong("is no format of calls; did you mean '" +
                     std::string(nearest_call_format(s.tool_format)) + "'?");
         } else {
             s.tool_format = f->name;
         }
     }},
    {"continues", yaml_flag<&upstream_entry::continues>},
    {"timeouts", yaml_section<&upstream_entry::timeouts, timeout_fields>},
    {"retries", yaml_whole<&upstream_entry::retries, 0, 100>},
    {"retry_wait", yaml_duration<&upstream_entry::retry_wait, 0, hour>},
    {"retry_after_most", yaml_duration<&upstream_entry::retry_after_most, 0, hour>},
};

void read_upstreams(const yaml_value& v, config_entries& s) {
    v.elements([&](const yaml_value& element) {
        upstream_entry u;
        u.line = element.line();
        if (element.section(upstream_fields, u)) { s.upstreams.push_back(std::move(u)); }
    });
}

// models ---------------------------------------------------------------------------------------------------

constexpr yaml_field<alias_entry> alias_fields[] = {
    {"upstream", filled_on<&alias_entry::upstream, &alias_entry::upstream_line>},
    {"model", yaml_filled<&alias_entry::model>},
};

void read_models(const yaml_value& v, config_entries& s) {
    v.members([&](const std::string& name, std::size_t line, const yaml_value& value) {
        alias_entry a;
        a.line = line;
        a.name = name;
        if (value.section(alias_fields, a)) { s.models.push_back(std::move(a)); }
    });
}

// keys -----------------------------------------------------------------------------------------------------

void read_sha256(const yaml_value& v, key_entry& s) {
    s.sha256_line = v.line();
    std::string hex;
    if (!v.text(hex)) { return; }
    for (char& c : hex) { c = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; }
    if (hex.size() != 64 || hex.find_first_not_of("0123456789abcdef") != std::string::npos) {
        v.wrong("must be the 64 hexadecimal digits of a SHA-256");
        return;
    }
    s.sha256 = hex;
}

void read_key(const yaml_value& v, key_entry& s) {
    s.key_line = v.line();
    std::string key;
    if (!v.filled(key)) { return; }
    const std::string hash = sha256_hex(key);
    if (!v.from_environment()) {
        v.wrong("stands in the file for all to read; take it from the environment (${NAME}), or write its "
                "hash: sha256: " +
                hash);
        return;
    }
    if (has_control(key)) {
        v.wrong("holds a control character (is a line feed at its end?)");
        return;
    }
    s.sha256 = hash;
}

constexpr yaml_field<key_entry> key_fields[] = {
    {"name", yaml_filled<&key_entry::name>},
    {"sha256", read_sha256},
    {"key", read_key},
    {"requests_per_minute",
     [](const yaml_value& v, key_entry& s) {
         double n = 0;
         if (v.amount(n, 1e9)) { s.requests_per_minute = n; }
     }},
    {"concurrent", yaml_whole<&key_entry::concurrent, 1, 1'000'000>},
    {"automatic_healing", yaml_flag<&key_entry::automatic_healing>},
    {"models",
     [](const yaml_value& v, key_entry& s) {
         v.elements([&](const yaml_value& element) {
             std::string model;
             if (!element.filled(model)) { return; }
             s.models.push_back(std::move(model));
             s.model_lines.push_back(element.line());
         });
     }},
};

void read_keys(const yaml_value& v, config_entries& s) {
    v.elements([&](const yaml_value& element) {
        key_entry k;
        k.line = element.line();
        if (element.section(key_fields, k)) { s.keys.push_back(std::move(k)); }
    });
}

// healing, log ---------------------------------------------------------------------------------------------

constexpr yaml_word<stream_policy> stream_words[] = {
    {"buffer", stream_policy::buffer}, {"live", stream_policy::live}, {"off", stream_policy::off}};
constexpr yaml_word<cut_call_policy> cut_words[] = {{"reask", cut_call_policy::reask},
                                                    {"accept_closers", cut_call_policy::accept_closers},
                                                    {"accept", cut_call_policy::accept}};
constexpr yaml_word<int> status_words[] = {{"503", 503}, {"422", 422}};

constexpr yaml_field<healing_config> healing_fields[] = {
    {"max_attempts", yaml_whole<&healing_config::max_attempts, 1, 10>},
    {"time_budget", yaml_duration<&healing_config::time_budget, 1, day>},
    {"token_budget", yaml_whole<&healing_config::token_budget, 0, 1'000'000'000'000>},
    {"stream", yaml_choice<&healing_config::stream, stream_words>},
    {"cut_calls", yaml_choice<&healing_config::cut_calls, cut_words>},
    {"check_response_format", yaml_flag<&healing_config::check_response_format>},
    {"best_candidate", yaml_flag<&healing_config::best_candidate>},
    {"failure_status", yaml_choice<&healing_config::failure_status, status_words>},
    {"should_retry", yaml_flag<&healing_config::should_retry>},
    {"retry_after", yaml_duration<&healing_config::retry_after, 0, hour>},
    {"reports", yaml_whole<&healing_config::reports, 0, 1'000'000>},
    {"keep_alive", yaml_duration<&healing_config::keep_alive, 100, hour>},
};

constexpr yaml_word<log_config::level> level_words[] = {{"debug", log_config::level::debug},
                                                        {"info", log_config::level::info},
                                                        {"warning", log_config::level::warning},
                                                        {"error", log_config::level::error},
                                                        {"off", log_config::level::off}};

constexpr yaml_field<log_config> log_fields[] = {
    {"level", yaml_choice<&log_config::least, level_words>},
    {"bodies", yaml_flag<&log_config::bodies>},
};

// redis ----------------------------------------------------------------------------------------------------

constexpr yaml_field<redis_config> redis_fields[] = {
    {"host", yaml_filled<&redis_config::host>},
    {"port", yaml_whole<&redis_config::port, 1, 65535>},
    {"socket", yaml_filled<&redis_config::socket>},
    {"user", yaml_filled<&redis_config::user>},
    {"password", yaml_filled<&redis_config::password>},
    {"database", yaml_whole<&redis_config::database, 0, 1'000'000>},
    {"prefix", yaml_filled<&redis_config::prefix>},
    {"timeout", yaml_duration<&redis_config::timeout, 1, 10 * second>},
};

void read_redis(const yaml_value& v, config_entries& s) {
    redis_config r;
    if (v.section(redis_fields, r)) { s.redis = std::move(r); }
}

// The file -------------------------------------------------------------------------------------------------

constexpr yaml_field<config_entries> file_fields[] = {
    {"listen", yaml_section<&config_entries::listen, listen_fields>},
    {"limits", yaml_section<&config_entries::limits, limits_fields>},
    {"upstreams", read_upstreams},
    {"models", read_models},
    {"keys", read_keys},
    {"healing", yaml_section<&config_entries::healing, healing_fields>},
    {"redis", read_redis},
    {"log", yaml_section<&config_entries::log, log_fields>},
    {"ca_file", filled_on<&config_entries::ca_file, &config_entries::ca_line>},
};

gateway_config finished(config_entries& e) {
    gateway_config c;
    c.listen = std::move(e.listen);
    c.limits = e.limits;
    c.upstreams.assign(std::make_move_iterator(e.upstreams.begin()),
                       std::make_move_iterator(e.upstreams.end()));
    c.models.assign(std::make_move_iterator(e.models.begin()), std::make_move_iterator(e.models.end()));
    c.keys.assign(std::make_move_iterator(e.keys.begin()), std::make_move_iterator(e.keys.end()));
    c.healing = e.healing;
    c.redis = std::move(e.redis);
    c.log = e.log;
    c.ca_file = std::move(e.ca_file);
    return c;
}

} // namespace

void read_entries(const yaml_value& root, config_entries& into) { root.section(file_fields, into); }

} // namespace detail

const upstream_config* gateway_config::find_upstream(std::string_view name) const noexcept {
    const auto found = std::find_if(upstreams.begin(), upstreams.end(),
                                    [&](const upstream_config& u) { return u.name == name; });
    return found == upstreams.end() ? nullptr : &*found;
}

config_reading read_config(std::string_view yaml, const std::string& file) {
    yaml_source source(file, yaml_source::variables::expanded);
    detail::config_entries entries;
    bool parsed = false;
    source.read(yaml, [&](const yaml_value& root) {
        detail::read_entries(root, entries);
        parsed = true;
    });
    if (parsed) { detail::check_entries(entries, source); }
    config_reading out;
    out.config = detail::finished(entries);
    for (std::string& m : source.mistakes()) { out.mistakes.push_back({std::move(m)}); }
    return out;
}

config_reading load_config(const std::string& file) {
    std::string why;
    const std::string yaml = read_small_file(file, why);
    if (why.empty()) { return read_config(yaml, file); }
    config_reading out;
    out.mistakes.push_back({file + ": " + why});
    return out;
}

gateway_config demo_config() {
    gateway_config c;
    upstream_config& u = c.upstreams.emplace_back();
    u.name = "demo";
    u.script = demo_script();
    u.models = u.script->models();
    return c;
}

} // namespace jsonheal::gateway

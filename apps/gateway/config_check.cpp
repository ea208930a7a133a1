// What a configuration can only be checked for once all of it has been read.
#include "config_reading.hpp"
#include "script.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace jsonheal::gateway::detail {

namespace {

std::string in_quotes(std::string_view s) { return "'" + std::string(s) + "'"; }

/// Names go into logs and the labels of metrics.
void check_name(std::string_view name, std::string_view of_what, line_number line, yaml_source& source) {
    if (name.empty()) { return source.mistake(line, std::string(of_what) + " has no name"); }
    const bool good = name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
                          return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                                 c == '_' || c == '-' || c == '.';
                      });
    if (!good) {
        source.mistake(line, "the name " + in_quotes(name) +
                                 " must be of letters, digits, '_', '-' and '.', at most 64");
    }
}

/// Names that stand twice. `Entry` has `name` and `line`.
template <class Entry>
void check_unique(const std::vector<Entry>& entries, std::string_view of_what, yaml_source& source) {
    std::map<std::string_view, line_number> seen;
    for (const Entry& e : entries) {
        const auto [place, first] = seen.try_emplace(e.name, e.line);
        if (!first && !e.name.empty()) {
            source.mistake(e.line, "the " + std::string(of_what) + " " + in_quotes(e.name) +
                                       " stands here again; it was given on line " +
                                       std::to_string(place->second));
        }
    }
}

void check_file(std::string& path, line_number line, std::string_view of_what, yaml_source& source) {
    if (line == 0 || path.empty()) { return; }
    path = source.beside(path);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        source.mistake(line, std::string(of_what) + ": there is no file " + path);
    } else if (!std::filesystem::is_regular_file(path, error) || !std::ifstream(path).is_open()) {
        source.mistake(line, std::string(of_what) + ": " + path + " cannot be read as a file");
    }
}

void check_listen(listen_entry& l, yaml_source& source) {
    in6_addr address{};
    if (l.address_line != 0 && inet_pton(AF_INET, l.address.c_str(), &address) != 1 &&
        inet_pton(AF_INET6, l.address.c_str(), &address) != 1) {
        source.mistake(l.address_line,
                       "'listen.address' must be an IP address, such as 127.0.0.1, 0.0.0.0 or ::");
    }
    check_file(l.certificate, l.certificate_line, "'listen.tls.certificate'", source);
    check_file(l.key, l.key_line, "'listen.tls.key'", source);
}

void load_script(upstream_entry& u, yaml_source& source) {
    if (u.script_path == "builtin") {
        u.script = demo_script();
        return;
    }
    const std::string path = source.beside(u.script_path);
    std::string why;
    const std::string yaml = read_small_file(path, why);
    if (!why.empty()) { return source.mistake(u.script_line, "the script " + path + ": " + why); }
    const script_reading read = read_script(yaml, path);
    source.mistakes_of_other(u.script_line, read.mistakes);
    u.script = read.value;
}

void check_upstreams(std::vector<upstream_entry>& upstreams, yaml_source& source) {
    if (upstreams.empty() && source.flawless()) {
        source.mistake(
            0, "no upstream is configured: give one under 'upstreams', or try the gateway with --demo");
    }
    for (upstream_entry& u : upstreams) {
        check_name(u.name, "an upstream", u.line, source);
        if (u.script_line != 0 && u.base_line != 0) {
            source.mistake(u.line, "the upstream " + in_quotes(u.name) +
                                       " must have a base_url or a script, not both");
        } else if (u.script_line == 0 && u.base_line == 0) {
            source.mistake(u.line, "the upstream " + in_quotes(u.name) +
                                       " needs a base_url, such as https://api.openai.com/v1, or a script");
        }
        if (!u.script_path.empty()) { load_script(u, source); }
    }
    check_unique(upstreams, "upstream", source);
}

void check_models(config_entries& e, yaml_source& source) {
    std::vector<std::string_view> names;
    for (const upstream_entry& u : e.upstreams) { names.emplace_back(u.name); }
    for (alias_entry& a : e.models) {
        if (a.model.empty()) { a.model = a.name; }
        if (a.name.empty()) { source.mistake(a.line, "a model has no name"); }
        if (a.upstream_line == 0) {
            source.mistake(a.line, "the model " + in_quotes(a.name) + " needs the name of its upstream");
        } else if (!a.upstream.empty() && std::find(names.begin(), names.end(), a.upstream) == names.end()) {
            source.mistake(a.upstream_line,
                           "there is no upstream " + in_quotes(a.upstream) + perhaps(a.upstream, names));
        }
    }
}

/// Names by which clients can ask; nothing where an upstream takes any.
std::vector<std::string_view> known_models(const config_entries& e) {
    std::vector<std::string_view> names;
    for (const alias_entry& a : e.models) { names.emplace_back(a.name); }
    for (const upstream_entry& u : e.upstreams) {
        if (u.models.empty()) { return {}; }
        names.insert(names.end(), u.models.begin(), u.models.end());
    }
    return names;
}

void check_keys(const config_entries& e, yaml_source& source) {
    const std::vector<std::string_view> known = known_models(e);
    const std::set<std::string_view> fast(known.begin(), known.end());
    std::map<std::string_view, const key_entry*> hashes;
    for (const key_entry& k : e.keys) {
        check_name(k.name, "a key", k.line, source);
        if ((k.sha256_line != 0) == (k.key_line != 0)) {
            source.mistake(k.line,
                           "the key " + in_quotes(k.name) +
                               " needs its sha256, or the key itself from the environment (key: ${NAME})");
        }
        const auto [place, first] = hashes.try_emplace(k.sha256, &k);
        if (!first && !k.sha256.empty()) {
            source.mistake(k.line, "the key " + in_quotes(k.name) + " is the same as " +
                                       in_quotes(place->second->name));
        }
        for (std::size_t i = 0; i < k.models.size() && !known.empty(); ++i) {
            if (!fast.contains(k.models[i])) {
                source.mistake(k.model_lines[i],
                               "there is no model " + in_quotes(k.models[i]) + perhaps(k.models[i], known));
            }
        }
    }
    check_unique(e.keys, "key", source);
}

} // namespace

void check_entries(config_entries& entries, yaml_source& source) {
    check_listen(entries.listen, source);
    check_file(entries.ca_file, entries.ca_line, "'ca_file'", source);
    check_upstreams(entries.upstreams, source);
    check_models(entries, source);
    check_keys(entries, source);
}

} // namespace jsonheal::gateway::detail

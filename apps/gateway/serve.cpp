// The process: reads the configuration, starts the server, listens to signals.
#include "bare_provider.hpp"
#include "gateway.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <unistd.h>

namespace jsonheal::gateway {

namespace {

void say(const std::string& text) { std::fprintf(stderr, "jsonheal: %s\n", text.c_str()); }

/// The configuration that the options name; nothing, with the reasons said, if it cannot be used.
std::optional<gateway_config> read_options(const serve_options& o) {
    gateway_config config;
    if (!o.config_file.empty()) {
        config_reading read = load_config(o.config_file);
        for (const config_mistake& m : read.mistakes) { say(m.message); }
        if (!read) { return std::nullopt; }
        config = std::move(read.config);
    } else if (o.demo) {
        config = demo_config();
    }
    if (config.upstreams.empty()) {
        say("there is no upstream: give one in a configuration (--config FILE, see docs/gateway.md), or try "
            "--demo, which needs "
            "none");
        return std::nullopt;
    }
    if (!o.address.empty()) { config.listen.address = o.address; }
    if (o.port >= 0) { config.listen.port = static_cast<std::uint16_t>(o.port); }
    return config;
}

/// SIGTERM, SIGINT and SIGHUP are waited for in one place, so that no handler runs in the middle of anything.
class signal_wait {
public:
    signal_wait() {
        sigemptyset(&set_);
        for (const int s : {SIGTERM, SIGINT, SIGHUP}) { sigaddset(&set_, s); }
        pthread_sigmask(SIG_BLOCK, &set_, nullptr); // before any thread is started
        std::signal(SIGPIPE, SIG_IGN);
    }
    [[nodiscard]] int next() const {
        int got = 0;
        while (sigwait(&set_, &got) != 0) {}
        return got;
    }

private:
    sigset_t set_{};
};

void announce(const net::server& server, const gateway_config& c, bool demo) {
    const std::string scheme = c.listen.certificate.empty() ? "http" : "https";
    const std::string base = scheme + "://" + c.listen.address + ":" + std::to_string(server.port()) + "/v1";
    say("listening at " + base);
    if (demo) { say("a script answers; try: curl " + base + "/models"); }
}

int serve_script(const serve_options& o, const signal_wait& signals) {
    std::shared_ptr<const script> from = demo_script();
    if (o.script_file != "builtin") {
        std::FILE* file = std::fopen(o.script_file.c_str(), "rb");
        if (file == nullptr) {
            say(o.script_file + " cannot be read");
            return 2;
        }
        std::string text(1 << 20, '\0');
        text.resize(std::fread(text.data(), 1, text.size(), file));
        std::fclose(file);
        script_reading read = read_script(text, o.script_file);
        for (const std::string& m : read.mistakes) { say(m); }
        if (!read) { return 2; }
        from = std::move(read.value);
    }
    net::server_options options;
    options.address = o.address.empty() ? "127.0.0.1" : o.address;
    options.port = o.port >= 0 ? static_cast<std::uint16_t>(o.port) : std::uint16_t{0};
    net::server server(std::move(options), bare_provider(from));
    server.start();
    say("a script answers at http://127.0.0.1:" + std::to_string(server.port()) + "/v1");
    while (signals.next() == SIGHUP) {}
    server.drain(milliseconds(1000));
    server.join();
    return 0;
}

int run(const serve_options& o) {
    const signal_wait signals;
    if (!o.script_file.empty()) { return serve_script(o, signals); }
    std::optional<gateway_config> config = read_options(o);
    if (!config) { return 2; }
    if (o.check_only) {
        say("the configuration can be used");
        return 0;
    }
    const milliseconds drain = config->limits.drain;
    const gateway_config shown = *config;
    service gate(std::move(*config));
    net::server server(gate.server_options(),
                       [&gate](net::request& rq, net::responder& to) { return gate.handle(rq, to); });
    server.start();
    announce(server, shown, o.demo && o.config_file.empty());
    while (signals.next() == SIGHUP) {
        std::optional<gateway_config> next = read_options(o);
        if (next) {
            gate.reload(std::move(*next));
            say("the configuration was read again");
        } else {
            say("the configuration stays as it was");
        }
    }
    say("draining");
    gate.begin_drain();
    server.drain(drain);
    server.join();
    return 0;
}

} // namespace

int serve(const serve_options& options) {
    try {
        return run(options);
    } catch (const std::exception& e) {
        say(e.what());
        return 2;
    }
}

} // namespace jsonheal::gateway

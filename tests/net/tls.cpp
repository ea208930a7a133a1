// TLS on both sides, with certificates made here.
#include "support.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace {

using namespace jsonheal_test;
using namespace std::chrono_literals;

/// A key and a certificate that it signed itself, as files.
class certificate {
public:
    explicit certificate(const char* names, long days = 1)
        : folder_(std::filesystem::temp_directory_path() /
                  ("jsonheal-tls-" + std::to_string(::getpid()) + "-" + std::to_string(++count))) {
        std::filesystem::create_directories(folder_);
        EVP_PKEY* key = EVP_EC_gen("P-256");
        X509* x = X509_new();
        X509_set_version(x, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
        X509_gmtime_adj(X509_getm_notBefore(x), -2 * 86400);
        X509_gmtime_adj(X509_getm_notAfter(x), days * 86400);
        X509_set_pubkey(x, key);
        X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
        X509_set_issuer_name(x, X509_get_subject_name(x));
        extend(x, NID_basic_constraints, "critical,CA:TRUE");
        extend(x, NID_subject_alt_name, names);
        X509_sign(x, key, EVP_sha256());
        FILE* out = std::fopen(file().c_str(), "wb");
        PEM_write_X509(out, x);
        std::fclose(out);
        out = std::fopen(key_file().c_str(), "wb");
        PEM_write_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
        std::fclose(out);
        X509_free(x);
        EVP_PKEY_free(key);
    }
    ~certificate() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    certificate(const certificate&) = delete;
    certificate& operator=(const certificate&) = delete;
    [[nodiscard]] std::string file() const { return folder_ / "cert.pem"; }
    [[nodiscard]] std::string key_file() const { return folder_ / "key.pem"; }
    [[nodiscard]] net::server_options server() const {
        net::server_options o = live_server::one_core();
        o.certificate_file = file();
        o.key_file = key_file();
        return o;
    }
    [[nodiscard]] net::client_options trusted() const {
        net::client_options o;
        o.ca_file = file();
        return o;
    }

private:
    static void extend(X509* x, int what, const char* value) {
        X509_EXTENSION* e = X509V3_EXT_conf_nid(nullptr, nullptr, what, value);
        X509_add_ext(x, e, -1);
        X509_EXTENSION_free(e);
    }
    static inline int count = 0;
    std::filesystem::path folder_;
};

net::task<void> echo(net::request& rq, net::responder& rs) {
    co_await must(rs.send(200, {}, (rq.tls ? "tls " : "plain ") + rq.body));
}

TEST(tls, carries_requests_of_any_size) {
    const certificate own("IP:127.0.0.1,DNS:localhost");
    live_server s(echo, own.server());
    net::client client(own.trusted());
    net::run([](net::client& c, live_server& server) -> net::task<void> {
        bool first = true;
        for (const std::size_t size : {0u, 5u, 20'000u, 5'000'000u}) {
            const std::string body(size, 'b');
            const net::client_request post("POST", server.at("/"), {}, body);
            const exchange e = co_await call(c, post);
            EXPECT_EQ(e.failed, "");
            EXPECT_TRUE(e.body == "tls " + body);
            EXPECT_NE(e.reused, first); // kept, session tickets notwithstanding
            first = false;
        }
        net::client_request named("POST", server.at("/"), {}, "name");
        named.to.host = "localhost";
        EXPECT_EQ((co_await call(c, named)).body, "tls name");
    }(client, s));
}

TEST(tls, trusts_only_what_it_should) {
    const certificate own("IP:127.0.0.1"), other("IP:127.0.0.1"), elsewhere("DNS:example.com"),
        old("IP:127.0.0.1", -1);
    live_server s(echo, own.server()), misnamed(echo, elsewhere.server()), expired(echo, old.server());
    EXPECT_EQ(call({"GET", s.at("/")}).failed, "tls");
    EXPECT_EQ(call({"GET", s.at("/")}, other.trusted()).failed, "tls");
    EXPECT_EQ(call({"GET", s.at("/")}, own.trusted()).failed, "");
    EXPECT_EQ(call({"GET", misnamed.at("/")}, elsewhere.trusted()).failed, "tls");
    EXPECT_EQ(call({"GET", expired.at("/")}, old.trusted()).failed, "tls");
    net::client_options any;
    any.verify = false;
    EXPECT_EQ(call({"GET", misnamed.at("/")}, any).body, "tls ");
    net::client_options missing;
    missing.ca_file = "no_such_file.pem";
    EXPECT_THROW(net::client{missing}, std::runtime_error);
}

TEST(tls, and_plain_text_do_not_mix) {
    const certificate own("IP:127.0.0.1");
    live_server s(echo, own.server()), plain(echo);
    net::url wrong = s.at("/");
    wrong.scheme = "http";
    EXPECT_NE(call({"GET", wrong}).failed, "");
    wrong = plain.at("/");
    wrong.scheme = "https";
    EXPECT_EQ(call({"GET", wrong}, own.trusted()).failed, "tls");
    raw_socket garbage(s.port());
    garbage.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_TRUE(garbage.closed_within(1s));
}

TEST(tls, handshakes_are_bounded) {
    const certificate own("IP:127.0.0.1");
    net::server_options o = own.server();
    o.header_timeout = 100ms * patience();
    live_server s(echo, o);
    raw_socket silent(s.port());
    EXPECT_TRUE(silent.closed_within(1s));
    raw_listener listener;
    net::client_options client = own.trusted();
    client.limits.connect = 100ms;
    net::url to = listener.at("/");
    to.scheme = "https";
    EXPECT_EQ(call({"GET", to}, client).failed,
              "timeout_connect"); // the kernel connects, nobody shakes hands
}

TEST(tls, leaving_is_noticed_and_passed_on) {
    const certificate own("IP:127.0.0.1");
    flag asked, left;
    live_server upstream(
        [&](net::request&, net::responder& rs) -> net::task<void> {
            co_await must(rs.start_stream(200, {}));
            asked.raise();
            if (!co_await net::sleep(20s) && rs.client_gone()) { left.raise(); }
        },
        own.server());
    net::client client(own.trusted());
    live_server gateway(
        [&](net::request&, net::responder&) -> net::task<void> {
            const net::client_request get("GET", upstream.at("/"));
            const exchange e = co_await call(client, get);
            EXPECT_EQ(e.failed, "cancelled");
        },
        own.server());
    net::run([](live_server& g, const net::client_options& trusted) -> net::task<void> {
        net::client_options o = trusted;
        o.limits.total = 150ms; // then the client leaves
        net::client c(o);
        const net::client_request get("GET", g.at("/"));
        EXPECT_EQ((co_await call(c, get)).failed, "timeout_total");
    }(gateway, own.trusted()));
    ASSERT_TRUE(asked.wait(1s));
    const auto before = std::chrono::steady_clock::now();
    ASSERT_TRUE(left.wait(1s));
    EXPECT_LT(std::chrono::steady_clock::now() - before, 100ms * patience());
}

TEST(tls, cut_connections_are_no_end_of_a_body) {
    const certificate own("IP:127.0.0.1");
    live_server s(
        [](net::request& rq, net::responder& rs) -> net::task<void> {
            co_await must(rs.start_stream(200, {}));
            co_await must(rs.write("half"));
            if (rq.path == "/abort") { rs.abort(); }
        },
        own.server());
    EXPECT_EQ(call({"GET", s.at("/abort")}, own.trusted()).failed, "reset");
    EXPECT_EQ(call({"GET", s.at("/forgotten")}, own.trusted()).failed, "reset");
}

TEST(tls, streams_to_slow_readers) {
    const certificate own("IP:127.0.0.1");
    const std::string piece(50'000, 'p');
    live_server s(
        [&](net::request&, net::responder& rs) -> net::task<void> {
            co_await must(rs.start_stream(200, {}));
            for (int i = 0; i < 200; ++i) { co_await must(rs.write(piece)); }
            co_await must(rs.finish());
        },
        own.server());
    net::client client(own.trusted());
    net::run([](net::client& c, live_server& server) -> net::task<void> {
        const net::client_request get("GET", server.at("/"));
        auto r = co_await c.send(get);
        if (!r) { co_return must_not(r.error()); }
        std::size_t size = 0;
        for (int i = 0;; ++i) {
            auto more = co_await r->read_some();
            if (!more) { co_return must_not(more.error()); }
            if (more->empty()) { break; }
            size += more->size();
            if (i % 100 == 0) { co_await must(net::sleep(2ms)); }
        }
        EXPECT_EQ(size, 10'000'000u);
    }(client, s));
}

} // namespace

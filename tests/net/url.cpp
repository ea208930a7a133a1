#include <jsonheal/net_url.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

namespace net = jsonheal::net;

TEST(url, reads_what_a_configuration_writes) {
    struct row {
        const char *text, *scheme, *host;
        int port;
        const char *target, *authority;
    };
    for (const row& r :
         {row{"http://a", "http", "a", 80, "/", "a"},
          row{"https://api.example.com/v1", "https", "api.example.com", 443, "/v1", "api.example.com"},
          row{"HTTPS://API.Example.com:8443/V1/x?y=z", "https", "api.example.com", 8443, "/V1/x?y=z",
              "api.example.com:8443"},
          row{"http://127.0.0.1:11434", "http", "127.0.0.1", 11434, "/", "127.0.0.1:11434"},
          row{"http://[::1]:80/", "http", "::1", 80, "/", "[::1]"},
          row{"http://[FE80::1]:8080/x", "http", "fe80::1", 8080, "/x", "[fe80::1]:8080"},
          row{"http://a?b", "http", "a", 80, "/?b", "a"},
          row{"https://a:443/x@y", "https", "a", 443, "/x@y", "a"},
          row{"http://my_service:1/", "http", "my_service", 1, "/", "my_service:1"}}) {
        const net::url_reading u = net::read_url(r.text);
        ASSERT_TRUE(u) << r.text << ": " << u.why;
        EXPECT_EQ(u.value.scheme, r.scheme);
        EXPECT_EQ(u.value.host, r.host);
        EXPECT_EQ(u.value.port, r.port);
        EXPECT_EQ(u.value.target, r.target);
        EXPECT_EQ(u.value.authority(), r.authority);
        EXPECT_EQ(u.value.origin(), std::string(r.scheme) + "://" + r.authority);
    }
}

TEST(url, says_what_is_wrong) {
    for (const char* text : {"",
                             "a",
                             "//a",
                             "http:/a",
                             "http://",
                             "ftp://a",
                             "http:///x",
                             "http://a b",
                             "http://a:0",
                             "http://a:65536",
                             "http://a:",
                             "http://a:8x",
                             "http://a:-1",
                             "http://u@a",
                             "http://u:p@a/",
                             "http://a#b",
                             "http://a/#",
                             "http://[::1",
                             "http://[]",
                             "http://[1]",
                             "http://[::g]",
                             "http://[::1]x",
                             "http://a%20b",
                             "http://.a",
                             "http://a..b",
                             "http://caf\xc3\xa9",
                             "http://a\n",
                             "http://a/\x7f",
                             "http://a\\b",
                             "http://a,b",
                             " http://a"}) {
        EXPECT_FALSE(net::read_url(text)) << text;
    }
}

} // namespace

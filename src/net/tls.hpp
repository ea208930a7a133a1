// TLS over a non-blocking socket, by OpenSSL. No waiting here: calls say what they wait for.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

using SSL = struct ssl_st;
using SSL_CTX = struct ssl_ctx_st;

namespace jsonheal::net {

enum class io_state : unsigned char { done, want_read, want_write, end, failed };

struct io_step {
    io_state state = io_state::done;
    std::size_t size = 0;
};

/// Certificates and settings, shared by connections. Throws std::runtime_error where files cannot be used.
class tls_context {
public:
    static std::shared_ptr<tls_context> for_server(const std::string& certificate_file,
                                                   const std::string& key_file);
    /// Trusts the system's certificates and those of `ca_file`; with `verify` off anything (for tests).
    static std::shared_ptr<tls_context> for_client(const std::string& ca_file, bool verify);
    ~tls_context();
    tls_context(const tls_context&) = delete;
    tls_context& operator=(const tls_context&) = delete;

private:
    friend class tls_session;
    tls_context() = default;
    SSL_CTX* native_ = nullptr;
    bool verify_ = true;
};

class tls_session {
public:
    /// As the server's side of a connected socket.
    tls_session(std::shared_ptr<tls_context> context, int socket);
    /// As the client's side: `host` is sent (SNI) and must be named by the certificate.
    tls_session(std::shared_ptr<tls_context> context, int socket, const std::string& host);
    ~tls_session();
    tls_session(const tls_session&) = delete;
    tls_session& operator=(const tls_session&) = delete;

    [[nodiscard]] io_step handshake();
    /// `end` only if the other side closed in order; a cut connection is `failed`.
    [[nodiscard]] io_step read(char* into, std::size_t size);
    [[nodiscard]] io_step write(const char* data, std::size_t size);
    /// Says goodbye, if the socket takes it.
    void close_notify();
    /// Why the last call failed.
    [[nodiscard]] std::string why() const;

private:
    [[nodiscard]] io_step outcome(int returned, std::size_t size);
    std::shared_ptr<tls_context> context_;
    SSL* native_ = nullptr;
    std::string why_;
};

} // namespace jsonheal::net

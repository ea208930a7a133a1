#include "tls.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdexcept>
#include <sys/socket.h>

namespace jsonheal::net {

namespace {

int socket_of(BIO* bio) {
    return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
} // NOLINT: an int travels in a pointer

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// OpenSSL's own socket BIO writes with write(2), which raises SIGPIPE when the other side has gone.
int bio_write(BIO* bio, const char* data, std::size_t size, std::size_t* written) {
    const ssize_t n = ::send(socket_of(bio), data, size, MSG_NOSIGNAL);
    BIO_clear_retry_flags(bio);
    if (n < 0) {
        if (would_block()) { BIO_set_retry_write(bio); }
        return 0;
    }
    *written = static_cast<std::size_t>(n);
    return 1;
}

int bio_read(BIO* bio, char* into, std::size_t size, std::size_t* taken) {
    const ssize_t n = ::recv(socket_of(bio), into, size, 0);
    BIO_clear_retry_flags(bio);
    if (n <= 0) {
        if (n == 0) { BIO_set_flags(bio, BIO_FLAGS_IN_EOF); }
        if (n < 0 && would_block()) { BIO_set_retry_read(bio); }
        return 0;
    }
    *taken = static_cast<std::size_t>(n);
    return 1;
}

long bio_control(BIO* bio, int command, long, void*) {
    if (command == BIO_CTRL_FLUSH) { return 1; }
    if (command == BIO_CTRL_EOF) { return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0; }
    return 0;
}

BIO_METHOD* socket_bio() {
    static BIO_METHOD* const method = [] {
        BIO_METHOD* m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "jsonheal socket");
        BIO_meth_set_write_ex(m, bio_write);
        BIO_meth_set_read_ex(m, bio_read);
        BIO_meth_set_ctrl(m, bio_control);
        return m;
    }();
    return method;
}

BIO* make_bio(int socket) {
    BIO* bio = BIO_new(socket_bio());
    BIO_set_data(bio, reinterpret_cast<void*>(
                          static_cast<std::intptr_t>(socket))); // NOLINT: an int travels in a pointer
    BIO_set_init(bio, 1);
    return bio;
}

std::string queued_error() {
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    const char* reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
    return reason != nullptr ? reason : "the connection was closed";
}

/// HTTP/1.1 is all that is spoken here.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in,
                    unsigned in_size, void*) {
    static constexpr unsigned char own[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    unsigned char* chosen = nullptr;
    if (SSL_select_next_proto(&chosen, out_size, own, sizeof own, in, in_size) != OPENSSL_NPN_NEGOTIATED) {
        return SSL_TLSEXT_ERR_NOACK;
    }
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

void common_settings(SSL_CTX* c) {
    SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION);
    SSL_CTX_set_options(c, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                            SSL_MODE_RELEASE_BUFFERS);
}

bool is_address(const std::string& host) {
    ASN1_OCTET_STRING* const address = a2i_IPADDRESS(host.c_str());
    ASN1_OCTET_STRING_free(address);
    return address != nullptr;
}

} // namespace

tls_context::~tls_context() { SSL_CTX_free(native_); }

std::shared_ptr<tls_context> tls_context::for_server(const std::string& certificate_file,
                                                     const std::string& key_file) {
    std::shared_ptr<tls_context> out(new tls_context);
    out->native_ = SSL_CTX_new(TLS_server_method());
    if (out->native_ == nullptr) { throw std::runtime_error("jsonheal::net: OpenSSL: " + queued_error()); }
    common_settings(out->native_);
    static constexpr unsigned char id[] = "jsonheal";
    SSL_CTX_set_session_id_context(out->native_, id, sizeof id - 1);
    SSL_CTX_set_alpn_select_cb(out->native_, choose_protocol, nullptr);
    if (SSL_CTX_use_certificate_chain_file(out->native_, certificate_file.c_str()) != 1) {
        throw std::runtime_error("jsonheal::net: certificate '" + certificate_file + "': " + queued_error());
    }
    if (SSL_CTX_use_PrivateKey_file(out->native_, key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(out->native_) != 1) {
        throw std::runtime_error("jsonheal::net: private key '" + key_file + "': " + queued_error());
    }
    return out;
}

std::shared_ptr<tls_context> tls_context::for_client(const std::string& ca_file, bool verify) {
    std::shared_ptr<tls_context> out(new tls_context);
    out->native_ = SSL_CTX_new(TLS_client_method());
    if (out->native_ == nullptr) { throw std::runtime_error("jsonheal::net: OpenSSL: " + queued_error()); }
    out->verify_ = verify;
    common_settings(out->native_);
    static constexpr unsigned char protocols[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    SSL_CTX_set_alpn_protos(out->native_, protocols, sizeof protocols);
    SSL_CTX_set_verify(out->native_, verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
    SSL_CTX_set_default_verify_paths(out->native_);
    ERR_clear_error(); // a machine without a store of certificates is no error yet
    if (!ca_file.empty() && SSL_CTX_load_verify_locations(out->native_, ca_file.c_str(), nullptr) != 1) {
        throw std::runtime_error("jsonheal::net: certificates '" + ca_file + "': " + queued_error());
    }
    return out;
}

tls_session::tls_session(std::shared_ptr<tls_context> context, int socket)
    : context_(std::move(context)), native_(SSL_new(context_->native_)) {
    BIO* const bio = make_bio(socket);
    SSL_set_bio(native_, bio, bio);
    SSL_set_accept_state(native_);
}

tls_session::tls_session(std::shared_ptr<tls_context> context, int socket, const std::string& host)
    : context_(std::move(context)), native_(SSL_new(context_->native_)) {
    BIO* const bio = make_bio(socket);
    SSL_set_bio(native_, bio, bio);
    SSL_set_connect_state(native_);
    if (is_address(host)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(native_), host.c_str());
    } else {
        SSL_ctrl(native_, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 const_cast<char*>(host.c_str())); // NOLINT: it only reads
        SSL_set_hostflags(native_, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        SSL_set1_host(native_, host.c_str());
    }
}

tls_session::~tls_session() { SSL_free(native_); }

io_step tls_session::outcome(int returned, std::size_t size) {
    if (returned > 0) { return {io_state::done, size}; }
    switch (SSL_get_error(native_, returned)) {
    case SSL_ERROR_WANT_READ: return {io_state::want_read, 0};
    case SSL_ERROR_WANT_WRITE: return {io_state::want_write, 0};
    case SSL_ERROR_ZERO_RETURN: return {io_state::end, 0};
    default: break;
    }
    const long verdict = SSL_get_verify_result(native_);
    why_ =
        verdict != X509_V_OK && context_->verify_ ? X509_verify_cert_error_string(verdict) : queued_error();
    ERR_clear_error();
    return {io_state::failed, 0};
}

io_step tls_session::handshake() {
    ERR_clear_error();
    return outcome(SSL_do_handshake(native_), 0);
}

io_step tls_session::read(char* into, std::size_t size) {
    ERR_clear_error();
    std::size_t n = 0;
    const int returned = SSL_read_ex(native_, into, size, &n);
    return outcome(returned, n);
}

io_step tls_session::write(const char* data, std::size_t size) {
    ERR_clear_error();
    std::size_t n = 0;
    const int returned = SSL_write_ex(native_, data, size, &n);
    return outcome(returned, n);
}

void tls_session::close_notify() {
    ERR_clear_error();
    SSL_shutdown(native_);
    ERR_clear_error();
}

std::string tls_session::why() const { return why_; }

} // namespace jsonheal::net

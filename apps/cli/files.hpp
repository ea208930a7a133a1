/// @file files.hpp
/// Everything that touches files: reading whole, writing whole or not at all.
#pragma once

#include "exit_code.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace jsonheal::cli {

/// What went wrong, as a message for people; nothing if all went well.
using problem = std::optional<std::string>;

/// `what: why`, with why from the system's error number.
[[nodiscard]] std::string system_message(std::string_view what, int error_number);

/// Writes all bytes, however many writes it takes. `name` is for the message. O(bytes).
[[nodiscard]] problem write_all(int descriptor, std::string_view bytes, std::string_view name);

/// A file descriptor that closes itself.
class descriptor {
public:
    explicit descriptor(int number = -1) noexcept : number_(number) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~descriptor() { (void)close(); }
    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] bool ok() const noexcept { return number_ >= 0; }
    /// Some systems tell only here that a write has failed. Returns the error number or 0.
    int close() noexcept;

private:
    int number_;
};

/// A file that is read piece by piece, or standard input for `-`.
class input_source {
public:
    [[nodiscard]] problem open(const std::string& path);
    /// Reads at most `size` bytes; `got` is 0 at the end.
    [[nodiscard]] problem read(char* buffer, std::size_t size, std::size_t& got);
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] int number() const noexcept;

private:
    std::string name_;
    descriptor opened_; ///< stays empty for standard input, which is not ours to close
};

/// A file that has been read, and what it was like then.
struct input_file {
    std::string path; ///< as given
    std::string name; ///< for messages
    std::string text;
    struct stat status = {}; ///< when it was opened
};

/// Reads a file whole, or standard input for `-`. Stops one byte beyond `limit`, so that memory stays bounded
/// and the engine can still tell that there was too much.
[[nodiscard]] problem read_input(const std::string& path, std::uint64_t limit, input_file& into);

/// Reads the files one by one, standard input if there are none, and hands each to `use`. A file that cannot be read
/// is complained about and does not keep the others. Stops where `use` returns nothing: the output is gone.
/// Returns the worst of all exit codes.
exit_code for_each_input(const std::vector<std::string>& paths, std::uint64_t limit,
                         const std::function<std::optional<exit_code>(const input_file&)>& use);

/// Replaces the content of `path`, or makes the file: a temporary file in the same folder is written,
/// synchronised and renamed, so that at any time the old or the new content is there, whole. Mode and owner
/// are kept as far as the system lets us; a symbolic link stays and what it points to is replaced. A device
/// or a pipe is written to, not replaced. With `expected`, the file must still be as it was when it was read.
[[nodiscard]] problem replace_file(const std::string& path, std::string_view text,
                                   const struct stat* expected = nullptr);

/// True if something stands at that path.
[[nodiscard]] bool exists(const std::string& path);

} // namespace jsonheal::cli

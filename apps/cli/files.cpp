#include "files.hpp"

#include "console.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace jsonheal::cli {

std::string system_message(std::string_view what, int error_number) {
    std::string why = std::generic_category().message(error_number);
    if (error_number == EPIPE) { why = "the reader has closed the pipe"; }
    return std::string(what) + ": " + why;
}

namespace {

/// Why a file cannot be read, and what to do where that is likely.
std::string unreadable(const std::string& name, int error_number) {
    std::string text = system_message("cannot read " + name, error_number);
    if (error_number == EISDIR) { text += "; name the files in it"; }
    const bool is_json = name.starts_with('{') || name.starts_with('[');
    if ((error_number == ENOENT || error_number == ENAMETOOLONG) && is_json) {
        text += "; a text itself goes to standard input: echo TEXT | jsonheal";
    }
    return text;
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) { return "."; }
    return slash == 0 ? "/" : path.substr(0, slash);
}

/// Where a symbolic link leads; the path itself where nothing stands there yet.
std::string resolved(const std::string& path) {
    char* const real = ::realpath(path.c_str(), nullptr);
    if (real == nullptr) { return path; }
    std::string text = real;
    std::free(real); // NOLINT: realpath allocates with malloc
    return text;
}

mode_t mode_of_new_files() noexcept {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

bool same_state(const struct stat& a, const struct stat& b) noexcept {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

/// Writes the temporary file, with the mode and owner that the final one is to have.
problem write_temporary(int number, std::string_view text, const std::string& name, const struct stat* old) {
    if (problem p = write_all(number, text, name)) { return p; }
    // The owner first: changing it clears the bits that change who runs a program. Only root may give files
    // away, and a file that is ours now is still better than none, so a failure is no error.
    if (old != nullptr) { (void)!::fchown(number, old->st_uid, old->st_gid); }
    const mode_t mode = old != nullptr ? old->st_mode & 07777 : mode_of_new_files();
    if (::fchmod(number, mode) != 0) { return system_message("cannot set the mode of " + name, errno); }
    if (::fsync(number) != 0) { return system_message("cannot write " + name, errno); }
    return std::nullopt;
}

/// Makes the rename itself survive a power cut. File systems that cannot do this for folders say EINVAL.
void synchronise_folder(const std::string& folder) noexcept {
    const descriptor d(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (d.ok()) { (void)::fsync(d.get()); }
}

problem write_into(const std::string& path, std::string_view text) {
    descriptor d(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!d.ok()) { return system_message("cannot write " + path, errno); }
    if (problem p = write_all(d.get(), text, path)) { return p; }
    const int error = d.close();
    return error != 0 ? problem(system_message("cannot write " + path, error)) : std::nullopt;
}

} // namespace

problem write_all(int number, std::string_view bytes, std::string_view name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(number, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) { continue; }
            return system_message("cannot write " + std::string(name), errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return std::nullopt;
}

int descriptor::close() noexcept {
    const int number = std::exchange(number_, -1);
    return number >= 0 && ::close(number) != 0 && errno != EINTR ? errno : 0;
}

problem input_source::open(const std::string& path) {
    const bool standard = path == "-";
    // Whoever typed only `jsonheal` would wait for something to happen.
    if (standard && ::isatty(STDIN_FILENO) == 1) {
        complain("reading what you type; Ctrl-D on an empty line ends it, Ctrl-C stops");
    }
    name_ = standard ? "standard input" : path;
    if (!standard) { opened_ = descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }
    return standard || opened_.ok() ? std::nullopt : problem(unreadable(name_, errno));
}

int input_source::number() const noexcept { return opened_.ok() ? opened_.get() : STDIN_FILENO; }

problem input_source::read(char* buffer, std::size_t size, std::size_t& got) {
    for (;;) {
        const ssize_t n = ::read(number(), buffer, size);
        if (n >= 0) {
            got = static_cast<std::size_t>(n);
            return std::nullopt;
        }
        if (errno != EINTR) { return unreadable(name_, errno); }
    }
}

problem read_input(const std::string& path, std::uint64_t limit, input_file& into) {
    input_source source;
    if (problem p = source.open(path)) { return p; }
    into.path = path;
    into.name = source.name();
    if (::fstat(source.number(), &into.status) != 0) { return unreadable(into.name, errno); }

    std::size_t used = 0;
    // One byte more than the file has, so that the read that finds its end needs no growth.
    std::size_t step =
        S_ISREG(into.status.st_mode) ? static_cast<std::size_t>(into.status.st_size) + 1 : 65536;
    while (used <= limit) {
        into.text.resize(used + std::min<std::uint64_t>(step, limit + 1 - used));
        std::size_t got = 0;
        if (problem p = source.read(into.text.data() + used, into.text.size() - used, got)) { return p; }
        used += got;
        if (got == 0) { break; }
        step = std::max<std::size_t>(65536, used / 2);
    }
    into.text.resize(used);
    return std::nullopt;
}

exit_code for_each_input(const std::vector<std::string>& paths, std::uint64_t limit,
                         const std::function<std::optional<exit_code>(const input_file&)>& use) {
    const std::vector<std::string> standard_input{"-"};
    exit_code code = exit_code::whole;
    for (const std::string& path : paths.empty() ? standard_input : paths) {
        input_file in;
        if (const problem p = read_input(path, limit, in)) {
            complain(*p);
            code = exit_code::failed;
            continue;
        }
        const std::optional<exit_code> one = use(in);
        if (!one) { return exit_code::failed; }
        code = worse(code, *one);
    }
    return code;
}

problem replace_file(const std::string& path, std::string_view text, const struct stat* expected) {
    const std::string target = resolved(path);
    struct stat old = {};
    const bool there = ::stat(target.c_str(), &old) == 0;
    if (!there && errno != ENOENT) { return system_message("cannot write " + path, errno); }
    if (there && S_ISDIR(old.st_mode)) { return system_message("cannot write " + path, EISDIR); }
    if (there && !S_ISREG(old.st_mode)) { return write_into(target, text); }
    if (there && ::access(target.c_str(), W_OK) != 0) {
        return system_message("cannot write " + path, errno);
    }

    const std::string folder = folder_of(target);
    std::string temporary = folder + "/.jsonheal-XXXXXX";
    descriptor d(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!d.ok()) { return system_message("cannot make a temporary file in " + folder, errno); }
    problem p = write_temporary(d.get(), text, temporary, there ? &old : nullptr);
    const int close_error = d.close();
    if (!p && close_error != 0) { p = system_message("cannot write " + temporary, close_error); }
    if (!p && expected != nullptr && (::stat(target.c_str(), &old) != 0 || !same_state(old, *expected))) {
        p = path + " was changed by someone else while it was being healed";
    }
    if (!p && ::rename(temporary.c_str(), target.c_str()) != 0) {
        p = system_message("cannot replace " + path, errno);
    }
    if (p) {
        (void)::unlink(temporary.c_str());
        return *p + (there ? "; " + path + " is as it was" : "");
    }
    synchronise_folder(folder);
    return std::nullopt;
}

bool exists(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0;
}

} // namespace jsonheal::cli

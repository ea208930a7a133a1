// Compiled into every program that links the test support: JSONHEAL_KERNEL=scalar runs its tests with that kernel.
#include <jsonheal/scan.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

[[maybe_unused]] const bool forced = [] {
    const char* const name = std::getenv("JSONHEAL_KERNEL");
    if (name != nullptr && *name != '\0' && !jsonheal::scan::force_kernel(name)) {
        std::fprintf(stderr, "JSONHEAL_KERNEL: this processor has no kernel '%s'\n", name);
        std::exit(2);
    }
    return true;
}();

} // namespace

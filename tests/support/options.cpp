#include "options.hpp"

#include <array>

namespace jsonheal_test {

using namespace jsonheal;

std::vector<heal_options> both_presets() { return {heal_options{}, heal_options::live()}; }

std::vector<heal_options> slow_path_variants() {
    std::vector<heal_options> out;
    for (heal_options o : both_presets()) {
        o.fast_path = false;
        out.push_back(o);
        // At a bound this near, every decision that should favour strict JSON is put to the test.
        o.limits.look_ahead = 8;
        out.push_back(o);
    }
    return out;
}

heal_options options_from(std::uint32_t bits) {
    auto take = [&](std::uint32_t count) {
        std::uint32_t value = bits % count;
        bits /= count;
        return value;
    };
    heal_options o;
    o.preset = take(2) == 0 ? preset::whole : preset::live;
    o.fast_path = take(2) == 0;
    o.missing = take(4) == 0 ? missing_policy::drop : missing_policy::null;
    o.nonfinite = take(4) == 0 ? nonfinite_policy::null : nonfinite_policy::string;
    o.undefined = take(4) == 0 ? undefined_policy::string : undefined_policy::null;
    o.cut_number = take(4) == 0 ? cut_number_policy::withhold : cut_number_policy::keep;
    constexpr std::array<std::uint32_t, 6> looks = {512, 512, 512, 64, 8, 1};
    o.limits.look_ahead = looks[take(6)];
    constexpr std::array<std::uint32_t, 4> backs = {256, 256, 16, 1};
    o.limits.look_back = backs[take(4)];
    constexpr std::array<several_policy, 6> several = {several_policy::automatic, several_policy::automatic,
                                                       several_policy::automatic, several_policy::first,
                                                       several_policy::last,      several_policy::all};
    o.several = several[take(6)];
    if (o.preset == preset::live && o.several != several_policy::first) {
        o.several = several_policy::automatic;
    }
    constexpr std::array<std::uint32_t, 4> depths = {1'000'000, 1'000'000, 1'000'000, 3};
    o.limits.depth = depths[take(4)];
    return o;
}

heal_options random_options(random_source& random) {
    return options_from(static_cast<std::uint32_t>(random.next()));
}

} // namespace jsonheal_test

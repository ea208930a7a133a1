// Cases as data: tests/align/cases.json. A case is {name, schema, before, after} with `after` null where nothing fits, and
// perhaps `rules` (what was done, in order), `risk` and `options` {max_risk, defaults, locale, fractions}.
#include "helper.hpp"

#include <optional>

namespace {

using namespace jsonheal;
using namespace jsonheal_test;

align_options options_of(value_view one) {
    align_options o;
    const auto given = one.find("options");
    if (!given) { return o; }
    for (const member m : given->members()) {
        const std::string key = m.key.string();
        if (key == "max_risk") { o.max_risk = risk_by_name(m.value.string()).value(); }
        if (key == "defaults") { o.defaults = m.value.boolean(); }
        if (key == "fractions") { o.fractions = m.value.boolean(); }
        if (key == "locale") {
            o.locale = m.value.string() == "comma" ? number_locale::comma : number_locale::point;
        }
    }
    return o;
}

TEST(align_cases, come_out_as_written) {
    const auto all = document::parse(read_file("tests/align/cases.json"));
    ASSERT_TRUE(all) << all.error->message << " at " << all.error->offset;
    for (const value_view one : all.value.root().elements()) {
        SCOPED_TRACE(one.find("name")->string() + " " + std::string(one.find("before")->source()));
        const align_options o = options_of(one);
        const alignment a = aligned(one.find("schema")->source(), one.find("before")->source(), o);
        const value_view after = *one.find("after");
        const bool fits = !(after.is(value_kind::null) && !one.find("null_fits"));
        EXPECT_EQ(a.fits, fits) << a.json << ' ' << rules_of(a);
        if (!fits || !a.fits) {
            EXPECT_FALSE(a.violations.empty() && !a.fits);
            continue;
        }
        EXPECT_EQ(a.json, after.source()) << rules_of(a);
        if (const auto rules = one.find("rules")) { EXPECT_EQ(rules_of(a), rules->string()); }
        if (const auto risk = one.find("risk")) { EXPECT_EQ(name(a.risk), risk->string()); }
        const alignment again = aligned(one.find("schema")->source(), a.json, o);
        EXPECT_TRUE(again.fits && again.changes.empty());
        EXPECT_EQ(again.json, a.json);
    }
}

} // namespace

// The official JSON Schema test suite, Debian's package and a newer copy where one lies beside the sources: valid instances come back untouched, and whatever is said to fit does.
#include "helper.hpp"

#include <filesystem>

namespace {

using namespace jsonheal;
using namespace jsonheal_test;
namespace fs = std::filesystem;

struct suite {
    fs::path tests;
    fs::path remotes;
};

schema::compile_result compile_in(const suite& s, value_view source, std::string_view draft) {
    schema::compile_options o;
    o.dialect = schema::dialect_named(draft.substr(std::string_view("draft").size()));
    o.loader = [&s](std::string_view uri) -> std::optional<document> {
        constexpr std::string_view host = "http://localhost:1234/";
        if (!uri.starts_with(host)) { return std::nullopt; }
        const fs::path path = s.remotes / uri.substr(host.size());
        if (!fs::is_regular_file(path)) { return std::nullopt; }
        return document::parse(read_file(path.string())).value;
    };
    return schema::compile(document::parse(std::string(source.source())).value, o);
}

void check_instance(const schema::program& program, value_view data, std::size_t& mended) {
    const document value = document::parse(std::string(data.source())).value;
    const bool fits = schema::fits(program, value.root());
    for (const risk ceiling : {risk::exact, risk::likely, risk::lossy}) {
        align_options o;
        o.max_risk = ceiling;
        const alignment a = align(value, program, o);
        if (fits) {
            EXPECT_TRUE(a.fits && a.changes.empty() && a.json == value.text()) << a.json;
            continue;
        }
        const parse_result made = document::parse(a.json);
        ASSERT_TRUE(made) << a.json;
        EXPECT_EQ(a.fits, schema::fits(program, made.value.root())) << a.json;
        mended += a.fits;
        if (a.fits) { EXPECT_TRUE(align(made.value, program, o).changes.empty()) << a.json; }
    }
}

struct tally {
    std::size_t run = 0;
    std::size_t mended = 0;
};

void check_file(const suite& s, const fs::path& path, std::string_view draft, tally& t) {
    const document file = document::parse(read_file(path.string())).value;
    for (const value_view group : file.root().elements()) {
        const schema::compile_result made = compile_in(s, *group.find("schema"), draft);
        if (made.error) { continue; }
        for (const value_view test : group.find("tests")->elements()) {
            SCOPED_TRACE(path.string() + ": " + group.find("description")->string() + ": " +
                         test.find("description")->string());
            check_instance(made.value, *test.find("data"), t.mended);
            ++t.run;
        }
    }
}

void check_suite(const suite& s) {
    if (!fs::is_directory(s.tests)) { GTEST_SKIP() << "no suite at " << s.tests; }
    tally t;
    for (const std::string_view draft : {"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"}) {
        if (!fs::is_directory(s.tests / draft)) { continue; }
        for (const auto& entry : fs::directory_iterator(s.tests / draft)) {
            if (entry.path().extension() == ".json") { check_file(s, entry.path(), draft, t); }
        }
    }
    EXPECT_GT(t.run, 1000U);
    EXPECT_GT(t.mended, 100U);
}

TEST(align_suite, debian_package) {
    const fs::path base = "/usr/share/json-schema-test-suite";
    check_suite({base / "tests", base / "remotes"});
}

TEST(align_suite, newer) {
    const fs::path base = "../shared/peers/json-schema-suite";
    check_suite({base, base / "remotes"});
}

} // namespace

// The official JSON Schema test suite: Debian's package, which ends at draft 7, and a newer copy where one lies beside the sources;
// for the keywords of 2019-09 and 2020-12 cases of our own in the same form, so that a clone alone tests them. Optional tests
// pass or stand in suite_misses.json with the reason; one that stands there and passes is a fault, too.
#include "helper.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace {

using namespace jsonheal;
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

struct suite {
    fs::path tests;
    fs::path remotes;
};

const std::map<std::string, schema::dialect> drafts = {{"draft4", schema::dialect::draft4},
                                                       {"draft6", schema::dialect::draft6},
                                                       {"draft7", schema::dialect::draft7},
                                                       {"draft2019-09", schema::dialect::draft2019_09},
                                                       {"draft2020-12", schema::dialect::draft2020_12}};

struct tally {
    std::size_t run = 0;
    std::size_t failed = 0;
    std::set<std::string> missed; ///< `FILE: GROUP: TEST` of known misses that were met
};

class runner {
public:
    explicit runner(suite s) : suite_(std::move(s)) {
        const document list = schema_test::doc(read("tests/schema/suite_misses.json"));
        for (const member file : list.root().members()) {
            for (const member reason : file.value.members()) {
                for (const value_view name : reason.value.elements()) {
                    misses_.insert(file.key.string() + ": " + name.string());
                }
            }
        }
    }

    void run_file(const fs::path& path, const std::string& draft, bool formats) {
        const document file = schema_test::doc(read(path));
        const std::string name = path.filename().string();
        for (const value_view group : file.root().elements()) {
            const std::string what = group.find("description")->string();
            const schema::compile_result made = compile(*group.find("schema"), drafts.at(draft), formats);
            for (const value_view test : group.find("tests")->elements()) {
                const std::string full = name + ": " + what + ": " + test.find("description")->string();
                ++total.run;
                const value_view data = *test.find("data");
                const bool wanted = test.find("valid")->boolean();
                const bool fast = made && schema::fits(made.value, data);
                const schema::validation all = schema::validate(made.value, data);
                const bool ok =
                    made && fast == wanted && all.valid == wanted && all.violations.empty() == wanted;
                const bool known = misses_.count(full) != 0 || misses_.count(name + ": *") != 0;
                if (!ok && known) { total.missed.insert(full); }
                if (ok && misses_.count(full) != 0) { passed_.insert(full); }
                if (!ok && !known) {
                    ++total.failed;
                    ADD_FAILURE() << draft << "/" << full << (made.error ? ": " + made.error->reason : "");
                }
            }
        }
    }

    void run_folder(const fs::path& folder, const std::string& draft, bool formats) {
        if (!fs::is_directory(folder)) { return; }
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() == ".json") { run_file(entry.path(), draft, formats); }
        }
    }

    /// Misses on the list that passed wherever they were met.
    [[nodiscard]] std::set<std::string> outdated() const {
        std::set<std::string> out;
        for (const std::string& name : passed_) {
            if (total.missed.count(name) == 0) { out.insert(name); }
        }
        return out;
    }

    tally total;

private:
    [[nodiscard]] schema::compile_result compile(value_view source, schema::dialect d, bool formats) const {
        document_builder copy;
        schema::compile_options options;
        options.dialect = d;
        options.format_assertion = formats;
        options.loader = [this](std::string_view uri) -> std::optional<document> {
            constexpr std::string_view base = "http://localhost:1234/";
            if (!uri.starts_with(base)) { return std::nullopt; }
            const fs::path path = suite_.remotes / uri.substr(base.size());
            if (!fs::is_regular_file(path)) { return std::nullopt; }
            return document::parse(read(path)).value;
        };
        return schema::compile(copy.copy(source).finish(), options);
    }

    suite suite_;
    std::set<std::string> misses_;
    std::set<std::string> passed_;
};

TEST(schema_suite, debian_package_passes) {
    const fs::path base = "/usr/share/json-schema-test-suite";
    if (!fs::is_directory(base)) { GTEST_SKIP() << "the package json-schema-test-suite is not installed"; }
    runner r({base / "tests", base / "remotes"});
    for (const auto& [draft, dialect] : drafts) { r.run_folder(base / "tests" / draft, draft, false); }
    EXPECT_GT(r.total.run, 1000u);
    EXPECT_EQ(r.total.failed, 0u);
}

TEST(schema_suite, own_cases_of_the_newer_drafts_pass) {
    const fs::path base = "tests/schema/cases";
    for (const std::string draft : {"draft2019-09", "draft2020-12"}) {
        runner r({base, base});
        r.run_folder(base / draft, draft, false);
        EXPECT_GT(r.total.run, 80u) << draft;
        EXPECT_EQ(r.total.failed, 0u) << draft;
    }
}

class newer_suite : public testing::Test {
protected:
    void SetUp() override {
        if (!fs::is_directory(base)) { GTEST_SKIP() << "no newer suite beside the sources"; }
    }
    const fs::path base = "../shared/peers/json-schema-suite";
};

TEST_F(newer_suite, required_tests_pass) {
    runner r({base, base / "remotes"});
    for (const auto& [draft, dialect] : drafts) { r.run_folder(base / draft, draft, false); }
    EXPECT_GT(r.total.run, 4900u);
    EXPECT_EQ(r.total.failed, 0u);
}

TEST_F(newer_suite, optional_tests_pass_or_are_listed) {
    runner r({base, base / "remotes"});
    for (const auto& [draft, dialect] : drafts) {
        r.run_folder(base / draft / "optional", draft, false);
        r.run_folder(base / draft / "optional" / "format", draft, true);
    }
    EXPECT_GT(r.total.run, 3000u);
    EXPECT_EQ(r.outdated(), std::set<std::string>{});
    RecordProperty("listed_misses", static_cast<int>(r.total.missed.size()));
}

} // namespace

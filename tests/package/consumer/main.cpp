// What a consumer does first. Exit code 0 if the library answers.
#include <jsonheal/edits.hpp>

#include <cstdio>

int main() {
    const auto rule = jsonheal::rule_by_name("quote_style");
    if (!rule) { return 1; }
    std::printf("%zu rules; %s: %s\n", jsonheal::rules().size(), jsonheal::info(*rule).id.data(),
                jsonheal::info(*rule).meaning.data());
    return 0;
}

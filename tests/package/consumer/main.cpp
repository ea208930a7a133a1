// What a consumer does first. Exit code 0 if the library answers as README.md says.
#include <jsonheal/heal.hpp>

#include <cstdio>

int main() {
    const auto h = jsonheal::heal("{'a': True,}");
    std::printf("%.*s\n", static_cast<int>(h.json().size()), h.json().data());
    for (const auto& e : h.edits) {
        const auto& rule = jsonheal::info(e.rule);
        std::printf("%u-%u %.*s\n", e.begin, e.end, static_cast<int>(rule.meaning.size()),
                    rule.meaning.data());
    }
    return h.json() == R"({"a": true})" && !h.edits.empty() ? 0 : 1;
}

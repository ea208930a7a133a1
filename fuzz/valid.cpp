// Identity on valid JSON. The bytes are decisions of a grammar, so that every input makes a valid text and a small
// change of the input a small change of the text.
#include "corpus.hpp"
#include "strict_json.hpp"
#include "target.hpp"

#include <algorithm>

using namespace jsonheal_test;
using jsonheal_fuzz::bytes;

namespace {

constexpr std::size_t most_bytes = 4000;

void blanks(bytes& in, std::string& out) {
    std::uint8_t choice = in.byte();
    if (choice < 200) { return; }
    out.append(choice % 32 == 0 ? 600U : choice % 5U, " \n\t\r"[choice / 8 % 4]);
}

void string(bytes& in, std::string& out) {
    out.push_back('"');
    // Parts up to one that says stop; the high bit of its number repeats a part beyond any look-ahead.
    for (std::uint8_t choice; (choice = in.byte()) % 8 != 0;) {
        auto fragments = hostile_fragments();
        std::string_view part = fragments[in.byte() % fragments.size()];
        for (std::size_t n = choice >= 250 ? 300 : 1; n > 0; --n) { out += part; }
    }
    out.push_back('"');
}

void number(bytes& in, std::string& out) {
    auto digits = [&] {
        for (std::size_t n = 1 + in.byte() % 20; n > 0; --n) {
            out.push_back(static_cast<char>('0' + in.byte() % 10));
        }
    };
    std::uint8_t shape = in.byte();
    if (shape & 1) { out.push_back('-'); }
    if (shape & 2) {
        out.push_back('0');
    } else {
        out.push_back(static_cast<char>('1' + in.byte() % 9));
        if (shape & 4) { digits(); }
    }
    if (shape & 8) {
        out.push_back('.');
        digits();
    }
    if (shape & 16) {
        out.push_back(shape & 32 ? 'e' : 'E');
        if (shape & 64) { out.push_back(shape & 128 ? '+' : '-'); }
        digits();
    }
}

std::string document(bytes& in) {
    std::string out;
    std::string open;
    blanks(in, out);
    while (true) {
        bool enough = in.empty() || out.size() > most_bytes;
        std::uint8_t choice = in.byte();
        if (!open.empty() && open.back() == '{') {
            string(in, out);
            blanks(in, out);
            out.push_back(':');
            blanks(in, out);
        }
        bool empty = false;
        if (!enough && choice % 3 == 0) {
            open.push_back(choice & 64 ? '{' : '[');
            out.push_back(open.back());
            blanks(in, out);
            empty = choice > 240;
            if (!empty) { continue; }
        } else if (choice % 3 == 1) {
            string(in, out);
        } else if (choice % 2 == 0) {
            number(in, out);
        } else {
            constexpr std::string_view literals[] = {"true", "false", "null"};
            out += literals[choice / 6 % 3];
        }
        std::size_t close = enough ? open.size() : in.byte() / 32 % 4;
        for (close = std::max<std::size_t>(close, empty ? 1 : 0); close > 0 && !open.empty(); --close) {
            blanks(in, out);
            out.push_back(open.back() == '[' ? ']' : '}');
            open.pop_back();
        }
        blanks(in, out);
        if (open.empty()) { return out; }
        out.push_back(',');
        blanks(in, out);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    bytes in(data, size);
    jsonheal::heal_options options = options_from(in.word());
    options.limits.depth = jsonheal::heal_limits{}.depth;
    std::string text = document(in);
    if (!check_strict_json(text).valid) { jsonheal_fuzz::require("the generator is wrong", text, options); }
    jsonheal_fuzz::require(check_identity(text, options), text, options);
    jsonheal::healing whole = jsonheal::heal(text, options);
    jsonheal_fuzz::require(check_same_answer(text, whole, options, random_chunks(size, 30)), text, options);
    return 0;
}

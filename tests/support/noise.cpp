// Noise: tokens and bytes in no order, and small mutations.
#include "corpus.hpp"

namespace jsonheal_test {
namespace {

using std::string_view;

constexpr string_view tokens[] = {
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "`",
    "\\",
    "\\\"",
    "\\\\",
    "\\n",
    "\\u0041",
    "\\u12",
    "\\ud83d",
    "\n",
    " ",
    "\t",
    "\r\n",
    "a",
    "b",
    "key",
    "\"a\"",
    "\"b\":",
    "'c'",
    "'d':",
    "e:",
    "1",
    "-1",
    "0",
    "00",
    "1.5",
    "1e3",
    "1e",
    "-",
    "+",
    ".",
    "...",
    "…",
    "0x1F",
    "1_000",
    "1,000",
    "10n",
    "1/3",
    "true",
    "false",
    "null",
    "True",
    "None",
    "tru",
    "nul",
    "undefined",
    "NaN",
    "-Infinity",
    "//",
    "/*",
    "*/",
    "# c\n",
    "<!--",
    "-->",
    "```",
    "```json\n",
    "~~~",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<|\"|>",
    "</s>",
    "<tool_call>",
    "</tool_call>",
    "“",
    "”",
    "‘",
    "’",
    "„",
    "«",
    "»",
    "，",
    "：",
    "；",
    "（",
    "\xC2\xA0",
    "\xEF\xBB\xBF",
    "\xE2\x80\xA8",
    "\xEF",
    "\xC2",
    "\xFF",
    "\x80",
    "\xED\xA0\x80",
    std::string_view("\0", 1),
    "\x01",
    "\x7F",
    "(",
    ")",
    "=",
    "=>",
    ";",
    "|",
    "@",
    "*",
    "_",
    "Sure, here it is: ",
    "The answer [1] is ",
    " or rather ",
    "word",
    "two words",
    "\"\"\"",
    "'''",
    "\"\"",
    "r\"",
    "f'",
    "\" + \"",
    "ObjectId(\"1\")",
    "Decimal('2')",
    "/re/i",
    "{}",
    "[]",
    "{{",
    "}}",
    "{\"a\":1}",
    "{\"b\":2}",
    "[1,2]",
    "{'k': 'v'}",
    "C:\\temp\\new",
    "\\frac{a}{b}",
    "\\d+",
    "\\'",
    "\\_",
    "it's",
    "say \"hi\"",
    "\": \"",
    "\", \"",
    "\"},{\"",
    "&quot;",
};

constexpr string_view bytes_that_matter = "{}[]:,\"'\\ \n\tab1.-+eE0ntfu/*`()#<>|_=;";

} // namespace

std::string token_soup(random_source& random, std::size_t most_tokens) {
    std::string out;
    // A few tokens many times find more than all of them once.
    std::size_t palette = random.chance(50) ? random.between(2, 12) : std::size(tokens);
    std::size_t start = random.below(std::size(tokens));
    std::size_t stride = random.between(1, 31);
    for (std::size_t n = random.between(1, most_tokens); n > 0; --n) {
        out += tokens[(start + stride * random.below(palette)) % std::size(tokens)];
    }
    return out;
}

std::string byte_soup(random_source& random, std::size_t most_bytes) {
    std::string out;
    for (std::size_t n = random.below(most_bytes + 1); n > 0; --n) {
        out.push_back(random.chance(95) ? random.pick(bytes_that_matter)
                                        : static_cast<char>(random.below(256)));
    }
    return out;
}

std::string mutated(random_source& random, std::string text) {
    for (std::size_t n = random.between(1, 4); n > 0; --n) {
        std::size_t at = random.below(text.size() + 1);
        std::size_t size = random.below(text.size() - at + 1);
        if (random.chance(80)) { size = size > 3 ? random.between(1, 3) : size; }
        switch (random.below(6)) {
        case 0: text.erase(at, size); break;
        case 1: text.insert(at, text.substr(at, size)); break;
        case 2: text.insert(at, tokens[random.below(std::size(tokens))]); break;
        case 3: text.insert(at, 1, random.pick(bytes_that_matter)); break;
        case 4: text.replace(at, size, tokens[random.below(std::size(tokens))]); break;
        default: {
            std::string part = text.substr(at, size);
            text.erase(at, size);
            text.insert(random.below(text.size() + 1), part);
        }
        }
    }
    return text;
}

std::string any_text(random_source& random) {
    switch (random.below(10)) {
    case 0: return join(random_document(random));
    case 1: return hostile_valid(random);
    case 2: return mutated(random, hostile_valid(random));
    case 3: return token_soup(random, 12);
    case 4: return token_soup(random, 60);
    case 5: return byte_soup(random, 40);
    case 6: return mutated(random, join(random_document(random)));
    case 7: return mutated(random, damaged(random, 1));
    case 8: return damaged(random, random.between(2, 4));
    default: return damaged(random, 1);
    }
}

} // namespace jsonheal_test

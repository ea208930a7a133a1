/// @file oracle.hpp
/// What simdjson's refusal proves.
#pragma once

#include <simdjson.h>

namespace jsonheal_test {

/// True if the oracle's refusal can only mean that the text is not JSON.
[[nodiscard]] inline bool certain(simdjson::error_code error) {
    return error == simdjson::UTF8_ERROR || error == simdjson::UNCLOSED_STRING ||
           error == simdjson::UNESCAPED_CHARS || error == simdjson::EMPTY || error == simdjson::TAPE_ERROR ||
           error == simdjson::T_ATOM_ERROR || error == simdjson::F_ATOM_ERROR ||
           error == simdjson::N_ATOM_ERROR;
}

} // namespace jsonheal_test

#!/bin/sh
# Formats every source with clang-format 14 (Debian 12's); with --check only says which files differ, exit code 1.
set -eu
cd "$(dirname "$0")/.."
tool=clang-format-14
command -v $tool >/dev/null 2>&1 || tool=clang-format
mode=-i
[ "${1:-}" = --check ] && mode="--dry-run -Werror"
# shellcheck disable=SC2086
find include src apps tests fuzz bench tools -name '*.[hc]pp' 2>/dev/null | sort | xargs $tool --style=file $mode

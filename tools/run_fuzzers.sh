#!/bin/sh
# Runs every libFuzzer target for SECONDS each, growing build/fuzz/corpus from the checked-in one.
# A crash leaves its input in build/fuzz/crashes and ends the run with exit code 1.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
found=0
for target in build/fuzz/bin/fuzz_*; do
    [ -x "$target" ] || continue
    found=1
    name=$(basename "$target" | sed 's/^fuzz_//')
    mkdir -p "build/fuzz/corpus/$name" build/fuzz/crashes
    seeds=
    [ -d "fuzz/corpus/$name" ] && seeds=fuzz/corpus/$name
    dictionary=
    [ -f fuzz/json.dict ] && dictionary=-dict=fuzz/json.dict
    echo "== $name, $seconds s"
    # shellcheck disable=SC2086
    "$target" "build/fuzz/corpus/$name" $seeds $dictionary -max_total_time="$seconds" -timeout=10 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/crashes/$name-"
done
[ $found -eq 1 ] || { echo "fuzz: no targets"; exit 1; }

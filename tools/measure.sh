#!/bin/sh
# Runs the acceptance scripts of ../shared/measure if that folder is there, and prints every figure.
# Exit code 1 if one of them is below its bar.
set -u
cd "$(dirname "$0")/.."
measure=../shared/measure
if [ ! -d "$measure" ]; then
    echo "measure: $measure is not there; nothing to measure"
    exit 0
fi
JSONHEAL=${JSONHEAL:-$PWD/build/release/bin/jsonheal}
export JSONHEAL
failed=0
run() { # run NAME [VARIABLE=VALUE]...
    script=$1
    shift
    echo "== $script $*"
    env "$@" python3 "$measure/$script" || failed=1
}
for seed in 7 8 9; do
    run damage_kinds SEED=$seed
    run damage_kinds SEED=$seed MIXED=2
    run damage_kinds SEED=$seed MIXED=3
done
if ls tests/hard/*.json >/dev/null 2>&1; then
    run damage_kinds SEED=7 DOCS=tests/hard
fi
run reported NEEDS=text NO_DIALECTS=1
run laws
run schema_suite
tools/measure_chunks.sh || failed=1
echo "== schema beside ajv"
cmake --build build/release --target jsonheal_schema_time >/dev/null || failed=1
python3 tools/measure_schema.py build/release/tools/jsonheal_schema_time || failed=1
python3 tools/measure_differ.py || failed=1
[ $failed -eq 0 ] && echo "measure: every figure reaches its bar" || echo "measure: at least one figure is below its bar"
exit $failed

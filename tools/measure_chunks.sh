#!/bin/sh
# Law 5 over the corpora of ../shared/corpus, as `tests/stream/every_split` and `tests/calls/every_split` have it for our own
# cases: every place where a text can be cut in two, bytes, four bytes, fifty random ways; snapshots, events, edits, calls.
#
# usage: tools/measure_chunks.sh [BUILD]   (build/release if left out)
set -u
cd "$(dirname "$0")/.."
build=${1:-build/release}
JSONHEAL_CORPUS=../shared/corpus
export JSONHEAL_CORPUS
if [ ! -d "$JSONHEAL_CORPUS" ]; then
    echo "measure: $JSONHEAL_CORPUS is not there; nothing to cut"
    exit 0
fi
cmake --build "$build" --target jsonheal_test_stream_every_split jsonheal_test_calls_every_split >/dev/null || exit 1
failed=0
for what in stream calls; do
    echo "== $what in every chunking"
    "$build/tests/jsonheal_test_${what}_every_split" --gtest_filter='*of_a_corpus*' --gtest_brief=1 || failed=1
done
exit $failed

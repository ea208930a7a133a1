#!/bin/sh
# How far settled text trails its input in chunks of 4 bytes, and what waits: on valid texts, on damaged ones, on the corpora.
#
# usage: tools/measure_delay.sh [BUILD]   (build/release if left out)
set -u
cd "$(dirname "$0")/.."
build=${1:-build/release}
shared=../shared
if [ ! -d "$shared/damage" ]; then
    echo "measure: $shared/damage is not there; nothing to measure"
    exit 0
fi
cmake --build "$build" --target jsonheal_stream_delay >/dev/null || exit 1
delay=$build/tools/jsonheal_stream_delay
valid='import json, sys
for line in sys.stdin:
    v = json.loads(line)["expected"]
    for form in ({}, {"indent": 2}, {"separators": (",", ":")}):
        print(json.dumps({"input": json.dumps(v, ensure_ascii=False, **form)}))'
echo "== valid"
python3 $shared/damage/damage.py --seed 7 --count 400 | python3 -c "$valid" | "$delay"
echo "== damaged"
python3 $shared/damage/damage.py --seed 7 --count 2000 | "$delay"
echo "== corpora"
cat $shared/corpus/*.jsonl | "$delay"

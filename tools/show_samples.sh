#!/bin/sh
# Heals the sample replies one by one: what the model wrote, the JSON it meant, and what was changed.
set -u
cd "$(dirname "$0")/.."
tool=${JSONHEAL:-build/release/bin/jsonheal}
rule() { printf '%s\n' "------------------------------------------------------------------------"; }

for sample in examples/replies/*.txt; do
    [ -e "$sample" ] || { echo "no samples in examples/replies"; exit 1; }
    rule
    echo "$sample"
    rule
    cat "$sample"
    echo
    echo "--> healed"
    "$tool" heal "$sample" 2>/dev/null
    code=$?
    echo
    case $code in
        0) ;;
        1) echo "(refused: nothing printed)" ;;
        3) echo "(the text was cut off)" ;;
        *) echo "(exit code $code)" ; exit 1 ;;
    esac
    echo "--> what was changed"
    "$tool" explain "$sample" 2>&1
    echo
done

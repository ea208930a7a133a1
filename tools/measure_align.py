#!/usr/bin/env python3
"""Judges alignment by cases of others: measure_align.py PROGRAM baml|reported CASES

PROGRAM is build/*/tools/jsonheal_align_lines. `baml`: cases {id, kind, schema, input, expected}; those of kind ok must come out
equal and those of kind error must not fit, under all coercions. A member that is null counts as absent, as in those tests.
`reported`: cases that need a schema, under the default ceiling. Prints each miss and the share.
"""
import json
import subprocess
import sys


def run(program, records, *options):
    text = "".join(json.dumps(r) + "\n" for r in records)
    done = subprocess.run([program, *options], input=text, capture_output=True, text=True, check=True)
    return {r["id"]: r for r in map(json.loads, done.stdout.splitlines())}


def plain(value):
    """Without members that are null, and whole floats as integers."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def same(a, b):
    return json.dumps(plain(a), sort_keys=True) == json.dumps(plain(b), sort_keys=True)


def judge(case, answer):
    """Whether the answer is right, and what was wanted."""
    if case.get("kind") == "error" or "expected_error" in case:
        return not answer["fits"], "no value"
    if not answer["fits"] and case.get("also_error"):
        return True, ""
    wanted = [case["expected"], *case.get("also_ok", [])]
    return answer["fits"] and any(same(answer["value"], w) for w in wanted), json.dumps(case["expected"])


def main():
    program, sort, path = sys.argv[1:4]
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file if line.strip()]
    if sort == "baml":
        cases = [c for c in cases if c["kind"] in ("ok", "error")]
    else:
        cases = [c for c in cases if c["needs"] == "schema"]
    records = [{k: c[k] for k in ("id", "input", "schema")} for c in cases]
    answers = run(program, records, *(["--lenient"] if sort == "baml" else []))
    right = 0
    for case in cases:
        answer = answers[case["id"]]
        ok, wanted = judge(case, answer)
        right += ok
        if not ok:
            got = json.dumps(answer.get("value")) if answer["fits"] else "refused"
            print(f"MISS {case['id']}: {case['input'][:120]!r}\n  wanted {wanted[:300]}\n  got    {got[:300]} {answer['changes']}")
    print(f"{sort}: {right}/{len(cases)} = {100 * right / len(cases):.1f} %")


main()

#!/usr/bin/env python3
"""Judges generated pairs of schema and instance beside ajv. JSONHEAL names the tool, AJV a folder with ajv in node_modules.

Differences that `explain` knows are counted by reason; others are printed and make the exit code 1.
"""
import collections
import json
import os
import shutil
import subprocess
import sys

SEEDS = range(1, 3)
HERE = os.path.dirname(os.path.abspath(__file__))


def explain(record, ours):
    """Why ajv says something else than the standard, or nothing."""
    text = json.dumps(record["schema"])
    if "unevaluated" in text:
        return "ajv misses evaluation in some nested subschemas (it fails such tests of the official suite)"
    return None


def main():
    folder = os.environ.get("AJV", "")
    if not shutil.which("node") or not os.path.isdir(os.path.join(folder, "node_modules", "ajv")):
        print("schema answers: node or ajv is not there (AJV=FOLDER); nothing to compare with")
        return 0
    tool = os.environ.get("JSONHEAL", "build/release/bin/jsonheal")
    total, known, unknown = 0, collections.Counter(), 0
    for seed in SEEDS:
        made = subprocess.run(["node", os.path.join(HERE, "schema_differ.mjs"), folder, str(seed), "1500"],
                              capture_output=True, text=True, check=True).stdout
        answers = subprocess.run([tool, "batch"], input=made, capture_output=True, text=True, check=True).stdout
        for line, answer in zip(made.splitlines(), answers.splitlines()):
            record, ours = json.loads(line), json.loads(answer)
            total += 1
            if ours.get("valid") is record["id"]:
                continue
            reason = explain(record, ours)
            known[reason] += reason is not None
            if reason is None:
                unknown += 1
                print("DIFFERS", line, "ours:", answer[:300])
    print(f"schema answers: {total} pairs, {sum(known.values())} explained, {unknown} not")
    for reason, count in known.items():
        if reason:
            print(f"  {count}: {reason}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())

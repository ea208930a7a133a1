#!/usr/bin/env python3
"""How often jsonheal and other repair libraries give the value that was meant, and how often another without a word.

    compare_peers.py [--damage DAMAGE_PY] [--count N] [--seed N] [--out FILE] [--page FILE.md]

DAMAGE_PY makes valid documents, breaks them as language models do and knows the value that was meant; default
../shared/damage/damage.py; where that is not there, nothing is done. The libraries are those of bench/peers, and
Python's json_repair where it is installed; each answers in a process of its own, since some crash or hang. An answer is

    right           the value that was meant; of a cut text all that stood before the cut, and nothing else
    silently wrong  another value, and no sign of doubt
    said            another value, but called cut off, or with an edit that its log calls invented or lossy
    refused         no value
    crashed         the process ended, or gave no answer in ten seconds

jsonheal's answer to a cut text counts as right only if its verdict says that it was cut. Writes the shares to --out
(default build/comparison.json), prints them as a table, and puts that table into --page, between the lines
`<!-- compare_peers -->` and `<!-- /compare_peers -->`.
"""
import argparse
import collections
import importlib.util
import json
import os
import random
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "bench"))
from workers import PEERS, Crashed, TooSlow, Worker, install_peers, node_worker  # noqa: E402

TOOL = os.environ.get("JSONHEAL", os.path.join(ROOT, "build", "release", "bin", "jsonheal"))
LIBRARIES = ["jsonrepair", "jaison", "best-effort-json-parser"]
OUTCOMES = ["right", "silently wrong", "said", "refused", "crashed"]
SETS = {"one fault": 1, "two faults": 2, "three faults": 3}  # kinds of damage in a document
WITH_SCHEMA = {"double_encoded"}  # kinds that need a schema to be told from a valid text
SECONDS = 10
# A text without its end that has all its values: to call it cut is right as well.
CUT_TOO = {"missing_closers", "outer_braces_lost", "value_end_quote_lost"}


def load(path):
    spec = importlib.util.spec_from_file_location("damage", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def records(damage, count, seed, mixed):
    names = [k for k in damage.KINDS if k not in WITH_SCHEMA]
    r, out = random.Random(seed), []
    while len(out) < count:
        kinds = [names[len(out) % len(names)]] if mixed == 1 else damage.pick_mixed(r, names, mixed)
        record = damage.make(r, [], kinds)
        if record is not None:
            out.append(record)
    return out


# ---- answers: {"value"} or {"error"} or {"crashed"}, and "doubt" where the answer says that it may be wrong

def jsonheal_answers(texts):
    lines = "".join(json.dumps({"id": str(i), "input": t}) + "\n" for i, t in enumerate(texts))
    done = subprocess.run([TOOL, "batch"], input=lines.encode(), stdout=subprocess.PIPE, check=False)
    out = []
    for line in done.stdout.decode("utf-8").splitlines():
        answer = json.loads(line)
        answer["doubt"] = answer.get("verdict") == "truncated" or answer.get("risk") in ("invented", "lossy")
        out.append(answer)
    # What is left unanswered by a batch that ended early has crashed.
    return out + [{"crashed": True}] * (len(texts) - len(out))


def worker_answers(worker, texts):
    out = []
    for text in texts:
        try:
            out.append(worker.ask_line(json.dumps(text), SECONDS))
        except (Crashed, TooSlow):
            out.append({"crashed": True})
    worker.close()
    return out


def engines(folder):
    """Name → function from texts to answers; and why others are left out."""
    found, left_out = {"jsonheal": jsonheal_answers}, []

    def add(name, command):
        found[name] = lambda texts: worker_answers(Worker(command), texts)

    why = install_peers(folder)
    if why is None:
        probe = node_worker(folder)
        installed = probe.subjects()
        probe.close()
        for name in LIBRARIES:
            if name in installed:
                add(name, ["node", os.path.join(PEERS, "answer.mjs"), folder, name])
    else:
        left_out.append("the JavaScript libraries: " + why)
    if importlib.util.find_spec("json_repair"):
        add("json_repair (Python)", [sys.executable, os.path.join(PEERS, "answer.py")])
    else:
        left_out.append("json_repair (Python): not installed")
    return found, left_out


# ---- judging

def outcome(damage, record, answer):
    if "crashed" in answer:
        return "crashed"
    if "value" not in answer:
        return "refused"
    right = damage.agrees(answer["value"], record["expected"], record["match"], record.get("at_least"))
    if right and "verdict" in answer:
        right = says_cut_rightly(damage, record, answer)
    if right:
        return "right"
    return "said" if answer.get("doubt") else "silently wrong"


def says_cut_rightly(damage, record, answer):
    cut = answer["verdict"] == "truncated"
    if record["match"] == "prefix":
        return cut or damage.same(answer["value"], record["expected"])
    return not cut or bool(set(record["kinds"]) & CUT_TOO)


def shares(outcomes):
    counts = collections.Counter(outcomes)
    return {o: round(100 * counts[o] / len(outcomes), 2) for o in OUTCOMES}


def compare(damage, found, count, seed):
    rows = []
    for title, mixed in SETS.items():
        recs = records(damage, count, seed, mixed)
        for name, answers in found.items():
            results = [outcome(damage, r, a) for r, a in zip(recs, answers([r["input"] for r in recs]))]
            rows.append({"set": title, "engine": name, "cases": len(recs), **shares(results)})
            if mixed == 1:
                by_kind = collections.defaultdict(list)
                for record, result in zip(recs, results):
                    by_kind[record["kinds"][0]].append(result)
                rows[-1]["kinds"] = {k: shares(v) for k, v in sorted(by_kind.items())}
            print("compared: %s, %s" % (title, name), file=sys.stderr, flush=True)
    return rows


# ---- tables

def line(cells):
    return "| %s |" % " | ".join(str(c) for c in cells)


def table(results):
    out = []
    for title in dict.fromkeys(r["set"] for r in results["rows"]):
        rows = [r for r in results["rows"] if r["set"] == title]
        out += [line(["%s, %d documents; %%" % (title, rows[0]["cases"])] + OUTCOMES),
                line(["---"] + ["--:"] * len(OUTCOMES))]
        out += [line([r["engine"]] + ["%.1f" % r[o] for o in OUTCOMES]) for r in rows] + [""]
    per = [r for r in results["rows"] if "kinds" in r]
    if per:
        out += [line(["right / silently wrong, by fault; %"] + [r["engine"] for r in per]),
                line(["---"] + ["--:"] * len(per))]
        for kind in per[0]["kinds"]:
            out.append(line([kind.replace("_", " ")] + ["%.0f / %.0f" % (r["kinds"][kind]["right"],
                                                                       r["kinds"][kind]["silently wrong"])
                                                     for r in per]))
    out += [""] * bool(results["left_out"]) + ["Left out: %s." % why for why in results["left_out"]]
    return "\n".join(out) + "\n"


def put_into(page, text):
    with open(page, encoding="utf-8") as f:
        old = f.read()
    new, n = re.subn(r"(<!-- compare_peers -->\n).*?(<!-- /compare_peers -->)",
                     lambda m: m.group(1) + "\n" + text + "\n" + m.group(2), old, flags=re.S)
    if n != 1:
        sys.exit("compare_peers: %s has no place for the table" % page)
    with open(page, "w", encoding="utf-8") as f:
        f.write(new)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--damage", default=os.path.join(ROOT, "..", "shared", "damage", "damage.py"))
    p.add_argument("--count", type=int, default=2000)
    p.add_argument("--seed", type=int, default=7)
    p.add_argument("--out", default=os.path.join(ROOT, "build", "comparison.json"))
    p.add_argument("--page", help="a page in Markdown that has a place for the table")
    p.add_argument("--peers", default=os.path.join(ROOT, "build", "bench"), help="where node_modules is put")
    p.add_argument("--results", help="results of an earlier run: only make the table")
    a = p.parse_args()

    if a.results:
        with open(a.results, encoding="utf-8") as f:
            results = json.load(f)
    else:
        if not os.path.exists(a.damage):
            print("compare_peers: the generator of damage is not there; nothing to compare")
            return
        found, left_out = engines(a.peers)
        results = {"seed": a.seed, "left_out": left_out, "rows": compare(load(a.damage), found, a.count, a.seed)}
        os.makedirs(os.path.dirname(os.path.abspath(a.out)), exist_ok=True)
        with open(a.out, "w", encoding="utf-8") as f:
            json.dump(results, f, indent=1)
    print(table(results))
    if a.page:
        put_into(a.page, table(results))


if __name__ == "__main__":
    main()

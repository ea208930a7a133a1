#!/usr/bin/env python3
"""The golden cases (tests/golden, format in its README) and the example replies, through `jsonheal batch`.

    measure_golden.py [--show N] [--quiet] [--batch OPTION ...] [FILE_STEM ...]

JSONHEAL=path of the tool, default build/release/bin/jsonheal. Prints each disagreement and the share a file; exits 0 if
there is none. The C++ suite reads the same files; this is for looking at many answers at once.
"""
import argparse
import base64
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.environ.get("JSONHEAL", os.path.join(ROOT, "build", "release", "bin", "jsonheal"))


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def load():
    """(file, case) for every golden case and every example reply."""
    out = []
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "golden", "*.json"))):
        with open(path, encoding="utf-8") as f:
            out += [(os.path.basename(path)[:-5], case) for case in json.load(f).get("cases", [])]
    replies = os.path.join(ROOT, "examples", "replies")
    for path in sorted(glob.glob(os.path.join(replies, "*.txt"))):
        stem = os.path.basename(path)[:-4]
        with open(path, "rb") as f, open(os.path.join(replies, "wanted", stem + ".json"), encoding="utf-8") as w:
            out.append(("replies", {"id": stem, "input": f.read().decode("utf-8"), "value": json.load(w)}))
    return out


def run(group, options, extra):
    lines = ""
    for n, (_, case) in enumerate(group):
        record = {k: case[k] for k in ("input", "input_base64") if k in case}
        lines += json.dumps({"id": str(n), **record}) + "\n"
    command = [TOOL, "batch", "--edits", "all", "--text", *extra]
    for name, value in options:
        command += ["--" + name.replace("_", "-"), value]
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    answers = done.stdout.decode("utf-8", "surrogateescape").strip("\n").split("\n")
    if len(answers) != len(group):
        sys.exit("batch gave %d lines for %d records (exit %d): %s"
                 % (len(answers), len(group), done.returncode, done.stderr.decode("utf-8", "replace")[-300:]))
    out = []
    for line in answers:
        try:
            out.append(json.loads(line))
        except ValueError:
            out.append({"verdict": "unreadable", "error": "not JSON: " + line})
    return out


def replayed(case, answer):
    data = base64.b64decode(case["input_base64"]) if "input_base64" in case else case["input"].encode("utf-8", "surrogatepass")
    parts, at = [], 0
    for e in answer.get("edits", []):
        if e["begin"] < at:
            return None
        parts += [data[at:e["begin"]], e["text"].encode("utf-8", "surrogatepass")]
        at = e["end"]
    return b"".join(parts + [data[at:]])


def judge(case, answer):
    """The reasons why the answer is not the wanted one."""
    wrong = []
    verdict, has = answer.get("verdict"), "value" in answer
    wants = ([case["value"]] if "value" in case else []) + case.get("also_ok", [])
    if verdict == "refused" or not has:
        if not case.get("refused"):
            wrong.append("refused: %s" % answer.get("error"))
        return wrong
    if "json" in case:
        if answer.get("json") != case["json"]:
            wrong.append("text")
    elif not any(same(answer["value"], w) for w in wants):
        wrong.append("value, not refused" if case.get("refused") and not wants else "value")
    if case.get("needs_truncated") and verdict != "truncated":
        wrong.append("verdict %s, must be truncated" % verdict)
    for member in ("verdict", "cut", "risk"):
        if member in case and answer.get(member) != case[member]:
            wrong.append("%s %s, wanted %s" % (member, answer.get(member), case[member]))
    there = {e["rule"] for e in answer.get("edits", [])}
    for rule in case.get("rules", []):
        if rule not in there:
            wrong.append("rule %s not in %s" % (rule, sorted(there)))
    proof = replayed(case, answer)
    if "json" in answer and (proof is None or proof != answer["json"].encode("utf-8", "surrogatepass")):
        wrong.append("the log does not replay")
    return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("files", nargs="*")
    p.add_argument("--show", type=int, default=10**9)
    p.add_argument("--quiet", action="store_true")
    p.add_argument("--batch", action="append", default=[], help="passed on to batch, e.g. --batch=--chunk --batch=1")
    a = p.parse_args()
    if not os.path.exists(TOOL):
        sys.exit("no tool at " + TOOL)

    groups = {}
    for entry in load():
        if not a.files or entry[0] in a.files:
            groups.setdefault(tuple(sorted(entry[1].get("options", {}).items())), []).append(entry)
    tally, shown = {}, 0
    for options, group in groups.items():
        for (name, case), answer in zip(group, run(group, options, a.batch)):
            wrong = judge(case, answer)
            counts = tally.setdefault(name, [0, 0])
            counts[0] += not wrong
            counts[1] += 1
            if wrong and not a.quiet and shown < a.show:
                shown += 1
                print("%s/%s: %s" % (name, case["id"], "; ".join(wrong)))
                print("  input  " + repr(case.get("input", case.get("input_base64")))[:600])
                wanted = case.get("json", case.get("value", "(refused)" if case.get("refused") else None))
                print("  wanted " + json.dumps(wanted, ensure_ascii=False)[:600])
                print("  got    %s [%s, %s, %s]" % (answer.get("json", answer.get("error"))[:600], answer.get("verdict"), answer.get("cut"), answer.get("risk")))
    for name, (right, n) in sorted(tally.items()):
        print("%-20s %d/%d" % (name, right, n))
    right, n = sum(t[0] for t in tally.values()), sum(t[1] for t in tally.values())
    print("golden: %d/%d = %.1f %%" % (right, n, 100 * right / max(n, 1)))
    sys.exit(0 if right == n else 1)


if __name__ == "__main__":
    main()

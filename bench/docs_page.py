#!/usr/bin/env python3
"""Writes docs/performance.md and docs/plots/*.svg from the results of `make bench`.

    bench/docs_page.py [RESULTS.json]       default build/bench/results.json
"""
import json
import os
import sys

from plots import bar_chart
from report import duration, figure, unique
from targets import log_bytes
from workers import ROOT

REPAIRERS = ["jsonheal", "jsonrepair", "jaison", "best-effort-json-parser"]
SETTINGS = ["jsonheal", "jsonheal counted", "jsonheal off", "jsonheal reused", "jsonheal engine"]
SIZE_NAMES = {"200B": "200 bytes", "1KB": "1 KB", "100KB": "100 KB", "10MB": "10 MB", "1MB": "1 MB"}


def markdown(head, body):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1)] + body
    return "\n".join("| %s |" % " | ".join(str(c) for c in line) for line in lines)


def of_group(results, group):
    return [r for r in results["rows"] if r["group"] == group]


def lookup(rows):
    return {(r["size"], r["kind"], r["subject"]): r for r in rows}


def note(row):
    answer = row.get("answer", "right")
    return "" if answer == "right" else answer


def bar_of(row, name, value):
    if row is None:
        return (name, None, "left out")
    return (name, value(row) if "seconds" in row else None, note(row))


def speed(row):
    return row["mb_per_s"]


# ---- plots

def plot_valid(results):
    rows = of_group(results, "sizes")
    at = lookup(rows)
    subjects = ["jsonheal", "simdjson", "RapidJSON", "nlohmann", "JSON.parse"] + REPAIRERS[1:]
    groups = [(SIZE_NAMES[size], [bar_of(at.get((size, "valid", s)), s, speed) for s in subjects
                                  if (size, "valid", s) in at]) for size in unique(r["size"] for r in rows)]
    return bar_chart("Valid JSON", "MB/s, logarithmic; jsonheal checks the text and gives it back, parsers build a tree",
                     groups, log=True)


def plot_broken(results, size):
    rows = [r for r in of_group(results, "sizes") if r["size"] == size]
    at = lookup(rows)
    kinds = [k for k in unique(r["kind"] for r in rows) if k != "valid"]
    groups = [(k, [bar_of(at.get((size, k, s)), s, speed) for s in REPAIRERS if (size, k, s) in at]) for k in kinds]
    return bar_chart("Broken documents of " + SIZE_NAMES[size],
                     "MB/s, logarithmic; hollow: the answer has another value than the document", groups, log=True)


def plot_growth(results):
    rows = sorted(of_group(results, "growth"), key=lambda r: -r["seconds"])
    groups = [(r["kind"], [("jsonheal", r["seconds"] * 1e3, "exponent %.2f" % r["exponent"])]) for r in rows]
    return bar_chart("One fault over and over, 1 MB", "milliseconds; exponent: the greater of 10 KB to 100 KB to 1 MB",
                     groups, mark=(50, "50 ms"))


def plot_memory(results):
    rows = [r for r in of_group(results, "cold") if r["size"] == "10MB"]
    groups = [("%s %s" % (r["subject"], r["kind"]) if r["subject"] != "jsonheal" else r["kind"],
               [(r["subject"], r["peak_bytes"] / r["bytes"], "")]) for r in rows]
    return bar_chart("Peak memory beyond a text of 10 MB", "bytes for each byte of the text, edit log kept", groups)


def plots(results):
    """File name → SVG, for the groups that were run."""
    out = {}
    if of_group(results, "sizes"):
        out["valid.svg"] = plot_valid(results)
        for size in unique(r["size"] for r in of_group(results, "sizes")):
            out["broken-%s.svg" % size] = plot_broken(results, size)
    if of_group(results, "growth"):
        out["growth.svg"] = plot_growth(results)
    if of_group(results, "cold"):
        out["memory.svg"] = plot_memory(results)
    return out


# ---- page

def cell(row):
    if row is None:
        return ""
    if "seconds" not in row:
        return row["answer"]
    said = figure(row["mb_per_s"]) + (" (%.*f)" % (2 if row["ratio"] >= 0.995 else 3, row["ratio"]))
    return said if not note(row) else "%s: %s" % (note(row), said)


def size_section(rows, size):
    own = [r for r in rows if r["size"] == size]
    at = lookup(own)
    kinds = unique(r["kind"] for r in own)
    peers = [s for s in unique(r["subject"] for r in own) if s in REPAIRERS[1:]]
    ours = markdown(["MB/s (ratio)", "log kept", "counted", "off", "one healer", "engine only"],
                    [[k] + [cell(at.get((size, k, s))) for s in SETTINGS] for k in kinds])
    theirs = markdown(["MB/s (ratio)"] + peers, [[k] + [cell(at.get((size, k, s))) for s in peers] for k in kinds])
    parsers = [s for s in ("simdjson", "RapidJSON", "nlohmann", "JSON.parse") if (size, "valid", s) in at]
    valid = ", ".join("%s %s" % (s, cell(at[size, "valid", s])) for s in parsers)
    parts = ["### " + SIZE_NAMES[size], "jsonheal:", ours]
    if peers:
        parts += ["JavaScript libraries:", theirs]
    parts += ["Parsers, on the valid text; all of them refuse every broken one: " + valid + "."
              if all_refused(own) else "Parsers, on the valid text: " + valid + "."]
    return parts + ["![](plots/broken-%s.svg)" % size]


def all_refused(rows):
    return all(r["answer"] == "refused" for r in rows
               if r["kind"] != "valid" and r["subject"] in ("RapidJSON", "nlohmann", "JSON.parse"))


def page(results):
    parts = ["# Performance", "Measured on a %s, %s; load by other programs when it began: %.1f. Made by "
             "`make bench-docs`, which times everything anew; `make bench` only prints the table, `make bench "
             "BENCH_ARGS=--quick` a shorter one. `make bench-gate BASE=<commit>` fails if this tree is slower than a "
             "commit beyond noise." % (results["machine"], results["date"], results["load"]),
             "All subjects take turns in one run, in C++ and in JavaScript, on the same files; figures are medians; a "
             "time is that on the wall, or the processor time of the subject's process where that is less. "
             "Each answers before it is timed, and its value is compared with that of the undamaged document: "
             "`wrong` stands beside the time of another value, `refused` means no value. Documents and damages are made "
             "by `bench/documents.cpp` from a seed: indented records of tool calls; single quotes and bare keys in every "
             "line, Python's literals wherever a literal stands, the other faults in about one place of sixteen, or once "
             "where they can be there only once."]
    parts += ["Left out of this run: %s." % why for why in results["left_out"]]
    targets = results["targets"]
    parts += ["## Targets", markdown(["target", "wanted", "got (worst)", "on", ""],
                                     [[t["name"], "%s %s" % (t["wanted"], t["unit"]), figure(t["got"]), t["on"],
                                       "reached" if t["reached"] else "**missed**"] for t in targets])]
    rows = of_group(results, "sizes")
    if rows:
        parts += ["## Documents", "MB/s of the text given; in brackets the ratio to simdjson's DOM parse of the undamaged "
                  "text in the same rounds. *One healer*: a `healer` for all texts, fed at once and reset, which never "
                  "takes the fast path. *Engine only*: without the fast path for valid text.",
                  "![](plots/valid.svg)"]
        for size in unique(r["size"] for r in rows):
            parts += size_section(rows, size)
    small = of_group(results, "small")
    if small:
        parts += ["## A tool call of %d bytes" % small[0]["bytes"],
                  markdown(["", "time", "answer"], [[r["subject"], duration(r["seconds"]) if "seconds" in r else "",
                                                     r["answer"]] for r in small])]
    cold = of_group(results, "cold")
    if cold:
        parts += ["## Cold, and memory", "The first answer of a fresh process, and its peak memory beyond the text itself; "
                  "`log` is the part of it that the kept edits need.", markdown(
                      ["", "size", "MB/s", "peak / text", "log / text"],
                      [["%s, %s" % (r["subject"], r["kind"]), SIZE_NAMES[r["size"]], figure(r["mb_per_s"]),
                        "%.2f" % (r["peak_bytes"] / r["bytes"]), "%.2f" % (log_bytes(r) / r["bytes"])] for r in cold]),
                  "![](plots/memory.svg)"]
    extract = of_group(results, "extract")
    if extract:
        parts += ["## Prose without JSON", markdown(["`extract`", "MB/s"], [[SIZE_NAMES[r["size"]], figure(r["mb_per_s"])]
                                                                           for r in extract])]
    growth = of_group(results, "growth")
    if growth:
        parts += ["## Growth", "Texts that make one fault over and over; each has made some repair library take more than "
                  "linear time, or crash.", markdown(["family", "10 KB", "100 KB", "1 MB", "exponent"],
                                                     [[r["kind"]] + [duration(t) for t in r["times"]] +
                                                      ["%.2f" % r["exponent"]] for r in growth]),
                  "![](plots/growth.svg)"]
    return "\n\n".join(parts) + "\n"


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "bench", "results.json")
    with open(source, encoding="utf-8") as f:
        results = json.load(f)
    docs = os.path.join(ROOT, "docs")
    os.makedirs(os.path.join(docs, "plots"), exist_ok=True)
    for name, svg in plots(results).items():
        with open(os.path.join(docs, "plots", name), "w", encoding="utf-8") as f:
            f.write(svg)
    with open(os.path.join(docs, "performance.md"), "w", encoding="utf-8") as f:
        f.write(page(results))


if __name__ == "__main__":
    main()

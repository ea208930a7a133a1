#!/usr/bin/env python3
"""Times jsonheal and its peers in one run and prints one table.

    bench/run.py [--quick] [--only WORD ...] [--build DIR]

Every subject answers before it is timed, and its answer is compared with the value of the undamaged document: a wrong
one is shown beside its time. A time is that on the wall, or the processor time of the subject's process where that is
less, so that other programs on the machine count less. All subjects of a group, in C++ and in JavaScript, take turns, round by round; figures
are medians over the rounds, ratios medians of the ratios within a round. Writes DIR/results.json (default
build/bench) and DIR/table.txt.

    --quick   fewer rounds, the JavaScript libraries on 1 KB and 100 KB only
    --only    groups whose name has one of the words: sizes cold extract small growth
"""
import argparse
import datetime
import json
import math
import os
import platform
import statistics
import subprocess
import sys

from report import table
from targets import judge
from workers import Crashed, TooSlow, Worker, install_peers, node_worker

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

SIZES = ["1KB", "100KB", "10MB"]
KINDS = ["valid", "single_quotes", "unquoted_keys", "trailing_commas", "missing_close", "truncated", "fence_prose",
         "python_literals", "comments", "missing_commas", "unescaped_quotes"]
OURS = ["jsonheal", "jsonheal counted", "jsonheal off", "jsonheal reused", "jsonheal engine"]
BASELINE = "simdjson"
# Repair libraries that were measured to take more than linear time; see docs/performance.md.
FAMILIES = ["deep_array", "deep_object", "open_braces", "stray_quotes", "quote_run", "unclosed_commas",
            "missing_commas", "ndjson", "backslashes", "unquoted_words", "slashes", "fences", "single_q_apos",
            "concat", "trailing_commas", "flat_valid"]
GROWTH_SIZES = ["10KB", "100KB", "1MB"]

LIMIT = 20.0      # seconds for one answer; slower ones are shown as such
SAMPLE = 0.004    # seconds of one sample, at least
WARM = 0.75       # seconds that a JavaScript library runs before it is timed, for its compiler


def machine():
    model, virtual = platform.machine(), False
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            text = f.read()
        model = next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name"))
        virtual = " hypervisor" in text
    except (OSError, StopIteration):
        pass
    model = model.replace("(R)", "").replace("(TM)", "").split(" Processor")[0]
    return "%d-core %s%s" % (os.cpu_count(), model, " virtual machine" if virtual else "")


class Bench:
    def __init__(self, folder, program, quick):
        self.folder, self.quick = folder, quick
        self.inputs = os.path.join(folder, "inputs")
        self.program = program
        subprocess.run([program, "--inputs", self.inputs], check=True)
        self.native = Worker([program])
        self.where = {name: self.native for name in self.native.subjects()}
        self.left_out = []
        why = install_peers(folder)
        self.node = None
        if why is None:
            self.node = node_worker(folder)
            self.where.update((name, self.node) for name in self.node.subjects())
        else:
            self.left_out.append("the JavaScript libraries: " + why)
        for name in ("RapidJSON", "nlohmann"):
            if name not in self.where:
                self.left_out.append(name + ": its header is not installed")

    def path(self, name):
        return os.path.join(self.inputs, name)

    def language(self, subject):
        return "JavaScript" if self.where[subject] is self.node else "C++"

    def check(self, subject, name):
        """What the subject makes of the text: {"answer": "right", "wrong", "refused", "over 20 s" or "crashed"}."""
        try:
            return self.where[subject].ask("check", subject, self.path(name), self.path(name) + ".wanted",
                                           limit=LIMIT)
        except TooSlow:
            return {"answer": "over %g s" % LIMIT, "over_seconds": LIMIT}
        except Crashed:
            return {"answer": "crashed"}

    def once(self, subject, name, seconds):
        return self.where[subject].ask("time", subject, self.path(name), seconds, limit=4 * LIMIT)["seconds"]

    def turns(self, jobs, rounds):
        """Samples of each job (subject, text) round by round; None in rounds that a slow one sat out."""
        every = []
        for subject, name in jobs:
            first = self.once(subject, name, WARM if self.language(subject) == "JavaScript" else SAMPLE)
            every.append(1 if first < 0.1 else 3 if first < 1 else rounds)
        samples = [[] for _ in jobs]
        for r in range(rounds):
            order = range(len(jobs)) if r % 2 == 0 else reversed(range(len(jobs)))
            for i in order:
                samples[i].append(self.once(*jobs[i], SAMPLE) if r % every[i] == 0 else None)
        return samples

    def forget(self):
        for worker in (self.native, self.node):
            if worker is not None:
                worker.ask("forget")

    def close(self):
        for worker in (self.native, self.node):
            if worker is not None:
                worker.close()

    # ---- groups

    def sizes(self):
        rows = []
        for size in SIZES:
            rounds = (5 if size == "10MB" else 9) if self.quick else (7 if size == "10MB" else 15)
            for kind in KINDS:
                rows += self.size_and_kind(size, kind, rounds)
                self.forget()
        return rows

    def size_and_kind(self, size, kind, rounds):
        name, base = "%s-%s" % (kind, size), "valid-%s" % size
        plain = [s for s in ("RapidJSON", "nlohmann", "JSON.parse") if s in self.where]
        others = [s for s in self.where if s not in OURS + plain + [BASELINE, "jsonheal extract"]]
        if self.quick and size == "10MB":
            others = []
        subjects = OURS + [BASELINE] + plain + others
        rows, jobs = [], []
        for subject in subjects:
            text = base if subject == BASELINE else name
            row = {"group": "sizes", "size": size, "kind": kind, "subject": subject,
                   "language": self.language(subject), "bytes": os.path.getsize(self.path(text)),
                   **self.check(subject, text)}
            rows.append(row)
            if row["answer"] in ("right", "wrong"):
                jobs.append((row, (subject, text)))
        samples = self.turns([j for _, j in jobs], rounds)
        at = [j[0] for _, j in jobs].index(BASELINE)
        for (row, _), own in zip(jobs, samples):
            summarise(row, own)
            scale = row["bytes"] / os.path.getsize(self.path(base))
            row["ratio"] = statistics.median(b / o for o, b in zip(own, samples[at]) if o) * scale
        progress("%s %s" % (size, kind))
        return rows

    def cold(self):
        """Fresh processes: seconds of the first answer, and peak memory of one answer beyond the text."""
        rows = []
        for size in ("100KB", "10MB"):
            for kind in KINDS:
                name = "%s-%s" % (kind, size)
                for subject in ("jsonheal", BASELINE) if kind == "valid" else ("jsonheal",):
                    runs = [self.fresh("--once", subject, name) for _ in range(3 if self.quick else 7)]
                    row = {"group": "cold", "size": size, "kind": kind, "subject": subject, "bytes": runs[0]["bytes"],
                           **self.fresh("--peak", subject, name)}
                    if subject == "jsonheal":
                        row.update(self.check(subject, name))
                    rows.append(summarise(row, [r["seconds"] for r in runs]))
        progress("cold")
        self.forget()
        return rows

    def fresh(self, what, subject, name):
        done = subprocess.run([self.program, what, subject, self.path(name)], check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    def extract(self):
        rows = []
        for size in SIZES:
            name = "prose-%s" % size
            [samples] = self.turns([("jsonheal extract", name)], 9)
            rows.append(summarise({"group": "extract", "size": size, "kind": "prose", "subject": "jsonheal extract",
                                   "bytes": os.path.getsize(self.path(name))}, samples))
        progress("extract")
        self.forget()
        return rows

    def small(self):
        """A tool call of 200 bytes."""
        subjects = [s for s in self.where if s not in (BASELINE, "RapidJSON", "nlohmann", "JSON.parse",
                                                       "jsonheal extract")]
        rows = []
        for subject in subjects:
            rows.append({"group": "small", "size": "200B", "kind": "tool_call", "subject": subject,
                         "bytes": os.path.getsize(self.path("tool_call")), **self.check(subject, "tool_call")})
        timed = [r for r in rows if r["answer"] in ("right", "wrong")]
        for row, own in zip(timed, self.turns([(r["subject"], "tool_call") for r in timed], 15)):
            summarise(row, own)
        progress("small")
        return rows

    def growth(self):
        rows = []
        for family in FAMILIES:
            names = ["family-%s-%s" % (family, size) for size in GROWTH_SIZES]
            samples = self.turns([("jsonheal", n) for n in names], 5)
            times = [statistics.median(x for x in s if x) for s in samples]
            steps = [math.log10(b / a) for a, b in zip(times, times[1:])]
            rows.append(summarise({"group": "growth", "kind": family, "subject": "jsonheal", "size": "1MB",
                                   "bytes": os.path.getsize(self.path(names[-1])), "times": times,
                                   "exponent": max(steps)}, samples[-1]))
            self.forget()
        progress("growth")
        return rows


def summarise(row, samples):
    taken = [s for s in samples if s]
    row["seconds"] = statistics.median(taken)
    row["fastest"], row["slowest"] = min(taken), max(taken)
    row["samples"] = len(taken)
    row["mb_per_s"] = row["bytes"] / row["seconds"] / 1e6
    return row


def progress(what):
    print("timed: " + what, file=sys.stderr, flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--quick", action="store_true")
    p.add_argument("--only", nargs="+", default=[], metavar="WORD")
    p.add_argument("--build", default=os.path.join(ROOT, "build", "bench"))
    p.add_argument("--worker", default=os.path.join(ROOT, "build", "release", "bin", "bench_worker"))
    a = p.parse_args()

    load = os.getloadavg()[0]  # by others: nothing of ours runs yet
    bench = Bench(a.build, a.worker, a.quick)
    try:
        rows = []
        for group in (bench.small, bench.sizes, bench.cold, bench.extract, bench.growth):
            if not a.only or any(word in group.__name__ for word in a.only):
                rows += group()
    finally:
        bench.close()
    results = {"date": datetime.date.today().isoformat(), "machine": machine(), "load": load, "quick": a.quick,
               "left_out": bench.left_out, "rows": rows}
    results["targets"] = judge(rows)
    with open(os.path.join(a.build, "results.json"), "w", encoding="utf-8") as f:
        json.dump(results, f, indent=1)
    text = table(results)
    with open(os.path.join(a.build, "table.txt"), "w", encoding="utf-8") as f:
        f.write(text)
    print(text)


if __name__ == "__main__":
    main()

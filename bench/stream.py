#!/usr/bin/env python3
"""Times streams beside incremental parsers of JavaScript, and says how far settled text trails the input.

    bench/stream.py [--rounds N] [--build DIR] [FILE...]

Every subject takes its turn in each round; a figure is the least processor time over the rounds, a ratio the median of the
ratios within a round. Peers read valid JSON only. FILEs are texts for the percentiles of delay besides those that are timed.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SMALL = "10KB"  # what those can bear that parse everything at every chunk
# (name, subject, text, chunk, least ratio of jsonriver and of @streamparser/json to it)
OURS = [("valid, 4-byte chunks", "text", "valid-1MB", 4, 25), ("single quotes, 4-byte chunks", "text", "single_quotes-1MB", 4, 15),
        ("lost commas, 4-byte chunks", "text", "missing_commas-1MB", 4, 15), ("valid, 1-byte chunks", "text", "valid-1MB", 1, None),
        ("valid, 64-byte chunks", "text", "valid-1MB", 64, None), ("valid, snapshots", "snapshots", "valid-1MB", 4, None),
        ("valid, events", "events", "valid-1MB", 4, None), ("valid, document", "document", "valid-1MB", 4, None),
        ("valid, 10 MB", "text", "valid-10MB", 4, None)]
PEERS = ["jsonriver", "streamparser", "streamparser whole"]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    words.add_argument("files", nargs="*")
    given = words.parse_args()
    folder = os.path.join(ROOT, "build", "bench", "stream")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(given.build, "bin", "bench_stream")
    inputs = os.path.join(folder, "inputs")
    subprocess.run([program, "--inputs", inputs], check=True)
    node = shutil.which("node") and shutil.which("npm")
    if node:
        for name in ("package.json", "package-lock.json", "stream.mjs"):
            shutil.copy(os.path.join(HERE, "peers", name), folder)
        if subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, stdout=subprocess.DEVNULL).returncode != 0:
            node = None
    if not node:
        print("the JavaScript libraries are left out: npm is missing or cannot install them")

    def peer(subject, text):
        return run("node", os.path.join(folder, "stream.mjs"), subject, os.path.join(inputs, text), "4")["seconds"]

    own, others = {row[0]: [] for row in OURS}, {name: [] for name in PEERS}
    for _ in range(given.rounds):
        for name, subject, text, chunk, _ in OURS:
            own[name].append(run(program, subject, os.path.join(inputs, text), str(chunk))["seconds"])
        for name in PEERS if node else []:
            others[name].append(peer(name, "valid-1MB"))
    good = True

    def line(name, seconds, note=""):
        print("%-34s %9.1f ms  %s" % (name, 1e3 * min(seconds), note))

    print("1 MB of valid JSON by the peers, and what jsonheal takes (processor time)")
    for name in PEERS if node else []:
        line(name, others[name])
    for name, _, _, _, least in OURS:
        note = ""
        for p in PEERS if node else []:
            ratio = statistics.median(b / a for a, b in zip(own[name], others[p]))
            note += "%s %.1fx  " % (p, ratio)
            if least and p != "streamparser whole" and ratio < least:
                good, note = False, note + "(wanted: %d) " % least
        line(name, own[name], note)
    base = min(own["valid, 4-byte chunks"])
    print("10 MB / 1 MB: %.1f (at most 11)   1 byte / 4 bytes: %.1f (at most 3)" %
          (min(own["valid, 10 MB"]) / base, min(own["valid, 1-byte chunks"]) / base))
    if node:
        print("%s of valid JSON, by those that parse it all at every chunk" % SMALL)
        line("jsonheal", [run(program, "text", os.path.join(inputs, "valid-" + SMALL), "4")["seconds"]])
        for name in ("partial-json", "ai"):
            line(name, [peer(name, "valid-" + SMALL)])
    print("bytes by which settled text trails the input, 4-byte chunks")
    texts = [os.path.join(inputs, t + "-100KB") for t in ("valid", "single_quotes", "missing_commas", "comments")]
    for what, files in [(os.path.basename(t), [t]) for t in texts] + ([("the files given", given.files)] if given.files else []):
        print("%-34s %s" % (what, "  ".join("%s %d" % kv for kv in run(program, "--delay", *files).items())))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

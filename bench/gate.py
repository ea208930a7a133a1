#!/usr/bin/env python3
"""Fails if this tree is slower than another commit beyond noise.

    bench/gate.py BASE [--pairs N] [--rounds N] [--build DIR]

Builds the library of BASE (a git worktree) and of this tree, each under the same worker, and times the core rows of
both by turns. What is timed is processor time. A row fails if its ratio new / base is above the allowed one with the confidence that gate_statistics.py states; exit code 1 then.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import gate_statistics
from report import grid
from workers import HERE, ROOT, Worker

# subject, text
ROWS = [("jsonheal", "valid-1KB"), ("jsonheal", "valid-100KB"), ("jsonheal", "single_quotes-1KB"),
        ("jsonheal", "single_quotes-100KB"), ("jsonheal", "unquoted_keys-100KB"), ("jsonheal", "comments-1KB"),
        ("jsonheal", "missing_commas-100KB"), ("jsonheal", "unescaped_quotes-100KB"),
        ("jsonheal", "python_literals-100KB"), ("jsonheal extract", "prose-100KB")]
SAMPLE = 0.004


def build(tree, folder):
    """The worker over the library of a tree."""
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    subprocess.run(["cmake", "-S", os.path.join(HERE, "gate"), "-B", folder, "-G", "Ninja", "-DJSONHEAL_TREE=" + tree,
                    "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG"], **quiet)
    subprocess.run(["cmake", "--build", folder, "--target", "bench_worker"], **quiet)
    return os.path.join(folder, "bench_worker")


def worktree(commit, folder):
    """A checkout of the commit at FOLDER, made or moved there."""
    wanted = git("rev-parse", "--verify", commit + "^{commit}")
    if os.path.exists(os.path.join(folder, ".git")):
        git("-C", folder, "checkout", "--quiet", "--detach", "--force", wanted)
    else:
        git("worktree", "prune")
        git("worktree", "add", "--quiet", "--force", "--detach", folder, wanted)
    return wanted


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def time_pair(programs, inputs, rounds):
    """Samples of one start of each program: row → ([first...], [second...]).

    Each start is of a fresh copy: where the pages of a file lie in memory decides what they push out of the caches,
    so the same bytes in two files can differ by 5 % in every start of either.
    """
    folder = tempfile.mkdtemp(prefix="pair-", dir=os.path.dirname(inputs))
    copies = [shutil.copy(p, os.path.join(folder, str(i))) for i, p in enumerate(programs)]
    workers = [Worker([c]) for c in copies]
    try:
        samples = {row: ([], []) for row in ROWS}
        for r in range(rounds + 1):
            for row in ROWS:
                order = (0, 1) if r % 2 == 0 else (1, 0)
                for i in order:
                    took = workers[i].ask("time", row[0], os.path.join(inputs, row[1]), SAMPLE)["seconds"]
                    if r > 0:  # the first round warms up
                        samples[row][i].append(took)
        return samples
    finally:
        for w in workers:
            w.close()
        shutil.rmtree(folder)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("base")
    p.add_argument("--pairs", type=int, default=15)
    p.add_argument("--rounds", type=int, default=8)
    p.add_argument("--build", default=os.path.join(ROOT, "build", "gate"))
    a = p.parse_args()

    os.makedirs(a.build, exist_ok=True)
    tree = os.path.join(a.build, "base")
    base = worktree(a.base, tree)
    programs = [build(ROOT, os.path.join(a.build, "new-build")), build(tree, os.path.join(a.build, "base-build"))]
    inputs = os.path.join(a.build, "inputs")
    subprocess.run([programs[0], "--inputs", inputs], check=True)

    ratios = {row: [] for row in ROWS}
    for pair in range(a.pairs):
        # Which is started first changes, too.
        swapped = pair % 2 == 1
        samples = time_pair(programs[::-1] if swapped else programs, inputs, a.rounds)
        for row, (first, second) in samples.items():
            new, old = (second, first) if swapped else (first, second)
            ratios[row].append(gate_statistics.pair_ratio(new, old))
    verdicts = gate_statistics.judge({"%s, %s" % row: r for row, r in ratios.items()})
    print("this tree beside %s: processor time, new / base; a row is slower if its lower bound is above %g"
          % (base[:12], gate_statistics.ALLOWED))
    print(grid(["row", "ratio", "lower bound", ""],
               [[v["name"], "%.3f" % v["ratio"], "%.3f" % v["bound"], "SLOWER" if v["slower"] else ""]
                for v in verdicts]))
    slower = sum(v["slower"] for v in verdicts)
    print("slower in %d rows" % slower if slower else "no row is slower")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plays the shell sessions of a Markdown page: blocks without a language that begin with "$ ".

"$ cat FILE" makes FILE with the lines below it; every other command must print the lines below it. Blank lines between
commands do not count. The commands find the tool named by the variable JSONHEAL as `jsonheal`.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def sessions(page):
    for block in re.findall(r"^```\n(\$ .*?)^```$", page, re.M | re.S):
        yield [part.partition("\n")[::2] for part in re.split(r"^\$ ", block, flags=re.M)[1:]]


def play(session, folder, environment):
    """The commands that printed something else than the page says."""
    for command, text in session:
        text = text.rstrip("\n")
        if command.startswith("cat "):
            (folder / command.removeprefix("cat ")).write_text(text + "\n", encoding="utf-8")
            continue
        # A non-zero exit code may be part of the example (3: the text was cut off).
        run = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
        if run.stdout.rstrip("\n") != text:
            yield f"$ {command}\nwanted:\n{text}\nprinted:\n{run.stdout}{run.stderr}"


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    found = list(sessions(page))
    faults = [] if found else ["no session in " + sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        tool = pathlib.Path(os.environ["JSONHEAL"]).parent
        environment = {**os.environ, "PATH": f"{tool}:{os.environ['PATH']}"}
        for session in found:
            faults += play(session, pathlib.Path(folder), environment)
    print("\n".join(faults) if faults else f"{len(found)} sessions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

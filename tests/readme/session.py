#!/usr/bin/env python3
"""Plays the shell sessions of Markdown pages: blocks of the language console, or of none, that begin with "$ ".

usage: session.py [--write] PAGE...

"$ cat FILE" makes FILE with the lines below it if there is none yet; every other command must print the lines below it. Blank
lines between commands do not count. The commands of a page share a folder and find the tool named by the variable JSONHEAL as
`jsonheal`. --write puts what is printed now into the page: look at every difference before you keep it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pages


def parts(block):
    """[(command, the lines below it)]; a command goes on where its line ends with a backslash."""
    return [re.match(r"((?:.*\\\n)*.*)\n?((?s:.*))", part).groups() for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]]


def play(command, text, folder, environment):
    """What the page should say below the command."""
    name = command.removeprefix("cat ")
    if command != name and "/" not in name and not (folder / name).exists():
        (folder / name).write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        return text
    # A non-zero exit code may be part of the example (3: the text was cut off).
    run = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    return run.stdout


def play_page(path, write):
    page = pages.read(path)
    sessions = [b for b in pages.blocks(page) if b.language in ("", "console") and b.text.startswith("$ ")]
    tool = pathlib.Path(os.environ["JSONHEAL"]).resolve().parent
    environment = {**os.environ, "PATH": f"{tool}:{os.environ['PATH']}", "COLUMNS": "80"}
    faults, edits = [], []
    with tempfile.TemporaryDirectory() as folder:
        for block in sessions:
            said = []
            for command, text in parts(block):
                printed = play(command, text, pathlib.Path(folder), environment)
                if printed.rstrip("\n") != text.rstrip("\n"):
                    faults.append(f"{path}:{block.line}: $ {command}\nwanted:\n{text}\nprinted:\n{printed}")
                said.append(f"$ {command}\n" + (printed.rstrip("\n") + "\n" if printed.strip() else ""))
            edits.append((block.begin, block.end, ("\n" if "\n\n$ " in block.text else "").join(said)))
    if write:
        for begin, end, text in reversed(edits):
            page = page[:begin] + text + page[end:]
        pathlib.Path(path).write_text(page, encoding="utf-8")
        return [], len(sessions)
    return faults, len(sessions)


def main():
    write = sys.argv[1] == "--write"
    faults, count = [], 0
    for path in sys.argv[1 + write :]:
        found, sessions = play_page(path, write)
        faults += found
        count += sessions
    if count == 0:
        faults.append("no session in " + " ".join(sys.argv[1:]))
    print("\n".join(faults) if faults else f"{count} sessions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

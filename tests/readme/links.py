#!/usr/bin/env python3
"""Fails if a Markdown page links to a file or a heading of this repository that is not there.

usage: links.py PAGE...     (in the root of the sources)
"""
import pathlib
import re
import sys

import pages


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", pages.read(path), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def faults(path):
    text = re.sub(r"^(`{3,}).*?^\1$", "", pages.read(path), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = pathlib.Path(path).parent / file if file else pathlib.Path(path)
        if not there.exists():
            yield f"{path}: {target} is not there"
        elif anchor and anchor not in anchors(there):
            yield f"{path}: {target} has no such heading"


def main():
    found = [fault for path in sys.argv[1:] for fault in faults(path)]
    print("\n".join(found) if found else f"{len(sys.argv) - 1} pages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Fails if a module includes what its CMakeLists.txt does not name.

usage: check_layers.py BUILD/modules.txt     (lines of "module: dependency ..."; run in the root of the sources)

- <jsonheal/x.hpp> must belong to the module itself or to one that it uses, directly or not;
- "x.hpp" must be a file of the module's own folder.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
OWNERS = {"rules.def": "edits", "quotes.hpp": "unicode"}  # headers that are not named after their module


def read_modules(path):
    uses = {}
    for line in pathlib.Path(path).read_text().splitlines():
        name, _, rest = line.partition(":")
        direct = rest.split()
        uses[name] = set(direct).union(*(uses[d] for d in direct)) | {name}
    return uses


def module_of(header, modules):
    """The module that a public header belongs to: <module>.hpp or <module>_<part>.hpp."""
    if header in OWNERS:
        return OWNERS[header]
    stem = header.removesuffix(".hpp").removesuffix(".h")
    while stem and stem not in modules:
        stem = stem.rpartition("_")[0]
    return stem


def is_own(name, target):
    return "/" not in target and pathlib.Path("src", name, target).is_file()


def faults_of(path, name, uses):
    for bracket, target in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if target.startswith("jsonheal/"):
            used = module_of(target.removeprefix("jsonheal/"), uses)
            if used not in uses[name]:
                yield f"{path}: {name} may not include <{target}>"
        elif bracket == '"' and not is_own(name, target):
            yield f'{path}: "{target}" is not a file of src/{name}'


def main():
    uses = read_modules(sys.argv[1])
    faults = []
    for path in sorted(pathlib.Path("include/jsonheal").glob("*.h*")):
        name = module_of(path.name, uses)
        if name:  # the umbrella header belongs to none and may include all
            faults += faults_of(path, name, uses)
    for name in uses:
        for path in sorted(pathlib.Path("src", name).glob("**/*.[hc]pp")):
            faults += faults_of(path, name, uses)
    print("\n".join(faults) if faults else f"{len(uses)} modules in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

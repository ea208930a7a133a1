#!/usr/bin/env python3
"""Compiles and runs the C++ of Markdown pages.

usage: programs.py [--write] LIBRARY COMPILER [FLAG...] -- PAGE...     (in the root of the sources)

Each block of the language cpp is a program, unless the line before it says that a test of its own compiles it. If it has no main(), all behind its includes is put into one. What it prints must be
the block of the language text that follows it directly, if there is one; else it must print nothing. --write puts what is printed
now into that block: look at every difference before you keep it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import pages

ELSEWHERE = re.compile(r"<!-- compiled and run by [^>]* -->\n```cpp\n\Z")
LINKED = ("-lre2", "-lpcre2-8")  # what the library asks of its user
GAP = re.compile(r"\s*(?:(?:It p|P)rints:)?\s*\Z")


def whole_program(text):
    if re.search(r"^int main\(", text, re.M):
        return text
    includes = "".join(line for line in text.splitlines(True) if line.startswith("#include"))
    rest = "".join(line for line in text.splitlines(True) if not line.startswith("#include"))
    return f"{includes}int main() {{\n{rest}}}\n"


def programs(path):
    """(block, source, the block of what it prints)"""
    page = pages.read(path)
    found = pages.blocks(page)
    for i, block in enumerate(found):
        if block.language != "cpp" or ELSEWHERE.search(page[: block.begin]):
            continue
        following = found[i + 1] if i + 1 < len(found) else None
        # Between the fences there is nothing but perhaps "Prints:".
        direct = following and following.language == "text" and GAP.match(page[block.end + 3 : following.begin - len("```text\n")])
        yield block, whole_program(block.text), following if direct else pages.Block("", "", 0, 0, 0)


def main():
    write = sys.argv[1] == "--write"
    split = sys.argv.index("--")
    library, *compiler = sys.argv[1 + write : split]
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "page.cpp"), pathlib.Path(folder, "page")
        for path in sys.argv[split + 1 :]:
            for block, text, wanted in reversed(list(programs(path))):
                count += 1
                source.write_text(text, encoding="utf-8")
                command = [*compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-UNDEBUG", "-Iinclude", str(source), library, *LINKED, "-o", str(program)]
                built = subprocess.run(command, capture_output=True, text=True)
                if built.returncode != 0:
                    faults.append(f"{path}:{block.line}: does not compile\n{built.stderr}")
                    continue
                run = subprocess.run([str(program)], capture_output=True, text=True, timeout=30)
                if write and wanted.end:
                    page = pages.read(path)
                    pathlib.Path(path).write_text(page[: wanted.begin] + run.stdout + page[wanted.end :], encoding="utf-8")
                elif run.returncode != 0 or run.stdout != wanted.text:
                    faults.append(f"{path}:{block.line}: exit code {run.returncode}\nwanted:\n{wanted.text}\nprinted:\n{run.stdout}{run.stderr}")
    if count == 0:
        faults.append("no program in the pages")
    print("\n".join(faults) if faults else f"{count} programs")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

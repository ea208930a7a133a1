#!/usr/bin/env python3
"""Fails if a module calls what only `net` and the apps may: printing, ending the process, clocks, threads, environment;
or if a scan kernel has functions that the linker may take in place of those of other files: they need its processor.

usage: check_symbols.py BUILD        (looks at BUILD/src/*/libjsonheal_*.a of a release build)
"""
import pathlib
import re
import subprocess
import sys

EXEMPT = {"net"}
KERNELS = {"sse42.cpp.o", "avx2.cpp.o", "avx512.cpp.o", "neon.cpp.o"}
FORBIDDEN = re.compile(
    r"^(abort|exit|_exit|quick_exit|v?f?printf|__v?f?printf_chk|puts|fputs|putchar|fwrite|perror|fopen|open|read|write|"
    r"getenv|secure_getenv|setenv|time|clock|clock_gettime|gettimeofday|rand|srand|setlocale|socket|connect|"
    r"pthread_create|std::c(out|err|in|log)|std::chrono::.*::now\(\)|std::thread::.*|std::random_device::.*)$"
)


def weak_functions(archive):
    listing = subprocess.run(["nm", "-C", "--defined-only", "-A", archive], check=True, capture_output=True, text=True)
    faults = 0
    for line in listing.stdout.splitlines():
        _, member, symbol = line.split(":", 2)
        if member in KERNELS and symbol.split()[1] == "W":
            print(f"{member} has the weak function {symbol.split(' W ')[1]}")
            faults += 1
    return faults


def main():
    archives = sorted(pathlib.Path(sys.argv[1], "src").glob("*/libjsonheal_*.a"))
    if not archives:
        print("no module archives in " + sys.argv[1])
        return 1
    faults = 0
    for archive in archives:
        if archive.stem.removeprefix("libjsonheal_") in EXEMPT:
            continue
        listing = subprocess.run(["nm", "-C", "--undefined-only", archive], check=True, capture_output=True, text=True)
        for line in listing.stdout.splitlines():
            name = line.strip().removeprefix("U ").partition("@")[0]
            if FORBIDDEN.match(name):
                print(f"{archive.name} calls {name}")
                faults += 1
        if archive.stem == "libjsonheal_scan":
            faults += weak_functions(archive)
    print(f"{len(archives)} archives looked at")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

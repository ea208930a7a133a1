#!/bin/sh
# Installs what building needs and is missing (Debian 12 or later, Ubuntu 22.04 or later). Says nothing if
# nothing is missing.
#
#   tools/setup.sh [bench|fuzz|format|tidy|coverage|neon]...     what the build needs, and what those verbs need besides
set -eu

packages="g++ cmake ninja-build libgtest-dev libgmock-dev libsimdjson-dev libcli11-dev libfmt-dev libre2-dev libpcre2-dev libboost1.81-dev libssl-dev zlib1g-dev libyaml-cpp-dev libhiredis-dev json-schema-test-suite python3 pkg-config"
for verb in "$@"; do
    case $verb in
        bench) packages="$packages rapidjson-dev nlohmann-json3-dev libbenchmark-dev" ;;
        fuzz) packages="$packages clang" ;;
        format) packages="$packages clang-format" ;;
        tidy) packages="$packages clang clang-tidy" ;;
        neon) packages="$packages g++-aarch64-linux-gnu qemu-user googletest" ;;
        coverage) packages="$packages gcovr" ;;
        *) echo "setup: unknown word '$verb'" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    # Not a Debian: look for the commands only, and let cmake name a missing library.
    for command in cmake ninja python3 pkg-config; do
        command -v $command >/dev/null 2>&1 || { echo "setup: '$command' is missing; the Debian packages are: $packages" >&2; exit 1; }
    done
    exit 0
fi

missing=
for package in $packages; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        *"ok installed") ;;
        *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: these packages are missing, and installing them needs root: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi

echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
if ! { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    echo "setup: apt-get could not install$missing" >&2
    exit 1
fi

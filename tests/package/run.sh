#!/bin/sh
# Installs the build to a temporary folder, moves that folder, and builds a consumer with find_package and with
# pkg-config; then lets the consumer add the sources as a subfolder and checks that it gets the library only.
#
# usage: run.sh BUILD CMAKE CXX      (in the root of the sources)
set -eu
build=$1 cmake=$2 cxx=$3
consumer=$PWD/tests/package/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "-- install"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/installed"
for header in include/jsonheal/*; do
    case $header in */net.hpp | */net_*.hpp) continue ;; esac # a library apart, with packages of its own
    test -f "$work/installed/$header" || { echo "$header is not installed"; exit 1; }
done
if [ -x "$build/bin/jsonheal" ]; then
    for file in bin/jsonheal share/man/man1/jsonheal.1 share/bash-completion/completions/jsonheal \
        share/zsh/site-functions/_jsonheal share/fish/vendor_completions.d/jsonheal.fish; do
        test -s "$work/installed/$file" || { echo "$file is not installed"; exit 1; }
    done
fi

echo "-- find_package"
"$cmake" -G Ninja -S "$consumer" -B "$work/found" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$work/installed" >/dev/null
"$cmake" --build "$work/found" >/dev/null
"$work/found/consumer"

echo "-- pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$work/installed" -name jsonheal.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
"$cxx" -std=c++20 "$consumer/main.cpp" $(pkg-config --cflags --libs jsonheal) -o "$work/by_pkg_config"
"$work/by_pkg_config"

echo "-- add_subdirectory"
"$cmake" -G Ninja -S "$consumer" -B "$work/added" -DCMAKE_CXX_COMPILER="$cxx" -DJSONHEAL_SOURCES="$PWD" >/dev/null

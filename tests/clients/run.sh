#!/bin/sh
# Runs the suites of the clients; skipped (exit code 77) where they are not installed: `make clients` does that.
cd "$(dirname "$0")"
if [ ! -d node_modules ]; then
    echo "the clients are not installed; make clients installs them"
    exit 77
fi
exec node --test --test-reporter=spec ./*.test.mjs

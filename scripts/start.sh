#!/bin/sh
# `npm start`: installs and builds what is missing, then this shell becomes the server. Nothing of the start stays in
# memory, and a signal to npm, which passes it to this process, reaches the server itself.
cd "$(dirname "$0")/.." || exit 1
line=$(node scripts/bootstrap.mjs line start) || exit 1
eval "exec $line"

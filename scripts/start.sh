#!/bin/sh
# `npm start`: installs and builds what is missing, then replaces this shell with the server (`exec`), which frees the
# shell's memory and lets signals from npm reach the server.
cd "$(dirname "$0")/.." || exit 1
line=$(node scripts/bootstrap.mjs line start) || exit 1
eval "exec $line"

#!/bin/sh
# `npm start`: installs and builds what is missing, then `exec` replaces this shell by the server. So nothing of the
# start stays in memory, and signals that npm passes to this process reach the server.
cd "$(dirname "$0")/.." || exit 1
line=$(node scripts/bootstrap.mjs line start) || exit 1
eval "exec $line"

#!/bin/sh
# Volumes of some hosts belong to root. If started as root, gives them to the server's user and continues as that user.
set -e
if [ "$(id -u)" = 0 ]; then
  for folder in "$DATA_DIR" "${BACKUP_DIR:-$DATA_DIR}"; do
    mkdir -p -m 0700 "$folder"
    find "$folder" ! -user common-ink -exec chown --no-dereference common-ink: {} +
  done
  exec setpriv --reuid=common-ink --regid=common-ink --init-groups -- "$@"
fi
exec "$@"

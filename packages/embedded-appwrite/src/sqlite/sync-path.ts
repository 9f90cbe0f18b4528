import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs a file, or a folder's entries, to disk. */
export function syncPath(path: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

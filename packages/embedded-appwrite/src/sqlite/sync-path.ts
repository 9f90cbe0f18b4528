import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Brings a file, or a folder's list of names, to disk. */
export function syncPath(path: string): void {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Caches files between runs of `--watch`, so that each run reads only changed files. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '#transfer/markdown/sources.ts';

export type SourceCache = ReturnType<typeof createSourceCache>;

/** A file may change twice with the same timestamp, because FAT stores times in steps of two seconds. */
const RESOLUTION_MS = 2000;

export function createSourceCache(directory: string) {
  let sources = new Map<string, Source>();
  /** The state of each file (inode, size and times) before it was read. */
  let stamps = new Map<string, string>();
  const fresh = new Map<string, string>();
  return {
    /** Returns the cached file if it has not changed since it was read. */
    known(path: string): Source | undefined {
      // Includes `ctime`, because programs can set `mtime` back.
      const found = statSync(join(directory, path), { throwIfNoEntry: false });
      if (!found) return undefined;
      const { ino, size, mtimeMs, ctimeMs } = found;
      const stamp = [ino, size, mtimeMs, ctimeMs].join();
      if (Math.abs(Date.now() - ctimeMs) > RESOLUTION_MS) fresh.set(path, stamp);
      return stamps.get(path) === stamp ? sources.get(path) : undefined;
    },
    /** Caches the files. In each run, call this with all files once they have been read. */
    remember(read: readonly Source[]): void {
      sources = new Map(read.map((source) => [source.path, source]));
      stamps = new Map(fresh);
      fresh.clear();
    },
  };
}

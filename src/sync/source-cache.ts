/** Keeps the files that were read between the runs of `--watch`, so that a run reads only changed ones. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '#transfer/markdown/sources.ts';

export type SourceCache = ReturnType<typeof createSourceCache>;

/** A file that changes twice within the resolution of its times looks unchanged: FAT counts in two seconds. */
const RESOLUTION_MS = 2000;

export function createSourceCache(directory: string) {
  let sources = new Map<string, Source>();
  /** Identify the state of each file before it was read. */
  let stamps = new Map<string, string>();
  const fresh = new Map<string, string>();
  return {
    /** Returns a file as it was read, if it has not changed since. */
    known(path: string): Source | undefined {
      // Programs can set back `mtime`, but not `ctime`.
      const { ino, size, mtimeMs, ctimeMs } = statSync(join(directory, path));
      const stamp = [ino, size, mtimeMs, ctimeMs].join();
      if (Math.abs(Date.now() - ctimeMs) > RESOLUTION_MS) fresh.set(path, stamp);
      return stamps.get(path) === stamp ? sources.get(path) : undefined;
    },
    /** Call it with all files after each run. */
    remember(read: readonly Source[]): void {
      sources = new Map(read.map((source) => [source.path, source]));
      stamps = new Map(fresh);
      fresh.clear();
    },
  };
}

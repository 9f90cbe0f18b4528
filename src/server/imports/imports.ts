import { createHash, type Hash, randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@common-ink/http/log.ts';
import type { Imports } from '#api/locals.ts';
import { DomainError } from '#blog/errors.ts';
import { IMPORT_ENTRIES, IMPORT_MAX, type ImportCounts, type ImportEntry, type ImportState } from '#blog/import.ts';
import { type ImportMessage, type ImportProcess, runImport } from './import-process.ts';

/** Milliseconds without activity after which another user's upload may replace this one. */
const ABANDONED = 60_000;
/** Milliseconds without activity after which an import's file is removed. */
const FORGOTTEN = 3_600_000;
/** Begins with a dot, so that backups leave the folder out. */
const FOLDER = '.import';

const NO_COUNTS: ImportCounts = { taken: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, pictures: 0, lossy: 0 };
const NONE: ImportState = {
  phase: 'none',
  id: '',
  name: '',
  size: 0,
  received: 0,
  options: { keepsAuthors: false, oldSite: '' },
  done: 0,
  all: 0,
  counts: NO_COUNTS,
  entries: [],
  isCancelled: false,
  reason: '',
};

interface Upload {
  readonly userId: string;
  readonly file: string;
  readonly handle: FileHandle;
  readonly hash: Hash;
  digest: string;
  isAppending: boolean;
  touchedAt: number;
}

export interface ImportsOptions {
  readonly dataDirectory: string;
  readonly script: string;
  readonly hasRoom: () => boolean;
  readonly log: Log;
}

/** Opens imports, and removes uploads left by an earlier server. Returns undefined if the import script is missing. */
export function openImports(given: ImportsOptions): (Imports & { close(): Promise<void> }) | undefined {
  const folder = join(given.dataDirectory, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  if (!existsSync(given.script)) return undefined;
  const report = join(folder, 'report.txt');
  let state = NONE;
  let upload: Upload | undefined;
  let running: ImportProcess | undefined;
  let isClosed = false;
  let forgetting: NodeJS.Timeout | undefined;

  const ofId = (id: string, userId: string): Upload => {
    if (upload?.userId !== userId || state.id !== id) throw new DomainError('gone');
    return upload;
  };

  function forgetLater(): void {
    clearTimeout(forgetting);
    forgetting = setTimeout(() => running ?? void clear(), FORGOTTEN).unref();
  }

  async function clear(): Promise<void> {
    clearTimeout(forgetting);
    const former = upload;
    upload = undefined;
    state = NONE;
    await former?.handle.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }

  const isFree = (userId: string): boolean =>
    !running &&
    (state.phase !== 'uploading' ||
      (upload !== undefined && (upload.userId === userId || Date.now() - upload.touchedAt > ABANDONED)));

  function note({ done, all, entry: { pictures = 0, ...entry } }: ImportMessage): void {
    const { counts, entries } = state;
    const isLossy = entry.losses !== undefined && entry.losses.length > 0;
    const isWorthSaying =
      isLossy || entry.outcome === 'failed' || entry.outcome === 'skipped' || entry.notes.length > 0;
    state = {
      ...state,
      done,
      all,
      counts: {
        ...counts,
        [entry.outcome]: counts[entry.outcome] + 1,
        pictures: counts.pictures + pictures,
        lossy: counts.lossy + (isLossy ? 1 : 0),
      },
      entries: isWorthSaying ? withEntry(entries, entry) : entries,
    };
  }

  return {
    state: (userId) => (upload?.userId !== userId ? NONE : running ? { ...state, entries: [] } : state),

    async report(id, userId) {
      ofId(id, userId);
      const text = await readFile(report, 'utf8').catch(() => '');
      return withoutPath(text, folder);
    },

    async begin({ name, size }, userId) {
      if (size > IMPORT_MAX) throw new DomainError('too-large');
      if (isClosed || !isFree(userId)) throw new DomainError('busy');
      const id = randomBytes(16).toString('hex');
      await clear();
      if (state.phase !== 'none' || running) throw new DomainError('busy');
      // Set before the folder is created, so that a concurrent call fails with `busy`.
      state = { ...NONE, phase: 'uploading', id, name, size };
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const { bavail, bsize } = await statfs(folder);
        // The unpacked zip file and the posts need space as well.
        if (!given.hasRoom() || bavail * bsize < size * 2) throw new DomainError('no-room');
        const file = join(folder, safeName(name));
        const handle = await open(file, 'wx', 0o600);
        const hash = createHash('sha256');
        upload = { userId, file, handle, hash, digest: '', isAppending: false, touchedAt: Date.now() };
      } catch (error) {
        await clear();
        throw error;
      }
    },

    async append(id, offset, bytes, userId) {
      const current = ofId(id, userId);
      if (state.phase !== 'uploading' || current.isAppending) throw new DomainError('busy');
      const received = offset + bytes.length;
      if (offset !== state.received || received > state.size) throw new DomainError('wrong-offset');
      current.isAppending = true;
      try {
        const { bytesWritten } = await current.handle.write(bytes, 0, bytes.length, offset);
        if (bytesWritten < bytes.length) throw new Error('Only part of it could be written to disk.');
      } catch (error) {
        given.log('warn', 'An uploaded export could not be stored.', error);
        throw new DomainError(upload === current ? 'no-room' : 'gone');
      } finally {
        current.isAppending = false;
      }
      current.hash.update(bytes);
      current.touchedAt = Date.now();
      if (upload === current) state = { ...state, received };
      forgetLater();
    },

    start({ id, isDryRun, keepsAuthors, oldSite }, userId) {
      const current = ofId(id, userId);
      if (running || isClosed) throw new DomainError('busy');
      if (state.phase === 'imported' && !state.isCancelled) throw new DomainError('gone');
      if (state.received !== state.size) throw new DomainError('wrong-offset');
      current.digest ||= current.hash.digest('hex');
      const { name, size, received } = state;
      const options = { keepsAuthors, oldSite };
      state = { ...NONE, phase: isDryRun ? 'looking' : 'importing', id, name, size, received, options };
      // Identifies the source by its hash, so that an export naming no blog cannot overwrite another export's posts.
      const parameters = [current.file, '--source', `upload ${current.digest}`];
      if (!keepsAuthors) parameters.push('--author', userId);
      if (oldSite) parameters.push('--old-site', oldSite);
      if (isDryRun) parameters.push('--dry-run');
      const mine = runImport({ script: given.script, parameters, report, onMessage: note });
      running = mine;
      void mine.ended
        .catch((error: unknown) => (error as Error).message)
        .then((reason) => {
          if (running !== mine) return;
          running = undefined;
          forgetLater();
          if (!reason && !isDryRun && !state.isCancelled) void rm(current.file, { force: true });
          state = reason
            ? { ...state, phase: 'failed', reason: withoutPath(reason, folder) }
            : { ...state, phase: isDryRun ? 'looked' : 'imported' };
        });
    },

    async cancel(id, userId) {
      ofId(id, userId);
      if (!running) return clear();
      const isDryRun = state.phase === 'looking';
      state = { ...state, isCancelled: true };
      running.cancel();
      await running.ended.catch(() => undefined);
      if (isDryRun) await clear();
    },

    async close() {
      isClosed = true;
      running?.cancel();
      await running?.ended.catch(() => undefined);
      await clear();
    },
  };
}

const rankOf = ({ outcome, losses = [] }: ImportEntry): number =>
  outcome === 'failed' ? 0 : losses.length > 0 ? 1 : outcome === 'skipped' ? 2 : 3;

/** Inserts an entry in order, worst first, and drops the least severe entries beyond the limit. */
function withEntry(entries: readonly ImportEntry[], entry: ImportEntry): readonly ImportEntry[] {
  const at = entries.findIndex((each) => rankOf(each) > rankOf(entry));
  return entries.toSpliced(at < 0 ? entries.length : at, 0, entry).slice(0, IMPORT_ENTRIES);
}

/** Removes the path of the server's folder from text shown to the owner. */
const withoutPath = (text: string, folder: string): string => text.replaceAll(`${folder}/`, '');

/** Returns a safe file name that keeps the extension, from which the format is detected. */
const safeName = (name: string): string =>
  name
    .replace(/^.*[/\\]/, '')
    .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replace(/^[.\s-]+/, '')
    .slice(-100) || 'export';

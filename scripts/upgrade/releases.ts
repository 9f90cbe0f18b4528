import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockHash } from '../lock-hash.mjs';
import { folderOf, git, isAtWork, type Journal, readJournal, upgradeFolder, writeJournal } from './places.mjs';

export const ROOT = join(import.meta.dirname, '..', '..');

export const commitOf = (name: string): string => git(ROOT, 'rev-parse', '--verify', `${name}^{commit}`);

/** @throws Error if tracked files have changes, which an upgrade would lose */
export function requireUnchanged(): void {
  const changed = git(ROOT, 'status', '--porcelain', '--untracked-files=no');
  if (changed) throw new Error(`These files were changed by hand. Commit or undo the changes first:\n${changed}`);
}

/** @throws Error if another upgrade is running */
export function requireAlone(): void {
  const journal = readJournal(ROOT);
  if (journal && journal.state !== 'done' && journal.pid !== process.pid && isAtWork(journal))
    throw new Error(`Another upgrade (pid ${journal.pid}) is running.`);
}

/** Installs and builds commit `to` inside this checkout, or reuses an earlier build. @throws Error if that fails */
export function prepareRelease(to: string, known: number): Journal {
  const from = commitOf('HEAD');
  const made = readJournal(ROOT);
  if (made?.state === 'prepared' && made.from === from && made.to === to) {
    const journal: Journal = { ...made, known, pid: process.pid };
    writeJournal(ROOT, journal);
    return journal;
  }
  discardReleases();
  // Uses new folders with a new stamp, because processes of a killed upgrade may still write into the old ones.
  const journal: Journal = {
    state: 'preparing',
    from,
    to,
    stamp: Date.now().toString(36),
    files: git(ROOT, 'diff', '--name-only', '--no-renames', '-z', from, to).split('\0').filter(Boolean),
    known,
    pid: process.pid,
  };
  writeJournal(ROOT, journal);
  copyFileSync(join(import.meta.dirname, 'places.mjs'), join(upgradeFolder(ROOT), 'places.mjs'));
  git(ROOT, 'worktree', 'add', '--detach', folderOf(ROOT, journal, 'from'), from);
  const folder = folderOf(ROOT, journal, 'to');
  git(ROOT, 'worktree', 'add', '--detach', folder, to);
  linkPackages(folder);
  const how = { cwd: folder, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'build'], how);
  if (status !== 0) throw new Error(`The new release could not be built.\n${`${stdout}${stderr}`.slice(-2000).trim()}`);
  const prepared: Journal = { ...journal, state: 'prepared' };
  writeJournal(ROOT, prepared);
  return prepared;
}

function linkPackages(folder: string): void {
  const modules = join(ROOT, 'node_modules');
  if (lockHash(ROOT) !== lockHash(folder) || !existsSync(modules)) return;
  const isLinked = spawnSync('cp', ['-al', modules, join(folder, 'node_modules')]).status === 0;
  rmSync(join(folder, 'node_modules', isLinked ? '.cache' : ''), { recursive: true, force: true });
}

export function discardReleases(): void {
  rmSync(upgradeFolder(ROOT), { recursive: true, force: true, maxRetries: 3 });
  spawnSync('git', ['worktree', 'prune'], { cwd: ROOT, stdio: 'ignore' });
}

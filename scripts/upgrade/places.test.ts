/** Swaps two releases of a checkout; `tests/faults/upgrade.test.ts` covers interrupted upgrades. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ownFolder } from '../../tests/support/folder.ts';
import { folderOf, type Journal, placeRelease, settleUpgrade, writeJournal } from './places.mjs';

/** No process has this id. */
const ENDED = 2 ** 30;
let root: string;
/** Journal of an upgrade about to replace the current release. */
let journal: Journal;
beforeEach(() => {
  root = ownFolder();
  git('init', '-q');
  const from = commitRelease(['stays.txt', 'former/below/file.txt']);
  const to = commitRelease(['stays.txt', 'new/below/file.txt']);
  git('reset', '-q', '--hard', from);
  const files = git('diff', '--name-only', '--no-renames', from, to).split('\n');
  journal = { state: 'changing', from, to, stamp: 'now', files, known: 1, pid: ENDED };
  for (const which of ['from', 'to'] as const)
    git('worktree', 'add', '-q', '--detach', folderOf(root, journal, which), journal[which]);
});

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim();

/** Commits and checks out a release that contains only these files. */
function commitRelease(files: readonly string[]): string {
  for (const file of globSync('*', { cwd: root })) rmSync(join(root, file), { recursive: true });
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), file);
  }
  git('add', '--all');
  git('commit', '-qm', 'A release');
  return git('rev-parse', 'HEAD');
}

const differences = () => git('status', '--porcelain', '--', '.', ':!.upgrade');
const folders = () => globSync('*/**/', { cwd: root, exclude: ['.git', '.upgrade'] }).sort();

test('folders come and go with the release that has them', () => {
  placeRelease(root, journal, 'to');
  expect([git('rev-parse', 'HEAD'), differences(), folders()]).toEqual([journal.to, '', ['new', 'new/below']]);
  placeRelease(root, journal, 'from');
  expect([git('rev-parse', 'HEAD'), differences(), folders()]).toEqual([journal.from, '', ['former', 'former/below']]);
});

test('a way back that was cut off is finished by the next command, also where a folder goes', async () => {
  placeRelease(root, journal, 'to');
  writeJournal(root, { ...journal, state: 'taking back' });
  expect(await settleUpgrade(root)).toBe(true);
  expect([git('rev-parse', 'HEAD'), differences(), folders()]).toEqual([journal.from, '', ['former', 'former/below']]);
});

// Switches between two releases of one checkout, and restores the old one after an interrupted switch. A single file of
// plain JavaScript, because commands run a copy (`.upgrade/places.mjs`) on whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {'preparing' | 'prepared' | 'changing' | 'watching' | 'done' | 'taking back' | 'putting data back'} State
 * The previous release (`from`) is in place in the states before `changing`, and again in `putting data back`.
 *
 * @typedef {object} Journal
 * @property {State} state
 * @property {string} from Commit of the previous release.
 * @property {string} to Commit of the new one.
 * @property {string} stamp Suffix of the names of both releases' folders.
 * @property {string[]} files Paths that differ between the releases, as git names them.
 * @property {number} known Newest data version that the previous release can read.
 * @property {number} pid Process id of the upgrade.
 */

/** Inside the checkout, because a service may not be allowed to write elsewhere. */
const FOLDER = '.upgrade';
const MADE = ['node_modules', 'dist'];
/** Milliseconds that each command waits for a running upgrade to finish switching releases. */
const PATIENCE = 120_000;

/** @param {string} root */
export const upgradeFolder = (root) => join(root, FOLDER);
/** @param {string} root @param {Journal} journal @param {'from' | 'to'} which */
export const folderOf = (root, { stamp }, which) =>
  join(root, FOLDER, `${which === 'from' ? 'former' : 'new'}-${stamp}`);
/** @param {string} root */
const journalOf = (root) => join(root, FOLDER, 'journal.json');

/** Flushes a file or folder to disk. @param {string} path */
function sync(path) {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** @param {string} root @returns {Journal | undefined} */
export function readJournal(root) {
  return existsSync(journalOf(root)) ? JSON.parse(readFileSync(journalOf(root), 'utf8')) : undefined;
}

/** @param {string} root @param {Journal} journal */
export function writeJournal(root, journal) {
  mkdirSync(upgradeFolder(root), { recursive: true });
  const part = `${journalOf(root)}.part`;
  writeFileSync(part, JSON.stringify(journal));
  sync(part);
  renameSync(part, journalOf(root));
  sync(upgradeFolder(root));
}

/** @param {string} folder @param {...string} args @returns {string} @throws Error with git's message */
export function git(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr?.trim() || stdout?.trim() || 'git cannot be run'}`);
  return stdout.trim();
}

/** Replaces a file atomically. @param {string} from @param {string} to */
function replaceFile(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  const part = `${to}.upgrading`;
  copyFileSync(from, part);
  sync(part);
  renameSync(part, to);
}

/** Removes a file and the folders it leaves empty. @param {string} root @param {string} file */
function removeFile(root, file) {
  rmSync(join(root, file), { force: true });
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      return;
    }
  }
}

/** Flushes the folders of `files` and all parent folders. @param {string} root @param {readonly string[]} files */
function syncFolders(root, files) {
  const folders = new Set(['.']);
  for (const file of files)
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  for (const folder of folders) if (existsSync(join(root, folder))) sync(join(root, folder));
}

/**
 * Switches to a release. Finishes an interrupted call, or undoes it if it was for the other release.
 * @param {string} root @param {Journal} journal @param {'from' | 'to'} which
 */
export function placeRelease(root, journal, which) {
  const mine = folderOf(root, journal, which);
  const other = folderOf(root, journal, which === 'from' ? 'to' : 'from');
  for (const name of MADE) {
    if (!existsSync(join(mine, name))) continue;
    if (existsSync(join(root, name))) renameSync(join(root, name), join(other, name));
    renameSync(join(mine, name), join(root, name));
  }
  const gone = journal.files.filter((file) => !existsSync(join(mine, file)));
  for (const file of gone) removeFile(root, file);
  const placed = journal.files.filter((file) => existsSync(join(mine, file)));
  for (const file of placed) replaceFile(join(mine, file), join(root, file));
  syncFolders(root, journal.files);
  // Removes the lock that a killed git process may have left.
  rmSync(join(root, git(root, 'rev-parse', '--git-path', 'index.lock')), { force: true });
  git(root, 'reset', '--mixed', '--quiet', journal[which]);
}

/** Returns true if the journal's upgrade is, or may be, running. @param {Journal} journal */
export function isAtWork({ pid }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
  }
  try {
    // Checks the command too, because another process may have the pid by now.
    return /scripts.(?:upgrade|rollback)\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}

/**
 * Waits until a running upgrade has switched releases. If a switch was interrupted, restores the old release.
 * @param {string} root
 * @returns {Promise<boolean>} true if it replaced files, which may include the caller's own
 * @throws Error if the upgrade takes too long
 */
export async function settleUpgrade(root) {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const journal = readJournal(root);
    const isChanging = journal?.state === 'changing' || journal?.state === 'taking back';
    if (!journal || !(isChanging || journal.state === 'putting data back')) return false;
    if (!isAtWork(journal)) {
      if (!isChanging) return false;
      placeRelease(root, journal, 'from');
      writeJournal(root, { ...journal, state: journal.state === 'changing' ? 'prepared' : 'putting data back' });
      return true;
    }
    if (Date.now() > until) throw new Error(`An upgrade (pid ${journal.pid}) is running. Wait until it finishes.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Two releases side by side: the checkout that serves, and a worktree of git beside it. They change places by renames. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
/** The release that is tried, and after the change the one before. */
export const BESIDE = join(dirname(ROOT), `${basename(ROOT)}.beside`);
/** What git does not carry along. */
const MADE = ['node_modules', 'dist'];

/** @throws Error with git's own words. */
export function git(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.trim() || stdout.trim() || 'git cannot be run'}`);
  return stdout.trim();
}

/** The commit that a name means. */
export const commitOf = (name: string): string => git(ROOT, 'rev-parse', '--verify', `${name}^{commit}`);

/** @throws Error when somebody has changed what git carries: it would be lost. */
export function requireUnchanged(): void {
  const changed = git(ROOT, 'status', '--porcelain', '--untracked-files=no');
  if (changed) throw new Error(`These files were changed by hand; commit or undo that first:\n${changed}`);
}

/** Makes the release of `commit` beside this one, installed and built. @throws Error with what was said. */
export function prepareBeside(commit: string, environment: NodeJS.ProcessEnv): void {
  discardBeside();
  git(ROOT, 'worktree', 'add', '--detach', BESIDE, commit);
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const modules = join(ROOT, 'node_modules');
  if (lock(ROOT) === lock(BESIDE) && existsSync(modules)) {
    // The same packages: links to the same files, which nobody writes to. Where that fails they are installed.
    const linked = spawnSync('cp', ['-al', modules, join(BESIDE, 'node_modules')]).status === 0;
    rmSync(join(BESIDE, 'node_modules', linked ? '.cache' : ''), { recursive: true, force: true });
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'build'], {
    cwd: BESIDE,
    encoding: 'utf8',
    env: environment,
  });
  if (status !== 0) throw new Error(`The new release cannot be built.\n${`${stdout}${stderr}`.slice(-2000).trim()}`);
}

/** The other release takes the place of this one, and this one its. Undoes itself when it is done again. */
export function changePlaces(): void {
  const [here, there] = [git(ROOT, 'rev-parse', 'HEAD'), git(BESIDE, 'rev-parse', 'HEAD')];
  const branch = spawnSync('git', ['symbolic-ref', '-q', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  // A branch goes along, so that it can be pulled into again.
  if (branch.status === 0) git(ROOT, 'reset', '--keep', there);
  else git(ROOT, 'checkout', '--detach', there);
  git(BESIDE, 'checkout', '--detach', here);
  for (const name of MADE) {
    const [mine, its, spare] = [join(ROOT, name), join(BESIDE, name), join(BESIDE, `${name}.changing`)];
    if (existsSync(its)) renameSync(its, spare);
    if (existsSync(mine)) renameSync(mine, its);
    if (existsSync(spare)) renameSync(spare, mine);
  }
}

export function discardBeside(): void {
  rmSync(BESIDE, { recursive: true, force: true });
  try {
    execFileSync('git', ['worktree', 'prune'], { cwd: ROOT, stdio: 'ignore' });
  } catch {
    // Git prunes by itself one day.
  }
}

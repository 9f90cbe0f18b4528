import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { majorOf } from '#operations/upgrade/versions.ts';
import { git } from './places.mjs';
import { ROOT } from './releases.ts';

/** True in a git checkout; false if the site's folder depends on the npm package instead. */
export const IS_CHECKOUT = existsSync(join(ROOT, 'package-lock.json'));

export const INSTALLED: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

/** Runs npm in the current folder. @returns its output @throws OperatorError with npm's message */
export function npm(...args: readonly string[]): string {
  const program = process.env.npm_execpath;
  const [command, first] = program ? [process.execPath, [program]] : ['npm', []];
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new OperatorError(`npm ${args[0]}: ${(stderr || stdout || 'npm cannot be run').trim()}`);
  return stdout;
}

/**
 * Returns the releases available from the source of this installation: the git remote or the npm registry.
 * @returns tags or versions
 * @throws Error if the source does not respond
 */
export function availableVersions(): string[] {
  if (!IS_CHECKOUT) return [JSON.parse(npm('view', 'common-ink', 'versions', '--json'))].flat();
  const [remote] = git(ROOT, 'remote').split('\n');
  const tags = remote ? git(ROOT, 'ls-remote', '--tags', '--refs', remote) : git(ROOT, 'tag');
  return tags.split('\n').map((line) => line.replace(/^.*(?:refs\/tags\/|\t)/, ''));
}

/** Returns the message about a release that is skipped or refused because it needs `--major`. */
export const refusal = (version: string): string =>
  `${version} is a new major version. Read its notes, then run npm run upgrade -- --major for version ${majorOf(version)}.`;

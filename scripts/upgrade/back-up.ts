import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { backupName } from '#operations/backup/prune.ts';
import { commandFile } from '#server/command-file.ts';
import type { Configuration } from '#server/configuration.ts';
import { IS_CHECKOUT } from './available.ts';
import { ROOT } from './releases.ts';

/**
 * Runs a command of the release in `root`. Its working directory is `root` or, with the npm package, the site's folder.
 * @throws OperatorError with the command's output if it fails
 */
export function runIn(root: string, command: string, ...args: readonly string[]): void {
  const script = commandFile(join(root, 'dist'), command);
  const cwd = IS_CHECKOUT ? root : process.cwd();
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new OperatorError(`${stdout}${stderr}`.slice(-2000).trim());
}

/** Makes a backup before an upgrade and returns its path; with a real Appwrite, which stores all data, returns ''. */
export function backUp({ appwrite, backups, dataDirectory }: Configuration): string {
  if (appwrite.endpoint) return '';
  const directory = backups?.directory ?? `${dataDirectory}-backups`;
  const file = join(directory, backupName(new Date()));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  runIn(ROOT, 'backup', file);
  console.log(file);
  return file;
}

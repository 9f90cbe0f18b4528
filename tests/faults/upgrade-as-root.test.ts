import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { lockHash } from '../../scripts/lock-hash.mjs';
import { writeJournal } from '../../scripts/upgrade/places.mjs';
import { sharedFolder } from '../support/folder.ts';

/** User and group id of an unprivileged account (`nobody` on Linux). */
const OWNER = 65_534;
const ENDED = 2 ** 30;
const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
/** Stands in for upgrade.ts: runs the command that restarts the server, then prints its own user id and npm cache. */
const COMMAND = `
  import { execSync } from 'node:child_process';
  import { runRestart } from './upgrade/as-owner.mjs';
  runRestart('never');
  console.log(process.getuid(), execSync('npm config get cache', { encoding: 'utf8' }).trim());
  process.exitCode = 7;`;

describe.runIf(process.getuid?.() === 0)('called by root', () => {
  const checkout = sharedFolder();
  const restarted = join(checkout, 'restarted');

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    writeFileSync(join(checkout, file), text);
  }

  const giveToOwner = () => execFileSync('chown', ['-R', `${OWNER}:${OWNER}`, checkout]);

  const RESTART = ['--restart', `id -u > ${restarted}`];
  const upgrade = () =>
    spawnSync('npm', ['run', '-s', 'upgrade', '--', ...RESTART], { cwd: checkout, encoding: 'utf8' });

  beforeAll(() => {
    for (const file of ['bootstrap.mjs', 'lock-hash.mjs', 'upgrade/as-owner.mjs', 'upgrade/places.mjs'])
      cpSync(join(SCRIPTS, file), join(checkout, 'scripts', file));
    write('scripts/upgrade.ts', COMMAND);
    write('package.json', '{ "type": "module", "scripts": { "upgrade": "node scripts/bootstrap.mjs upgrade" } }');
    write('package-lock.json', '{ "packages": {} }');
    write('node_modules/.common-ink-lock', `${lockHash(checkout)} all\n`);
    mkdirSync(join(checkout, 'node_modules', 'node', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(checkout, 'node_modules', 'node', 'bin', 'node'));
    giveToOwner();
  });

  test('all of it is done as the owner, with a cache in their reach, but for the command that starts the server', () => {
    const { status, stdout, stderr } = upgrade();
    expect([status, stdout], stderr).toEqual([7, `${OWNER} ${join(checkout, '.npm')}\n`]);
    expect(readFileSync(restarted, 'utf8')).toBe('0\n');
  });

  test('one that follows a cut-off upgrade has root start the server as well', () => {
    rmSync(restarted, { force: true });
    const options = { cwd: checkout, encoding: 'utf8', uid: OWNER, env: { ...process.env, HOME: checkout } } as const;
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], options).trim();
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'A release');
    const commit = git('rev-parse', 'HEAD');
    const release = { from: commit, to: commit, stamp: 'now', files: [], known: 1 };
    writeJournal(checkout, { ...release, state: 'changing', pid: ENDED });
    cpSync(join(SCRIPTS, 'upgrade', 'places.mjs'), join(checkout, '.upgrade', 'places.mjs'));
    giveToOwner();
    const { status, stderr } = upgrade();
    expect(stderr).toContain('the previous release is back');
    expect(status, stderr).toBe(7);
    expect(readFileSync(restarted, 'utf8')).toBe('0\n');
  });
});

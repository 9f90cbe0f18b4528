import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { sharedFolder } from '../tests/support/folder.ts';
import { lockHash } from './lock-hash.mjs';

const ROOT = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const COMMANDS = Object.entries(scripts).flatMap(([name, line]) => (line.includes('bootstrap.mjs') ? [name] : []));
/** The script that replaces each command and the server. Prints two of the settings that it receives. */
const TELLS = `console.log(process.env.SITE_NAME + ', ' + process.env.SITE_TAGLINE);`;
const checkout = sharedFolder();
beforeAll(() => {
  const own = ['bootstrap.mjs', 'lock-hash.mjs', 'start.sh', 'upgrade'].map((name) => `scripts/${name}`);
  for (const name of [...own, 'package-lock.json', 'package.json'])
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  // Gives the checkout its own `node_modules` and stamp. Otherwise, an install would empty this repository's packages.
  mkdirSync(join(checkout, 'node_modules'));
  for (const name of ['node', '.bin'])
    symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name));
  writeFileSync(join(checkout, 'node_modules', '.common-ink-lock'), `${lockHash(ROOT)} all\n`);
  for (const name of COMMANDS) writeFileSync(join(checkout, 'scripts', `${name}.ts`), TELLS);
  writeFileSync(join(checkout, 'scripts', 'prepare.ts'), TELLS.replace('log', 'error'));
  mkdirSync(join(checkout, 'dist', 'server'), { recursive: true });
  writeFileSync(join(checkout, 'dist', 'server', 'entry.mjs'), TELLS);
  writeFileSync(join(checkout, '.env'), 'SITE_NAME="The file’s # name"\nSITE_TAGLINE=the file’s\n');
});

const { SITE_NAME: _, ...others } = process.env;
const env = { ...others, SITE_TAGLINE: 'the environment’s' };
function said(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: tmpdir(), env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

it.each([
  ...COMMANDS.map((name) => [`npm run ${name}`, 'node', 'bootstrap.mjs', name]),
  ['the server that npm start becomes', 'sh', 'start.sh'],
] as [string, string, string, ...string[]][])(
  '%s reads .env, and the environment goes before it',
  (_, program, script, ...args) =>
    expect(said(program, [join(checkout, 'scripts', script), ...args])).toBe('The file’s # name, the environment’s\n'),
);

it('without .env every command has the environment alone, and says nothing of it', () => {
  rmSync(join(checkout, '.env'));
  const args = [join(checkout, 'scripts', 'bootstrap.mjs'), 'doctor'];
  const { stdout, stderr } = spawnSync('node', args, { env, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['undefined, the environment’s\n', '']);
});

it.each([
  ['a release with the same dependencies installs nothing', '', false],
  ['a release with another dependency installs it', 'node_modules/astro', true],
])('%s', (_, path, isInstalling) => {
  const file = join(checkout, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version: string }> };
  Object.assign(lock.packages[path] ?? {}, { version: '9.9.9' });
  writeFileSync(file, JSON.stringify(lock));
  // A fake npm that always fails.
  const npm = join(checkout, 'npm.js');
  writeFileSync(npm, 'process.exit(1);');
  const args = [join(checkout, 'scripts', 'bootstrap.mjs'), 'doctor'];
  const { stdout } = spawnSync('node', args, { env: { ...env, npm_execpath: npm }, encoding: 'utf8' });
  expect(stdout.includes('Installing packages')).toBe(isInstalling);
});

it('an installation leaves the checkout unchanged, because the programs of its packages are executable in git', () => {
  const programs = globSync('packages/*/package.json', { cwd: ROOT }).flatMap((file) => {
    const { bin } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { bin?: string };
    return bin ? [join(dirname(file), bin)] : [];
  });
  expect(programs).not.toEqual([]);
  const modes = execFileSync('git', ['ls-files', '--stage', ...programs], { cwd: ROOT, encoding: 'utf8' });
  expect(modes.match(/^\d+/gm)).toEqual(programs.map(() => '100755'));
});

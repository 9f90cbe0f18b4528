import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { sharedFolder } from '../tests/support/folder.ts';

const ROOT = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const COMMANDS = Object.entries(scripts).flatMap(([name, line]) => (line.includes('bootstrap.mjs') ? [name] : []));
/** Stands in for a command and prints the two settings. */
const TELLS = `console.log(process.env.SITE_NAME + ', ' + process.env.SITE_TAGLINE);`;
const checkout = sharedFolder();
beforeAll(() => {
  const own = ['bootstrap.mjs', 'start.sh', 'upgrade'].map((name) => `scripts/${name}`);
  for (const name of [...own, 'package-lock.json', 'package.json'])
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  // The checkout has its own folder and stamp: an install here would empty this repository's packages.
  mkdirSync(join(checkout, 'node_modules'));
  for (const name of ['node', '.bin'])
    symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name));
  const lock = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  writeFileSync(join(checkout, 'node_modules', '.common-ink-lock'), `${lock.digest('hex')} all\n`);
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

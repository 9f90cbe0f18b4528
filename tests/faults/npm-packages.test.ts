/**
 * Packs the npm packages and creates a blog from them, as `npm create common-ink` does. The blog's `node_modules` has
 * only the packed `common-ink` and links to its dependencies, so a forgotten dependency makes the tests fail.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { beforeAll, expect, test } from 'vitest';
import { packPackages } from '../../scripts/release/packages.ts';
import { startProgram } from '../support/program.ts';
import { ROOT, run } from './tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'common-ink-packages-'));
const blog = join(folder, 'my-blog');
const create = (...args: readonly string[]) =>
  run(process.execPath, [join(folder, 'creator', 'create.mjs'), ...args], { cwd: folder });

beforeAll(async () => {
  const [, site = '', creator = ''] = packPackages(ROOT, folder);
  const unpack = async (file: string, to: string) => {
    mkdirSync(to, { recursive: true });
    await run('tar', ['xzf', join(folder, file), '--strip-components=1', '-C', to]);
  };
  await unpack(creator, join(folder, 'creator'));
  const modules = join(blog, 'node_modules');
  await unpack(site, join(modules, 'common-ink'));
  const { dependencies, bundleDependencies } = JSON.parse(
    readFileSync(join(modules, 'common-ink', 'package.json'), 'utf8'),
  );
  for (const name of Object.keys(dependencies)) {
    if (bundleDependencies.includes(name)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  return () => rmSync(folder, { recursive: true, force: true });
});

test('a blog is made of settings and a version, and nothing in a folder is overwritten', async () => {
  const made = await create('new', '--yes', '--no-install', '--name', 'Ink & Söhne', '--language', 'de');
  expect(made.code, made.said).toBe(0);
  expect(readFileSync(join(folder, 'new', '.env'), 'utf8')).toMatch(/^SITE_NAME="Ink & Söhne"\nSITE_LANGUAGE=de$/m);
  const { dependencies, scripts } = JSON.parse(readFileSync(join(folder, 'new', 'package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(dependencies).toEqual({ 'common-ink': version });
  expect(scripts.start).toContain('common-ink start');
  expect(await create('new', '--yes')).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') });
  expect(await create('x', '--yes', '--language', 'xx')).toMatchObject({
    code: 1,
    said: expect.stringContaining('en, de'),
  });
  expect(await create('x', '--yes', '--name', 'a'.repeat(81))).toMatchObject({ code: 1 });
  expect(await create('x', '--yes', '--address', 'example.com')).toMatchObject({ code: 1 });
});

test('the packed product serves a site in the current folder, and its commands run there', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: `${port}`, DATA_DIR: '' };
  const program = join(blog, 'node_modules', 'common-ink', 'scripts', 'bootstrap.mjs');
  const command = (...args: readonly string[]) => run(process.execPath, [program, ...args], { cwd: blog, env });
  const server = startProgram(process.execPath, [program, 'start'], { cwd: blog, env });
  try {
    await Promise.race([server.until(/Every page is loaded/), server.ended]);
    expect(server.said()).toContain('Common Ink is ready');
    const seeded = await command('seed');
    expect(seeded.code, seeded.said).toBe(0);
    const page = await fetch(`${address}/post/what-ink-remembers`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</article>')]);
    const backup = join(folder, 'backup.zip');
    for (const args of [['doctor'], ['backup', backup], ['restore', backup, '--check'], ['provision', '--check']]) {
      const { code, said } = await command(...args);
      expect(code, said).toBe(0);
    }
    expect(await command('test')).toMatchObject({ code: 1, said: expect.stringContaining('Unknown command') });
  } finally {
    server.child.kill();
    await server.ended;
  }
});

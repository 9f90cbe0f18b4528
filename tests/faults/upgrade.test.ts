import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KNOWN, UpgradableSite } from './upgradable-site.ts';

let site: UpgradableSite;

beforeAll(async () => {
  site = await UpgradableSite.create();
  site.release('unbuildable', [['src/server/probes.ts', 'export function', 'export funktion']]);
  site.release('good', [['src/server/probes.ts', "'ok\\n'", "'newer\\n'"]]);
  // This release runs on the copy but not at the site's own port, and migrates the data before it fails.
  site.releaseBuilt('ill', [
    [
      'server/chunks/run-server*.mjs',
      '\tisReady();\n',
      `\tif (configuration.port === ${site.port}) process.exit(3);\n\tisReady();\n`,
    ],
  ]);
  await site.begin();
}, 300_000);

afterAll(() => site?.remove());

test('a release that cannot be built changes nothing, and the server goes on', async () => {
  const { pid } = site;
  const { code, said } = await site.npm('upgrade', ['--to', 'unbuildable', '--watch', '1']);
  expect(code).toBe(1);
  expect(said).toContain('The new release cannot be built.');
  expect(said).toContain('Nothing was changed.');
  expect([site.pid, await site.health(), existsSync(join(site.checkout, '.upgrade'))]).toEqual([pid, 'ok\n', false]);
}, 300_000);

test('a release that does not run where it is to serve is taken back, the data with it', async () => {
  await site.publish('just-before');
  const { code, said } = await site.npm('upgrade', ['--to', 'ill', '--watch', '1']);
  expect(code).toBe(1);
  expect(said).toContain('The server ends as soon as it starts');
  expect(said).toContain('What was written since is in');
  expect(said).toContain('The former release is back.');
  expect(await site.health()).toBe('ok\n');
  expect(await site.slugs()).toEqual(['before', 'just-before']);
  // The data that the newer release wrote is kept, too.
  expect(readdirSync(join(site.data, 'backend'))).toContainEqual(
    expect.stringMatching(`^backend\\.v${KNOWN + 1}\\..*\\.sqlite$`),
  );
}, 300_000);

test('a good release takes the place of the former one, and gives it back when it is asked to', async () => {
  const { code, said } = await site.npm('upgrade', ['--to', 'good', '--watch', '1']);
  expect(code, said).toBe(0);
  expect(await site.health()).toBe('newer\n');
  await site.publish('after');
  expect(await site.slugs()).toEqual(['after', 'before', 'just-before']);
  const back = await site.npm('rollback', []);
  expect(back.code, back.said).toBe(0);
  await site.until(async () => (await site.health()) === 'ok\n');
  expect(await site.slugs()).toEqual(['after', 'before', 'just-before']);
  const again = await site.npm('rollback', []);
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('There is no upgrade') });
}, 300_000);

test('what was changed by hand is not overwritten', async () => {
  writeFileSync(join(site.checkout, 'README.md'), 'My own.');
  const { code, said } = await site.npm('upgrade', ['--to', 'good']);
  expect([code, readFileSync(join(site.checkout, 'README.md'), 'utf8')]).toEqual([1, 'My own.']);
  expect(said).toContain('README.md');
});

/**
 * Upgrades a site in a separate checkout (docs/decisions/020-upgrade.md), then kills upgrades with kill -9 at each of
 * their steps during writes. After each kill, or at the latest after a restart, the previous or the new release serves
 * the site with every acknowledged write.
 */
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { INSTALLED } from '../../scripts/upgrade/available.ts';
import { KNOWN, UpgradableSite } from './upgradable-site.ts';

const FORMER = 'ok\n';
const NEXT = 'newer\n';
const SERVER = 'server/chunks/run-server*.mjs';
let site: UpgradableSite;

beforeAll(async () => {
  site = await UpgradableSite.create();
  site.release('good', [['src/server/probes.ts', "'ok\\n'", "'newer\\n'"]]);
  // This release runs when tried on a copy of the site, but exits on the site's own port after migrating the data.
  const end = `\tif (configuration.port === ${site.port}) process.exit(3);\n\tisReady();\n`;
  site.releaseBuilt('ill', [[SERVER, '\tisReady();\n', end]]);
  site.releaseBuilt('next', [[SERVER, '"ok\\n"', '"newer\\n"']]);
  await site.begin();
  return () => site.remove();
});

const upgradeTo = (release: string, environment?: NodeJS.ProcessEnv) =>
  site.npm('upgrade', ['--to', release, '--watch', '1'], environment);

const killAt = (script: string, step: string, when: 'before' | 'after' = 'after'): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'kill-at.mjs'))}`,
  KILL_AT: JSON.stringify([script, step, when]),
});

test('without a choice, an upgrade goes to the newest release of the same major version, and shows its notes; if it cannot be built, nothing changes', async () => {
  const { pid } = site;
  const [major = 0, minor = 0, patch = 0] = INSTALLED.split('.').map(Number);
  const [nextPatch, nextMajor] = [`${major}.${minor}.${patch + 1}`, `${major + 1}.0.0`];
  for (const version of [nextPatch, nextMajor])
    site.release(`v${version}`, [
      ['package.json', `"version": "${INSTALLED}"`, `"version": "${version}"`],
      ['CHANGELOG.md', '# Changelog\n', `# Changelog\n\n## ${version} (2026-12-24)\n\n- Made up for ${version}.\n`],
      ['astro.config.mjs', 'export default', 'export defekt'],
    ]);
  const asked = await site.npm('doctor', ['--updates']);
  expect(asked.said).toContain(`Version ${nextPatch} is available.`);
  expect((await site.npm('doctor', [])).said).not.toContain('is available');
  const newest = await site.npm('upgrade', []);
  expect(newest.said).toContain(`- Made up for ${nextPatch}.`);
  expect(newest.said).toContain(`${nextMajor} is a new major version.`);
  expect(newest).toMatchObject({ code: 1, said: expect.stringContaining('The new release could not be built.') });
  expect(newest.said).toContain('Nothing was changed.');
  expect([site.pid, await site.health(), existsSync(join(site.checkout, '.upgrade'))]).toEqual([pid, FORMER, false]);
  const refused = await site.npm('upgrade', ['--to', `v${nextMajor}`]);
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(`${nextMajor} is a new major version.`) });
  expect(refused.said).not.toContain('Backing up');
  const allowed = await site.npm('upgrade', ['--major'], killAt('upgrade.ts', 'Backing up'));
  expect(allowed.said).toContain(`- Made up for ${nextMajor}.`);
  expect(allowed.said).toContain('Backing up');
});

test('a release that does not run where it is to serve is taken back, the data with it', async () => {
  await site.publish('just-before');
  const { code, said } = await upgradeTo('ill');
  expect(code).toBe(1);
  expect(said).toContain('The server stops as soon as it starts');
  expect(said).toContain('Anything written since then is in');
  expect(said).toContain('The previous release is back.');
  await site.until(async () => (await site.health()) === FORMER);
  expect(await site.slugs()).toEqual(['before', 'just-before']);
  // The upgrade keeps a copy of the data as the newer release left it.
  const kept = expect.stringMatching(`^backend\\.v${KNOWN + 1}\\..*\\.sqlite$`);
  expect(readdirSync(join(site.data, 'backend'))).toContainEqual(kept);
});

test('a good release takes the place of the former one, and gives it back when it is asked to', async () => {
  const { code, said } = await upgradeTo('good');
  expect(code, said).toBe(0);
  expect(await site.health()).toBe(NEXT);
  await site.publish('after');
  expect(await site.slugs()).toEqual(['after', 'before', 'just-before']);
  const back = await site.npm('rollback', []);
  expect(back.code, back.said).toBe(0);
  await site.until(async () => (await site.health()) === FORMER);
  expect(await site.slugs()).toEqual(['after', 'before', 'just-before']);
  const again = await site.npm('rollback', []);
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('There is no upgrade') });
});

test('a file that was changed by hand is not overwritten', async () => {
  const file = join(site.checkout, 'README.md');
  const before = readFileSync(file);
  writeFileSync(file, 'My own.');
  const { code, said } = await site.npm('upgrade', ['--to', 'good']);
  expect([code, readFileSync(file, 'utf8')]).toEqual([1, 'My own.']);
  expect(said).toContain('README.md');
  writeFileSync(file, before);
});

describe('under writers', () => {
  const acknowledged = new Set<string>();

  beforeAll(() => {
    let isWriting = true;
    const write = async (writer: number) => {
      for (let n = 0; isWriting; n++) {
        const slug = `post-${writer}-${n}`;
        const published = site.publish(slug, 'inactive').then(() => acknowledged.add(slug));
        await published.catch(() => sleep(100));
        await sleep(50);
      }
    };
    const writers = Promise.all([write(1), write(2)]);
    return async () => {
      isWriting = false;
      await writers;
    };
  });

  /** Runs an upgrade or a rollback up to a step at which all of its processes are killed. */
  async function killed(command: 'upgrade' | 'rollback', step: string, when?: 'before'): Promise<void> {
    const environment = killAt(`${command}.ts`, step, when);
    const ended = command === 'upgrade' ? upgradeTo('next', environment) : site.npm('rollback', [], environment);
    const { code, said } = await ended;
    expect(code, said).toBe(1);
    expect(said).not.toMatch(/Nothing was changed|is back|Upgraded to release/);
  }

  /** Starts the site up to a step at which it is killed. */
  async function startKilled(script: string, step: string, when?: 'before'): Promise<void> {
    await once(site.start(killAt(script, step, when)), 'exit');
    await expect(site.health()).rejects.toThrow();
  }

  /** Expects the site to be intact and to run `release`. */
  async function expectSite(release: string): Promise<void> {
    await site.until(async () => (await fetch(`http://127.0.0.1:${site.port}/readyz`)).ok);
    expect(await site.health()).toBe(release);
    const before = [...acknowledged];
    const found = new Set(await site.slugs());
    expect(found.size).toBeGreaterThan(0);
    expect(before.filter((slug) => !found.has(slug))).toEqual([]);
    const [, version] = inspect(join(site.data, 'backend', 'backend.sqlite'));
    expect(version).toBe(release === NEXT ? KNOWN + 1 : KNOWN);
    expect(globSync('release-*', { cwd: site.checkout })).toEqual([release === NEXT ? 'release-next' : 'release-base']);
    expect(globSync('**/*.upgrading', { cwd: site.checkout, exclude: ['node_modules', '.upgrade'] })).toEqual([]);
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before.length);
  }

  /** Returns the ids of all posts and the data version; expects the database to be intact. */
  function inspect(file: string): [ReadonlySet<string>, number] {
    using database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const articles = database.prepare("SELECT sequence FROM collections WHERE id = 'articles'").get();
    const ids = database.prepare(`SELECT id FROM documents_${articles?.sequence}`).all();
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    return [new Set(ids.map(({ id }) => `${id}`)), version];
  }

  const MIGRATIONS = 'packages/embedded-appwrite/src/sqlite/migrations.ts$';
  const copyOf = (version: number) => `backend\\.v${version}\\..*\\.sqlite$`;

  test.each(['Backing up', 'Installing and building', 'Trying the new release'])(
    'killed at "%s", the former release goes on as if nothing had been',
    async (step) => {
      const { pid } = site;
      await killed('upgrade', step);
      expect(site.pid).toBe(pid);
      await expectSite(FORMER);
    },
  );

  test('killed while files change places, the former release is put back, even if that start is killed as well', async () => {
    await killed('upgrade', MIGRATIONS);
    await startKilled('scripts/bootstrap.mjs', 'site/dist$', 'before');
    site.start();
    await expectSite(FORMER);
  });

  test('killed with the build of neither release in place, the former release is put back', async () => {
    await killed('upgrade', 'site/dist$', 'before');
    site.start();
    await expectSite(FORMER);
  });

  test('killed with the new release in place, a start goes on with it, even if it is killed while it changes the data', async () => {
    await killed('upgrade', 'journal.json: watching');
    await startKilled('dist/server/entry.mjs', copyOf(KNOWN), 'before');
    site.start();
    await expectSite(NEXT);
  });

  test('killed at each step of the way back, the former release comes with its data, and what was written since is kept', async () => {
    await killed('rollback', 'journal.json: taking back');
    await expectSite(NEXT);
    await site.stop();
    await startKilled('scripts/bootstrap.mjs', MIGRATIONS);
    await startKilled('scripts/prepare.ts', copyOf(KNOWN + 1));
    await startKilled('scripts/prepare.ts', 'backend/backend.sqlite$');
    const kept = globSync(join(site.data, 'backend', `backend.v${KNOWN + 1}.*.sqlite`)).map((file) => inspect(file)[0]);
    const [former] = inspect(join(site.data, 'backend', 'backend.sqlite'));
    const written = [...acknowledged].filter((slug) => !former.has(slug));
    expect(written.filter((slug) => !kept.some((ids) => ids.has(slug)))).toEqual([]);
    for (const slug of written) acknowledged.delete(slug);
    site.start();
    await expectSite(FORMER);
  });

  test('an upgrade that was killed often is made by the next one', async () => {
    const { code, said } = await upgradeTo('next');
    expect(code, said).toBe(0);
    await expectSite(NEXT);
  });
});

/**
 * Kills upgrades with kill -9 at each of their steps, while writers write: afterwards, or after a start, the former
 * or the new release answers, with every acknowledged write (docs/decisions/020-upgrade.md).
 */
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KNOWN, UpgradableSite } from './upgradable-site.ts';

const UPGRADE = ['--to', 'next', '--watch', '1'];
/** Milliseconds per test; on an idle machine each takes some seconds. */
const LONGEST = 240_000;
const FORMER = 'ok\n';
const NEXT = 'newer\n';

let site: UpgradableSite;
const acknowledged = new Set<string>();
let isWriting = true;
let writers: Promise<unknown>;

async function write(writer: number): Promise<void> {
  for (let n = 0; isWriting; n++) {
    const slug = `post-${writer}-${n}`;
    await site.publish(slug, 'inactive').then(
      () => acknowledged.add(slug),
      () => sleep(100),
    );
    await sleep(50);
  }
}

beforeAll(async () => {
  site = await UpgradableSite.create();
  site.releaseBuilt('next', [['server/chunks/run-server*.mjs', '"ok\\n"', '"newer\\n"']]);
  await site.begin();
  writers = Promise.all([write(1), write(2)]);
}, 300_000);

afterAll(async () => {
  isWriting = false;
  await writers;
  await site?.remove();
});

const killAt = (script: string, step: string, when: 'before' | 'after' = 'after'): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'kill-at.mjs'))}`,
  KILL_AT: JSON.stringify([script, step, when]),
});

/** Runs an upgrade or a rollback up to a step at which all of its processes are killed. */
async function killed(command: 'upgrade' | 'rollback', step: string, when?: 'before' | 'after'): Promise<void> {
  const { code, said } = await site.npm(
    command,
    command === 'upgrade' ? UPGRADE : [],
    killAt(`${command}.ts`, step, when),
  );
  expect(code, said).toBe(1);
  expect(said).not.toMatch(/Nothing was changed|is back|The release is/);
}

/** Starts the site up to a step at which it is killed. */
async function startKilled(script: string, step: string, when?: 'before' | 'after'): Promise<void> {
  await once(site.start(killAt(script, step, when)), 'exit');
  await expect(site.health()).rejects.toThrow();
}

/** Expects that the site is whole and runs a release. */
async function expectSite(release: string): Promise<void> {
  await site.until(async () => (await fetch(`http://127.0.0.1:${site.port}/readyz`)).ok);
  expect(await site.health()).toBe(release);
  const before = [...acknowledged];
  expect((await site.slugs()).length).toBeGreaterThan(0);
  const found = new Set(await site.slugs());
  expect(before.filter((slug) => !found.has(slug))).toEqual([]);
  const [, version] = inspect(join(site.data, 'backend', 'backend.sqlite'));
  expect(version).toBe(release === NEXT ? KNOWN + 1 : KNOWN);
  expect(globSync('release-*', { cwd: site.checkout })).toEqual([release === NEXT ? 'release-next' : 'release-base']);
  expect(globSync('**/*.upgrading', { cwd: site.checkout, exclude: ['node_modules', '.upgrade'] })).toEqual([]);
  const { size } = acknowledged;
  await expect.poll(() => acknowledged.size).toBeGreaterThan(size);
}

/** Returns the ids of all posts and the data version; expects the file to be intact. */
function inspect(file: string): [ReadonlySet<string>, number] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const articles = database.prepare("SELECT sequence FROM collections WHERE id = 'articles'").get();
    const ids = database.prepare(`SELECT id FROM documents_${articles?.sequence}`).all();
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    return [new Set(ids.map(({ id }) => `${id}`)), version];
  } finally {
    database.close();
  }
}

test.each(['Backing up', 'Installing and building', 'Trying the new release'])(
  'killed at "%s", the former release goes on as if nothing had been',
  async (step) => {
    const { pid } = site;
    await killed('upgrade', step);
    expect(site.pid).toBe(pid);
    await expectSite(FORMER);
  },
  LONGEST,
);

test(
  'killed while files change places, the former release is put back, even if that start is killed as well',
  async () => {
    await killed('upgrade', 'packages/embedded-appwrite/src/sqlite/migrations.ts$');
    await startKilled('scripts/bootstrap.mjs', 'site/dist$', 'before');
    site.start();
    await expectSite(FORMER);
  },
  LONGEST,
);

test(
  'killed with the build of neither release in place, the former release is put back',
  async () => {
    await killed('upgrade', 'site/dist$', 'before');
    site.start();
    await expectSite(FORMER);
  },
  LONGEST,
);

test(
  'killed with the new release in place, a start goes on with it, even if it is killed while it changes the data',
  async () => {
    await killed('upgrade', 'journal.json: watching');
    await startKilled('dist/server/entry.mjs', `backend\\.v${KNOWN}\\..*\\.sqlite$`, 'before');
    site.start();
    await expectSite(NEXT);
  },
  LONGEST,
);

test(
  'killed at each step of the way back, the former release comes with its data, and what was written since is kept',
  async () => {
    await killed('rollback', 'journal.json: taking back');
    await expectSite(NEXT);
    await site.stop();
    await startKilled('scripts/bootstrap.mjs', 'packages/embedded-appwrite/src/sqlite/migrations.ts$');
    await startKilled('scripts/prepare.ts', `backend\\.v${KNOWN + 1}\\..*\\.sqlite$`);
    await startKilled('scripts/prepare.ts', 'backend/backend.sqlite$');
    const kept = globSync(join(site.data, 'backend', `backend.v${KNOWN + 1}.*.sqlite`)).map((file) => inspect(file)[0]);
    const written = [...acknowledged];
    const [former] = inspect(join(site.data, 'backend', 'backend.sqlite'));
    expect(written.filter((slug) => !former.has(slug) && !kept.every((ids) => ids.has(slug)))).toEqual([]);
    for (const slug of written) if (!former.has(slug)) acknowledged.delete(slug);
    site.start();
    await expectSite(FORMER);
  },
  LONGEST,
);

test(
  'an upgrade that was killed often is made by the next one',
  async () => {
    const { code, said } = await site.npm('upgrade', UPGRADE);
    expect(code, said).toBe(0);
    await expectSite(NEXT);
  },
  LONGEST,
);

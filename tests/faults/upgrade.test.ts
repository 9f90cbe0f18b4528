/** Upgrades of a running site, from git: one that is good, and those that are not, of which nothing is left. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Databases, Users } from 'node-appwrite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postPermissions } from '#blog/permissions.ts';
import { MIGRATIONS } from '../../src/embedded/sqlite/migrations.ts';
import { currentHolder } from '../../src/embedded/sqlite/owner.ts';
import { freePort } from '../../src/server/free-port.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'common-ink-upgrade-'));
const upstream = join(folder, 'upstream');
const checkout = join(folder, 'site');
const data = join(folder, 'data');
const KNOWN = MIGRATIONS.at(-1)?.version ?? 0;
let port: number;
let environment: NodeJS.ProcessEnv;

const git = (where: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: where, stdio: 'pipe' });

/** A release that is tagged `tag`, with texts replaced in files. */
function release(tag: string, changes: readonly (readonly [file: string, from: string, to: string])[]): void {
  git(upstream, 'checkout', '-q', '--detach', 'base');
  for (const [file, from, to] of changes) {
    const path = join(upstream, file);
    const text = readFileSync(path, 'utf8');
    expect(text, file).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }
  git(upstream, 'commit', '-qam', tag);
  git(upstream, 'tag', tag);
}

const pidNow = (): number | undefined => {
  const holder = currentHolder(join(data, 'backend'));
  return holder && holder !== 'unknown' ? holder.pid : undefined;
};
const alive = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).text();

function databases(): Databases {
  const key = readFileSync(join(data, 'server-key'), 'utf8').trim();
  return new Databases(new Client().setEndpoint(`http://127.0.0.1:${port}/v1`).setProject('common-ink').setKey(key));
}

async function publish(id: string): Promise<void> {
  await databases().createDocument({
    databaseId: 'blog',
    collectionId: 'articles',
    documentId: id,
    data: { title: id, content: '<p>Some text.</p>', status: 'active', featuredImage: '', userId: 'ada' },
    permissions: postPermissions('active', 'ada'),
  });
}

const slugs = async () =>
  (await databases().listDocuments({ databaseId: 'blog', collectionId: 'articles' })).documents.map(({ $id }) => $id);

/** Waits until `holds`, which may fail until then. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(300))
    if (await holds().catch(() => false)) return;
  throw new Error('It never was so.');
}

async function npm(...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn('npm', ['run', '-s', 'upgrade', '--', ...args], { cwd: checkout, env: environment });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said };
}

beforeAll(async () => {
  git(folder, 'clone', '-q', '--no-tags', ROOT, upstream);
  git(upstream, 'checkout', '-q', '-B', 'base');
  git(folder, 'clone', '-q', '-b', 'base', upstream, checkout);
  spawnSync('cp', ['-al', join(ROOT, 'node_modules'), join(checkout, 'node_modules')]);
  rmSync(join(checkout, 'node_modules', '.cache'), { recursive: true, force: true });
  cpSync(join(ROOT, 'dist'), join(checkout, 'dist'), { recursive: true });
  port = await freePort();
  environment = { ...process.env, PORT: `${port}`, DATA_DIR: data, EMBEDDED_RATE_LIMITS: 'off', LOG_FORMAT: 'text' };
  release('unbuildable', [['src/server/probes.ts', 'export function', 'export funktion']]);
  release('good', [['src/server/probes.ts', "'ok\\n'", "'newer\\n'"]]);
  // It runs on a copy, and not where it is to serve; and it brings the data to another version before that.
  release('ill', [
    ['src/embedded/sqlite/migrations.ts', '\n];', `\n  { version: ${KNOWN + 1}, sql: 'CREATE TABLE newer (id)' },\n];`],
    [
      'src/server/run-server.ts',
      '  isReady();\n',
      `  if (configuration.port === ${port}) process.exit(3);\n  isReady();\n`,
    ],
  ]);
  const server = spawn('sh', ['scripts/start.sh'], {
    cwd: checkout,
    env: environment,
    detached: true,
    stdio: 'ignore',
  });
  server.unref();
  await until(async () => (await alive()) === 'ok\n');
  const key = readFileSync(join(data, 'server-key'), 'utf8').trim();
  const client = new Client().setEndpoint(`http://127.0.0.1:${port}/v1`).setProject('common-ink').setKey(key);
  await new Users(client).create({ userId: 'ada', email: 'ada@example.com', password: 'Correct-horse-1', name: 'Ada' });
  // The schema is made after the port is open.
  await until(() => publish('before').then(() => true));
}, 300_000);

afterAll(async () => {
  const pid = pidNow();
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  while (pidNow() !== undefined) await sleep(100);
  rmSync(folder, { recursive: true, force: true });
});

test('a release that cannot be built changes nothing, and the server goes on', async () => {
  const pid = pidNow();
  const { code, said } = await npm('--to', 'unbuildable', '--watch', '1');
  expect(code).toBe(1);
  expect(said).toContain('The new release cannot be built.');
  expect(said).toContain('Nothing was changed.');
  expect([pidNow(), await alive(), existsSync(`${checkout}.beside`)]).toEqual([pid, 'ok\n', false]);
}, 300_000);

test('a release that does not run where it is to serve is taken back, the data with it', async () => {
  await publish('just-before');
  const { code, said } = await npm('--to', 'ill', '--watch', '1');
  expect(code).toBe(1);
  expect(said).toContain('The server ends as soon as it starts');
  expect(said).toContain('What was written since is in');
  expect(said).toContain('The former release is back.');
  expect(await alive()).toBe('ok\n');
  expect((await slugs()).sort()).toEqual(['before', 'just-before']);
  // What the newer release wrote is kept, too.
  expect(readdirSync(join(data, 'backend'))).toContainEqual(
    expect.stringMatching(`^backend\\.v${KNOWN + 1}\\..*\\.sqlite$`),
  );
}, 300_000);

test('a good release takes the place of the former one, and gives it back when it is asked to', async () => {
  const { code, said } = await npm('--to', 'good', '--watch', '1');
  expect(code, said).toBe(0);
  expect(await alive()).toBe('newer\n');
  await publish('after');
  expect((await slugs()).sort()).toEqual(['after', 'before', 'just-before']);
  const back = await npm('rollback');
  expect(back.code, back.said).toBe(0);
  await expect.poll(() => alive().catch(() => ''), { timeout: 60_000, interval: 200 }).toBe('ok\n');
  expect((await slugs()).sort()).toEqual(['after', 'before', 'just-before']);
}, 300_000);

test('what was changed by hand is not overwritten', async () => {
  writeFileSync(join(checkout, 'README.md'), 'My own.');
  const { code, said } = await npm('--to', 'good');
  expect([code, readFileSync(join(checkout, 'README.md'), 'utf8')]).toEqual([1, 'My own.']);
  expect(said).toContain('README.md');
  git(checkout, 'checkout', 'README.md');
});

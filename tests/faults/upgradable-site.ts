/** A site in a separate checkout, with releases to which it can be upgraded. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { currentHolder, MIGRATIONS } from 'embedded-appwrite';
import { Client, Databases, Query, Users } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { POSTS, ROOT, run } from './tools.ts';

/** The newest data version that this release supports. */
export const KNOWN = MIGRATIONS.at(-1)?.version ?? 0;

/** A change that a release makes: a file, the text to replace in it, and the replacement. */
export type Change = readonly [file: string, from: string | RegExp, to: string];

/** Gives a release a migration to a newer data version. */
export const NEWER_DATA: Change = [
  'packages/embedded-appwrite/src/sqlite/migrations.ts',
  '\n];',
  `\n  { version: ${KNOWN + 1}, sql: 'CREATE TABLE newer (id)' },\n];`,
];
/** The same change in the built server. */
const NEWER_DATA_BUILT: Change = [
  'server/chunks/run-server*.mjs',
  new RegExp(`\\{\\s*version: ${KNOWN},[^}]*\\}`),
  `$&, { version: ${KNOWN + 1}, sql: "CREATE TABLE newer (id)" }`,
];

/** Raises an upgrade's time limits in the test releases, because a busy machine may exceed the real ones. */
const PATIENT: readonly Change[] = [
  ['scripts/upgrade/server.ts', 'ENDS_WITHIN = 40_000;', 'ENDS_WITHIN = 400_000;'],
  ['scripts/upgrade/server.ts', 'READY_WITHIN = 90;', 'READY_WITHIN = 900;'],
];

const git = (where: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: where, stdio: 'pipe' });

function replaceIn(folder: string, changes: readonly Change[]): void {
  for (const [pattern, from, to] of changes) {
    const [file = pattern] = globSync(pattern, { cwd: folder });
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} does not say ${from}.`);
    writeFileSync(path, changed);
  }
}

/** Hard-links this checkout's packages. Omits development dependencies, which each upgrade would have to link again. */
function linkPackages(to: string): void {
  const modules = join(ROOT, 'node_modules');
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const names = Object.keys(packages).flatMap((path) => {
    const [, name = ''] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name && !packages[path]?.dev && existsSync(join(modules, name)) ? [name] : [];
  });
  mkdirSync(to);
  spawnSync('cp', ['-al', '--parents', '.bin', '.common-ink-lock', ...names, to], { cwd: modules });
}

export class UpgradableSite {
  readonly #folder = mkdtempSync(join(tmpdir(), 'common-ink-upgradable-'));
  readonly #upstream = join(this.#folder, 'upstream');
  readonly checkout = join(this.#folder, 'site');
  readonly data = join(this.#folder, 'data');
  readonly port: number;
  readonly environment: NodeJS.ProcessEnv;

  private constructor(port: number) {
    this.port = port;
    this.environment = {
      ...process.env,
      PORT: `${port}`,
      DATA_DIR: this.data,
      EMBEDDED_RATE_LIMITS: 'off',
      LOG_FORMAT: 'text',
    };
  }

  /** Clones the last commit without its tests, and adds the packages and the build of this checkout. */
  static async create(): Promise<UpgradableSite> {
    const site = new UpgradableSite(await freePort());
    git(site.#folder, 'clone', '-q', '--no-tags', ROOT, site.#upstream);
    git(site.#upstream, 'checkout', '-q', '-B', 'base');
    git(site.#upstream, 'rm', '-rq', 'tests', '*.test.ts', '*.test.tsx');
    mkdirSync(join(site.#upstream, 'release-base', 'below'), { recursive: true });
    writeFileSync(join(site.#upstream, 'release-base', 'below', 'name.txt'), 'base');
    git(site.#upstream, 'add', 'release-base');
    replaceIn(site.#upstream, PATIENT);
    git(site.#upstream, 'commit', '-qam', 'base');
    git(site.#folder, 'clone', '-q', '-b', 'base', site.#upstream, site.checkout);
    linkPackages(join(site.checkout, 'node_modules'));
    cpSync(join(ROOT, 'dist'), join(site.checkout, 'dist'), { recursive: true });
    return site;
  }

  /** Commits `changes` to the base release and tags the result. The folder `release-TAG` shows which is in place. */
  release(tag: string, changes: readonly Change[]): void {
    git(this.#upstream, 'checkout', '-q', '--detach', 'base');
    git(this.#upstream, 'mv', 'release-base', `release-${tag}`);
    replaceIn(this.#upstream, changes);
    git(this.#upstream, 'commit', '-qam', tag);
    git(this.#upstream, 'tag', tag);
  }

  /**
   * Tags a release with newer data. Its build script only copies a prepared build, to which `changes` are applied,
   * because building would take most of an upgrade's time.
   */
  releaseBuilt(tag: string, changes: readonly Change[]): void {
    const built = join(this.#folder, `built-${tag}`);
    cpSync(join(ROOT, 'dist'), built, { recursive: true });
    replaceIn(built, [NEWER_DATA_BUILT, ...changes]);
    const copying = `
import { cpSync, writeFileSync } from 'node:fs';
import { DIST, STAMP_FILE, sourceStamp } from './build-stamp.ts';
cpSync(${JSON.stringify(built)}, DIST, { recursive: true });
writeFileSync(STAMP_FILE, sourceStamp());
`;
    const script = git(this.#upstream, 'show', 'base:scripts/build.ts').toString();
    this.release(tag, [NEWER_DATA, ['scripts/build.ts', script, copying]]);
  }

  start(environment: NodeJS.ProcessEnv = {}) {
    const server = spawn('sh', ['scripts/start.sh'], {
      cwd: this.checkout,
      env: { ...this.environment, ...environment },
      detached: true,
      stdio: 'ignore',
    });
    server.unref();
    return server;
  }

  /** Starts the site for the first time, and creates an account and a post. */
  async begin(): Promise<void> {
    this.start();
    await this.until(async () => (await this.health()) === 'ok\n');
    const user = { userId: 'ada', email: 'ada@example.com', password: 'Correct-horse-1', name: 'Ada' };
    await new Users(this.#client()).create(user);
    await this.until(() => this.publish('before').then(() => true));
  }

  async stop(): Promise<void> {
    const { pid } = this;
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
    while (this.pid !== undefined) await sleep(100);
  }

  async remove(): Promise<void> {
    await this.stop();
    spawn('rm', ['-rf', this.#folder], { detached: true, stdio: 'ignore' }).unref();
  }

  /** The id of the server process that has the data open. */
  get pid(): number | undefined {
    const holder = currentHolder(join(this.data, 'backend'));
    return holder && holder !== 'unknown' ? holder.pid : undefined;
  }

  /** Returns the body of `/healthz`, by which the tests tell releases apart. @throws if no server answers */
  async health(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.port}/healthz`, { signal: AbortSignal.timeout(60_000) })).text();
  }

  #client(): Client {
    const key = readFileSync(join(this.data, 'server-key'), 'utf8').trim();
    return new Client().setEndpoint(`http://127.0.0.1:${this.port}/v1`).setProject('common-ink').setKey(key);
  }

  /** Creates a post. Use `inactive` for many posts: an upgrade reads each published post from a copy of the site. */
  async publish(id: string, status: 'active' | 'inactive' = 'active'): Promise<void> {
    await new Databases(this.#client()).createDocument({
      ...POSTS,
      documentId: id,
      data: { title: id, content: '<p>Some text.</p>', status, featuredImage: '', userId: 'ada' },
      permissions: postPermissions(status, 'ada'),
    });
  }

  async slugs(): Promise<string[]> {
    const { documents } = await new Databases(this.#client()).listDocuments({
      ...POSTS,
      queries: [Query.limit(1_000_000), Query.select(['$id'])],
    });
    return documents.map(({ $id }) => $id).sort();
  }

  /** Waits until `holds` returns true; until then it may throw. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 600_000; Date.now() < end; await sleep(100))
      if (await holds().catch(() => false)) return;
    throw new Error('It never was so.');
  }

  npm(command: 'upgrade' | 'rollback' | 'doctor', args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    const env = { ...this.environment, ...environment };
    return run('npm', ['run', '-s', command, '--', ...args], { cwd: this.checkout, env });
  }
}

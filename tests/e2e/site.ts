/** Fixtures of the end-to-end tests: a real site per worker, writers, posts, and a signed-in page. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@common-ink/http/free-port.ts';
import { createPasswords, QUICK_PASSWORDS } from 'embedded-appwrite/testing';
import { Client, Databases, ID, Storage, Users } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from 'playwright/test';
import { WEBHOOK_PATH, webhookSignature } from '#api/handlers/webhook.ts';
import type { ServerTarget } from '#backend/target.ts';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import { type PictureSize, pictureId } from '#blog/pictures/file-id.ts';
import type { PostStatus } from '#blog/post.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../support/backend-process.ts';
import { writeProvisioned } from '../support/embedded-site.ts';
import { picture } from './pictures.ts';
import { BACKEND_IDS, RemoteAppwrite } from './remote.ts';

export { expect };

export const PASSWORD = 'Correct-horse-1';
/**
 * A hash of `PASSWORD` that is quick to verify, for the writer of each test. Verifying a full hash takes as long as
 * opening a page.
 */
const quickHash = createPasswords(QUICK_PASSWORDS).hash(PASSWORD, { id: 'tests', credit: 0 });
/** The key with which `#told` signs webhooks in place of the remote Appwrite. */
const WEBHOOK_SECRET = 'secret-of-the-webhook';

/** The backend's location: in the site's process, behind the site's gateway, or reached by browsers directly. */
export type Access = 'embedded' | 'gateway' | 'direct';
const IDS = { project: 'common-ink', bucket: 'media' } as const;
export const ARTICLES = { databaseId: 'blog', collectionId: 'articles' } as const;

export type Writer = Readonly<Record<'id' | 'name' | 'email' | 'password' | 'session', string>>;

export interface NewPost {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly status: PostStatus;
  /** Size of the picture. If given, it is part of the picture's id, as after an upload by the form. */
  readonly size?: PictureSize;
}

export class RunningSite {
  readonly url: string;
  readonly dataDirectory: string;
  readonly access: Access;
  readonly remote: RemoteAppwrite | undefined;
  /** Environment of the server and of the operator's commands. */
  readonly environment: NodeJS.ProcessEnv;
  readonly #build: string;
  readonly #before: readonly string[];
  #process: ChildProcess | undefined;
  said = '';

  constructor(port: number, dataDirectory: string, options: SiteOptions & { readonly remote?: RemoteAppwrite } = {}) {
    const { environment = {}, access = 'embedded', build = 'dist', before = [], remote, host } = options;
    this.url = `http://${host ?? '127.0.0.1'}:${port}`;
    this.#build = build;
    this.#before = before;
    this.dataDirectory = dataDirectory;
    this.access = access;
    this.remote = remote;
    this.environment = {
      PORT: `${port}`,
      DATA_DIR: dataDirectory,
      EMBEDDED_RATE_LIMITS: 'off',
      LOG_FORMAT: 'text',
      WEBHOOK_SECRET,
      PICTURE_COPY_ALLOW: '127.0.0.1',
      ...(host && { SITE_URL: this.url }),
      ...(remote && access !== 'embedded' && remote.environment(access)),
      ...environment,
    };
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** The backend's URL for browsers, which ends in `/v1`. */
  get backend(): string {
    return this.access === 'direct' && this.remote ? this.remote.target.endpoint : `${this.url}/v1`;
  }

  /** The backend's own URL, even if browsers use the gateway's. */
  get #endpoint(): string {
    return this.remote?.target.endpoint ?? `${this.url}/v1`;
  }

  /**
   * Starts the built server with the production flags, and waits until it is ready and has loaded its pages. A render
   * that runs while the pages are being loaded may take too long on a busy machine.
   */
  async start(): Promise<void> {
    const isStarted = 'LOG_LEVEL' in this.environment ? /is ready/ : /Every page is loaded|pages could not be loaded/;
    const node = [process.execPath, ...SERVICE_FLAGS, join(this.#build, 'server/entry.mjs')];
    const [program = '', ...args] = [...this.#before, ...node];
    const child = spawn(program, args, {
      env: { ...process.env, ...SERVICE_ENVIRONMENT, NODE_ENV: 'production', ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    this.said = '';
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        this.said += chunk;
        if (isStarted.test(this.said)) resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code, signal) => {
        // The process ended although `stop` was not called.
        if (this.#process === child) console.error(`The site ended (${code ?? signal}):\n${this.said.slice(-4000)}`);
        reject(new Error(`The site ended with code ${code}:\n${this.said}`));
      });
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Stops the site and its remote and deletes their data. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.remote?.remove();
    rmSync(this.dataDirectory, { recursive: true, force: true });
  }

  /** Runs a command of `scripts` as this site's operator and returns its output. Rejects if it fails. */
  async command(name: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [`scripts/${name}.ts`, ...args], {
      env: { ...process.env, ...this.environment },
    });
    return stdout;
  }

  /** The backend as the server reaches it, with the server key. */
  get target(): ServerTarget & { readonly apiKey: string } {
    const apiKey = this.remote?.target.apiKey ?? readFileSync(join(this.dataDirectory, 'server-key'), 'utf8').trim();
    return { ...BACKEND_IDS, endpoint: this.#endpoint, apiKey };
  }

  /** Returns a client with the server key: every scope, no permission checks. */
  admin(): Client {
    return new Client().setEndpoint(this.#endpoint).setProject(IDS.project).setKey(this.target.apiKey);
  }

  as(writer: Writer): Client {
    return new Client().setEndpoint(this.#endpoint).setProject(IDS.project).setSession(writer.session);
  }

  readonly status = async (path: string): Promise<number> => (await fetch(this.url + path)).status;
  /** Reads a page until a busy site no longer sends an outdated version. With a remote, returns the first response. */
  readonly text = async (path: string): Promise<string> => {
    for (;;) {
      const response = await fetch(this.url + path);
      const text = await response.text();
      if (this.remote || !response.headers.get('x-page')?.startsWith('stale')) return text;
    }
  };

  stored(documentId: string) {
    return new Databases(this.admin()).getDocument({ ...ARTICLES, documentId });
  }

  /** Changes a post directly in the backend, as `writer` or with the server key. */
  update(documentId: string, data: object, writer?: Writer) {
    return new Databases(writer ? this.as(writer) : this.admin()).updateDocument({ ...ARTICLES, documentId, data });
  }

  async delete(documentId: string): Promise<void> {
    await new Databases(this.admin()).deleteDocument({ ...ARTICLES, documentId });
  }

  /** Returns the URL that pages use for a stored picture. */
  view(fileId: string): string {
    return `${this.backend}/storage/buckets/${IDS.bucket}/files/${fileId}/view?project=${IDS.project}`;
  }

  async writer(name = 'Ada Sample'): Promise<Writer> {
    const users = new Users(this.admin());
    const email = `${ID.unique()}@example.com`;
    const user = await users.createArgon2User({ userId: ID.unique(), email, password: await quickHash, name });
    const session = await this.session({ id: user.$id });
    return { id: user.$id, name, email, password: PASSWORD, session };
  }

  /** Signs a writer in again, as on another device. Returns the session's secret. */
  async session({ id }: Pick<Writer, 'id'>): Promise<string> {
    return (await new Users(this.admin()).createSession({ userId: id })).secret;
  }

  async upload(writer: Writer, bytes: Buffer, name: string, status: PostStatus = 'active', fileId = ID.unique()) {
    const file = InputFile.fromBuffer(bytes, name);
    const permissions = filePermissions(status, writer.id);
    await new Storage(this.as(writer)).createFile({ bucketId: IDS.bucket, fileId, file, permissions });
    return fileId;
  }

  /** Sets the permissions of a post's picture and then the post's status, as the form does, and notifies the site. */
  async setStatus(writer: Writer, { id, featuredImage }: { id: string; featuredImage: string }, status: PostStatus) {
    const permissions = postPermissions(status, writer.id);
    await new Storage(this.as(writer)).updateFile({ bucketId: IDS.bucket, fileId: featuredImage, permissions });
    const databases = new Databases(this.as(writer));
    await databases.updateDocument({ ...ARTICLES, documentId: id, data: { status }, permissions });
    await this.revalidate(writer, id);
  }

  /** Uploads a picture and creates a post with it through the API, in the form's order. */
  async post(writer: Writer, { size, ...given }: Partial<NewPost> = {}) {
    const id = given.id ?? `post-${ID.unique()}`;
    const post = { title: `Title of ${id}`, content: '<p>Some text.</p>', status: 'active' as const, ...given, id };
    const bytes = await picture(size?.width, size?.height);
    const fileId = size && pictureId(ID.unique(), size);
    const featuredImage = await this.upload(writer, bytes, 'picture.png', post.status, fileId);
    await this.#create(writer, { ...post, featuredImage, userId: writer.id });
    return { ...post, featuredImage };
  }

  /**
   * Publishes a post without a picture and returns its slug. The backend accepts any `userId`; another user's id makes
   * the post a forgery.
   */
  async publishText(writer: Writer, title: string, slug = `post-${ID.unique()}`, userId = writer.id): Promise<string> {
    const post = { id: slug, title, content: '<p>Plain.</p>', featuredImage: '', status: 'active' as const };
    await this.#create(writer, { ...post, userId });
    return slug;
  }

  async #create(writer: Writer, { id, ...data }: Omit<NewPost, 'size'> & { featuredImage: string; userId: string }) {
    const document = { ...ARTICLES, documentId: id, data, permissions: postPermissions(data.status, writer.id) };
    const created = await new Databases(this.as(writer)).createDocument(document);
    if (!this.remote && data.featuredImage) await this.revalidate(writer, id);
    await this.#told(`databases.blog.collections.articles.documents.${id}.create`, created);
  }

  /** Waits until the site has stored the post's new pages, as the form does. */
  async revalidate(writer: Writer, slug: string): Promise<void> {
    const headers = { 'content-type': 'application/json', cookie: `a_session_${IDS.project}=${writer.session}` };
    const request = { method: 'POST', headers, body: JSON.stringify({ slug }) };
    let response = await fetch(`${this.url}/api/revalidate`, request);
    // A busy site asks the client to try again.
    while (response.status === 503) response = await fetch(`${this.url}/api/revalidate`, request);
    if (!response.ok) throw new Error(`The revalidation was answered ${response.status}: ${await response.text()}`);
  }

  /** Renders all pages again, which requires the site's `REBUILD_TOKEN`. The response arrives once they are stored. */
  rebuild(): Promise<Response> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.environment.REBUILD_TOKEN}` };
    return fetch(`${this.url}/api/rebuild`, { method: 'POST', headers, body: '{"all":true}' });
  }

  /** Tells the site about a write in a remote Appwrite, as a webhook does. Does nothing with an embedded backend. */
  async #told(event: string, payload: object): Promise<void> {
    if (!this.remote) return;
    const [url, body] = [this.url + WEBHOOK_PATH, JSON.stringify(payload)];
    const headers = {
      'content-type': 'application/json',
      'x-appwrite-webhook-events': event,
      'x-appwrite-webhook-signature': webhookSignature(WEBHOOK_SECRET, url, Buffer.from(body)),
    };
    const response = await fetch(url, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`The webhook was answered ${response.status}: ${await response.text()}`);
  }

  fileExists(fileId: string): Promise<boolean> {
    const got = new Storage(this.admin()).getFile({ bucketId: IDS.bucket, fileId });
    return got.then(() => true).catch(() => false);
  }
}

export interface SiteOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Default: `embedded`. */
  readonly access?: Access;
  /** Folder of the build (default: `dist`). */
  readonly build?: string;
  /** Starts on an empty data folder (default: on a provisioned one, which is quicker). */
  readonly isNew?: boolean;
  /** Files in the data folder, such as `site.toml`. */
  readonly files?: Readonly<Record<string, string>>;
  /** A program that starts the server process (such as taskset), and its arguments. */
  readonly before?: readonly string[];
  /** The site's host (default: 127.0.0.1). Passkeys work on localhost, but not on an IP address. */
  readonly host?: 'localhost';
  /** Port of the loopback SMTP server through which the backend sends email. */
  readonly smtpPort?: number;
}

const MAIL_FROM = 'ink@example.com';

/** Starts a separate site for tests that would disturb others (rate limits, stops). `await using` removes it. */
export async function ownSite(options: SiteOptions = {}): Promise<RunningSite> {
  const remote = await ownRemote(options);
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-e2e-'));
  if (!remote && !options.isNew) await writeProvisioned(join(folder, 'backend'));
  for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), text);
  const environment = {
    ...(options.smtpPort && !remote && { SMTP_HOST: '127.0.0.1', SMTP_PORT: `${options.smtpPort}`, MAIL_FROM }),
    ...options.environment,
  };
  const site = new RunningSite(await freePort(), folder, { ...options, environment, ...(remote && { remote }) });
  await site.start();
  return site;
}

/**
 * Starts a site's remote Appwrite, if it has one. Behind the gateway, Appwrite trusts the site's host only if it sends
 * emails, which link to that host. If browsers reach Appwrite directly, its host name differs from the site's, so that
 * the two do not share cookies.
 */
async function ownRemote({ access = 'embedded', smtpPort, host: own }: SiteOptions) {
  if (access === 'embedded') return undefined;
  const settings = { host: '127.0.0.1', port: smtpPort ?? 0, secure: 'none', from: { address: MAIL_FROM } } as const;
  const origin = access === 'direct' || smtpPort ? (own ?? '127.0.0.1') : 'appwrite.example.com';
  const host = access === 'direct' && !own ? 'localhost' : '127.0.0.1';
  const remote = new RemoteAppwrite(host, await freePort(), [origin], smtpPort ? settings : undefined);
  await remote.start();
  return remote;
}

export const removeSite = (site: RunningSite): Promise<void> => site[Symbol.asyncDispose]();

/** Returns the cookie that a browser has once `writer` is signed in. */
export function sessionCookie(site: RunningSite, writer: Writer) {
  const { hostname: domain } = new URL(site.url);
  const name = `a_session_${IDS.project}`;
  return { name, value: writer.session, domain, path: '/', httpOnly: true, sameSite: 'Lax' as const };
}

/**
 * Signs `writer` in within a browser context.
 * @returns the page used for this; tests continue with it, because opening another takes as long as a test step
 */
export async function signIn(context: BrowserContext, site: RunningSite, writer: Writer): Promise<Page> {
  const cookie = sessionCookie(site, writer);
  // The browser blocks another site's cookies, so the SDK stores the session in its local storage.
  const kept = site.access === 'direct' ? JSON.stringify({ [cookie.name]: writer.session }) : '';
  if (!kept) await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(`${site.url}/favicon.svg`);
  await page.evaluate((fallback) => {
    localStorage.setItem('common-ink:session', '1');
    if (fallback) localStorage.setItem('cookieFallback', fallback);
  }, kept);
  return page;
}

/**
 * Makes pages wait ten times as long for the browser's database as `draft-store.ts` does (3 and 15 seconds), because
 * the database of a busy machine may take longer. `silent-storage.spec.ts` tests the behaviour after a timeout.
 */
export async function patient(context: BrowserContext): Promise<BrowserContext> {
  await context.addInitScript(() => {
    const { setTimeout: begin } = window;
    const patiently = (work: TimerHandler, wait = 0, ...given: unknown[]) =>
      begin(work, wait === 3000 || wait === 15_000 ? 10 * wait : wait, ...given);
    Object.assign(window, { setTimeout: patiently });
  });
  return context;
}

interface Visit extends BrowserContextOptions {
  /** The writer to sign in (default: none, a guest). */
  readonly as?: Writer;
  /** Default: the worker's site. */
  readonly at?: RunningSite;
  readonly path?: string;
}

interface WorkerFixtures {
  /** Set by the project (`playwright.config.ts`). */
  access: Access;
  site: RunningSite;
  /**
   * Opens a resource once per worker, for all tests that share it. A worker-scoped fixture in one file would start
   * another worker, with its own browser and site.
   */
  shared: <T extends AsyncDisposable>(open: (access: Access) => Promise<T>) => Promise<T>;
}
interface Fixtures {
  writer: Writer;
  writerPage: Page;
  /** Opens a page in a new browser context, which is closed after the test. */
  open: (visit?: Visit) => Promise<Page>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  access: ['embedded', { option: true, scope: 'worker' }],
  site: [
    async ({ access }, use) => {
      await using site = await ownSite({ access });
      await use(site);
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  shared: [
    async ({ access }, use) => {
      const opened = new Map<unknown, Promise<AsyncDisposable>>();
      await use(<T extends AsyncDisposable>(open: (access: Access) => Promise<T>) => {
        const known = opened.get(open) ?? open(access);
        opened.set(open, known);
        return known as Promise<T>;
      });
      for (const each of opened.values()) await (await each)[Symbol.asyncDispose]();
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  writer: async ({ site }, use) => use(await site.writer()),
  writerPage: async ({ open, writer }, use) => use(await open({ as: writer })),
  open: async ({ browser, site }, use, testInfo) => {
    const contexts: BrowserContext[] = [];
    await use(async ({ as: writer, at = site, path, ...options } = {}) => {
      const context = await patient(await browser.newContext({ baseURL: at.url, ...options }));
      contexts.push(context);
      const page = await (writer ? signIn(context, at, writer) : context.newPage());
      if (path) await page.goto(path);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    if (testInfo.status !== 'timedOut') return;
    // The trace says nothing about a test that hangs outside its pages.
    console.log(
      `Contexts: ${contexts.length}. Active: ${process.getActiveResourcesInfo().join(', ')}.\n${site.said.slice(-4000)}`,
    );
  },
});

/** Returns a `test` function with a fixture that is opened once per worker. */
export const withShared = <Name extends string, T extends AsyncDisposable>(
  name: Name,
  open: (access: Access) => Promise<T>,
) =>
  test.extend<Readonly<Record<Name, T>>>({
    [name]: async ({ shared }: WorkerFixtures, use: (opened: T) => Promise<void>) => use(await shared(open)),
  } as never);

/** Returns a growing list of the page's requests below `/v1`. */
export function backendRequests(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1')) seen.push(`${request.method()} ${pathname}`);
  });
  return seen;
}

/** Returns a growing list of the page's violations of the content security policy. */
export function policyViolations(page: Page): string[] {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  return violations;
}

/** Returns a growing list of the URLs containing `part` that the page requests, with `method` or, by default, any. */
export function sentBy(page: Page, part: string, method = ''): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(part) && request.method().startsWith(method)) sent.push(request.url());
  });
  return sent;
}

type Path = Parameters<Page['route']>[0];

/** Holds requests to a path until the returned function is called. */
export async function hold(page: Page, path: Path, method?: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (!method || route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

/** Answers requests to a path with an error until the returned function is called. */
export async function refuse(page: Page, path: Path, { status = 500, message = '', method = '' } = {}) {
  const json = { message, code: status, type: 'general_unknown', version: '1.9.6' };
  await page.route(path, (route) =>
    method && route.request().method() !== method ? route.continue() : route.fulfill({ status, json }),
  );
  return () => page.unroute(path);
}

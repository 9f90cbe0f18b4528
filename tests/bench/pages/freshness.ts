/** How soon a write is on the pages, and what a page costs that is not stored. */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { postPermissions } from '#blog/permissions.ts';
import { sdkHeaders } from '../data.ts';
import { ARTICLES, CONTENT, WRITER } from './posts.ts';
import { median, type Report } from './report.ts';
import { PROJECT, type Server } from './servers.ts';

const WARM_UP = 30;
const CHANGES = 100;
const COLD_PAGES = 200;
/** Pages after which the engine has compiled what it will. */
const WARM_PAGES = 1000;
/** List pages that are stored and outdated by each write. */
const LIST_PAGES = 400;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
}

/** A client with connections of its own. */
class Client {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const text = body === undefined ? '' : JSON.stringify(body);
    const json = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const request = httpRequest(this.#url + path, {
      method,
      agent: this.#agent,
      headers: { ...this.#headers, ...headers, ...(text && json) },
    });
    request.on('error', reject).on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const cookies = response.headers['set-cookie'] ?? [];
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), cookies });
    });
    request.end(text);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The writer's browser, signed in. */
async function signedIn(site: Server): Promise<Client> {
  const headers = { ...sdkHeaders(), 'x-appwrite-project': PROJECT, origin: site.url };
  const { email, password } = WRITER;
  const visitor = new Client(site.url, headers);
  const { status, text, cookies } = await visitor.ask('POST', '/v1/account/sessions/email', { email, password });
  visitor.close();
  if (status !== 201) throw new Error(`The writer could not sign in: ${status} ${text}`);
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  return new Client(site.url, { ...headers, cookie, 'accept-encoding': 'identity' });
}

/** A site with its newest post, a writer who changes it and a reader who looks for the change. */
class Desk {
  readonly write: number[] = [];
  readonly fresh: number[] = [];
  readonly #slug = `newest-${Date.now()}`;
  readonly #writer: Client;
  readonly #reader: Client;
  #updatedAt = '';
  #changes = 0;

  constructor(site: Server, writer: Client) {
    this.#writer = writer;
    this.#reader = new Client(site.url);
  }

  async publish(): Promise<void> {
    const data = { title: 'Newest', content: CONTENT, featuredImage: 'none', status: 'active', userId: WRITER.userId };
    const body = { documentId: this.#slug, data, permissions: postPermissions('active', WRITER.userId) };
    this.#updatedAt = updatedAt(await this.#writer.ask('POST', `/v1${ARTICLES}`, body));
  }

  /** One update as the form sends it; then the reader asks, a millisecond after each answer, until home and post show it. */
  async change(): Promise<void> {
    const title = `Changed for the ${++this.#changes}. time.`;
    const data = { title, content: CONTENT, featuredImage: 'none', status: 'active' };
    const begun = performance.now();
    const answer = await this.#writer.ask(
      'PATCH',
      `/v1${ARTICLES}/${this.#slug}`,
      { data, permissions: postPermissions('active', WRITER.userId) },
      { 'x-appwrite-timestamp': this.#updatedAt },
    );
    const answered = performance.now();
    this.#updatedAt = updatedAt(answer);
    const until = async (path: string): Promise<number> => {
      while (!(await this.#reader.ask('GET', path)).text.includes(title)) await sleep(1);
      return performance.now() - answered;
    };
    const times = await Promise.all([until('/'), until(`/post/${this.#slug}`)]);
    this.write.push(answered - begun);
    this.fresh.push(Math.max(...times));
  }

  /** What went before was to warm up. */
  forget(): void {
    this.write.length = 0;
    this.fresh.length = 0;
  }

  close(): void {
    this.#writer.close();
    this.#reader.close();
  }
}

function updatedAt({ status, text }: Answer): string {
  if (status !== 200 && status !== 201) throw new Error(`The write was refused: ${status} ${text}`);
  return (JSON.parse(text) as { $updatedAt: string }).$updatedAt;
}

async function read(client: Client, path: string): Promise<number> {
  const begun = performance.now();
  const { status } = await client.ask('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return performance.now() - begun;
}

/** Posts from the n-th on that nobody has asked for yet, one after the other. */
async function coldPages(site: Server, from: number, coding: string, count = COLD_PAGES): Promise<number[]> {
  const reader = new Client(site.url, { 'accept-encoding': coding });
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await read(reader, `/post/post-${i + from}`));
  reader.close();
  return times;
}

/** `few` and `many` are two sites, of 100 and of `posts` posts; what happens to the machine happens to both. */
export async function benchFreshness(report: Report, few: Server, many: Server, posts: number): Promise<void> {
  const desks = [new Desk(few, await signedIn(few)), new Desk(many, await signedIn(many))] as const;
  const reader = new Client(many.url);
  for (let page = 1; page <= Math.min(LIST_PAGES, posts / 24); page++) {
    await read(reader, page === 1 ? '/' : `/page/${page}`);
  }
  const others = ['/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml', '/archive', `/author/${WRITER.userId}`];
  for (const path of others) await read(reader, path);
  reader.close();
  for (const desk of desks) await desk.publish();
  for (let i = 0; i < WARM_UP; i++) for (const desk of desks) await desk.change();
  for (const desk of desks) desk.forget();
  for (let i = 0; i < CHANGES; i++)
    for (const desk of desks) {
      await desk.change();
      // A change is not measured beside what is left of the one before.
      await sleep(20);
    }
  for (const desk of desks) desk.close();
  // As in a process that has run for a while: before, the engine has not compiled all that a page needs.
  const early = await coldPages(many, 200, 'identity');
  const warm = Math.max(0, Math.min(WARM_PAGES, posts - 200 - 3 * COLD_PAGES));
  await coldPages(many, 200 + COLD_PAGES, 'br', warm);
  const from = 200 + COLD_PAGES + warm;
  const cold = await coldPages(many, from, 'identity');
  const packed = await coldPages(many, from + COLD_PAGES, 'br');
  const [small, large] = desks;
  report.line('a post that is not stored, backend included', median(cold), { most: 5 }, 'ms');
  report.note(`its worst of ${COLD_PAGES}: ${Math.max(...cold).toFixed(1)} ms`);
  report.note(`the first ${COLD_PAGES} that the process rendered: ${median(early).toFixed(2)} ms`);
  report.note(`others, compressed for the one who asks: ${median(packed).toFixed(2)} ms`);
  report.line(`the write, ${posts} posts, median`, median(large.write), { most: 30 }, 'ms');
  report.line(`the write, ${posts} posts, worst of ${CHANGES}`, Math.max(...large.write), { most: 30 }, 'ms');
  report.line(`write to fresh home and post, ${posts} posts, median`, median(large.fresh), { most: 10 }, 'ms');
  report.line(`write to fresh home and post, worst of ${CHANGES}`, Math.max(...large.fresh), { most: 30 }, 'ms');
  report.note(
    `with 100 posts: median ${median(small.fresh).toFixed(2)}, worst ${Math.max(...small.fresh).toFixed(1)} ms`,
  );
  report.line(`median with ${posts} posts beside 100`, median(large.fresh) / median(small.fresh), { most: 1.2 });
  report.note(`Resident: ${(await many.residentMiB()).toFixed(0)} MiB`);
}

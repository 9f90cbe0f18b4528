import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { postPermissions } from '#blog/permissions.ts';
import {
  ARCHIVE,
  ATOM_FEED,
  authorPath,
  HOME,
  JSON_FEED,
  pagePath,
  postPath,
  RSS_FEED,
  SITEMAP,
} from '#blog/routes/paths.ts';
import { send } from '../../support/gateway.ts';
import { sdkHeaders } from '../data.ts';
import { median } from '../figures.ts';
import type { Report } from '../report.ts';
import { tagPages } from '../tagged.ts';
import { ARTICLES, WRITER } from './posts.ts';
import { PROJECT, type Server, SITE_URL, TOKEN } from './servers.ts';
import type { BenchPost, Texts } from './texts.ts';

const WARM_UP = 30;
const CHANGES = 100;
const PUBLISHED = 50;
const TITLES = 50;
/** Maximum number of list pages stored before the measurement. Each write makes them all stale. */
const LIST_PAGES = 400;
/** Milliseconds between two changes, so that work left over from the first doesn't affect the second. */
const PAUSE = 20;

export class Client {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const all = { ...this.#headers, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
    return send(this.#url + path, { method, agent: this.#agent, headers: all, body: JSON.stringify(body) });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function signedIn(site: Server): Promise<Client> {
  const headers = { ...sdkHeaders(), 'x-appwrite-project': PROJECT, origin: SITE_URL };
  const { email, password } = WRITER;
  const visitor = new Client(site.url, headers);
  const { status, text, headers: given } = await visitor.ask('POST', '/v1/account/sessions/email', { email, password });
  visitor.close();
  if (status !== 201) throw new Error(`The writer could not sign in: ${status} ${text}`);
  const cookie = (given['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  return new Client(site.url, { ...headers, cookie, 'accept-encoding': 'identity' });
}

/** A site's newest post, with a writer who changes it and a reader who polls for the change. */
class Editing {
  /** Milliseconds from the response to a change until the home page and the post show it. */
  readonly fresh: number[] = [];
  /** Milliseconds from the response to publishing a post until the home page and the post show it. */
  readonly published: number[] = [];
  /** Milliseconds to render the post's page after only its title changed. */
  readonly titleRenders: number[] = [];
  readonly #site: Server;
  readonly #slug = `newest-${Date.now()}`;
  readonly #post: BenchPost;
  readonly #writer: Client;
  readonly #reader: Client;
  #updatedAt = '';
  #changes = 0;
  #published = 0;

  constructor(site: Server, writer: Client, post: BenchPost) {
    this.#site = site;
    this.#post = post;
    this.#writer = writer;
    this.#reader = new Client(site.url);
  }

  async publish(): Promise<void> {
    this.#updatedAt = await this.#create(this.#slug, this.#post.title);
  }

  async publishAnother(): Promise<void> {
    const n = ++this.#published;
    const [slug, title] = [`${this.#slug}-${n}`, `Published as the ${n}. post.`];
    await this.#create(slug, title);
    this.published.push(await this.#untilShown(slug, title));
  }

  /** Changes title and text, then polls home page and post, 1 ms after each answer, until both show the change. */
  async change(): Promise<void> {
    const title = await this.#update(`<p>Added with change ${this.#changes + 1}.</p>`);
    this.fresh.push(await this.#untilShown(this.#slug, title));
  }

  async #untilShown(slug: string, title: string): Promise<number> {
    const answered = performance.now();
    const until = async (path: string): Promise<number> => {
      while (!(await this.#reader.ask('GET', path)).text.includes(title)) await sleep(1);
      return performance.now() - answered;
    };
    return Math.max(...(await Promise.all([until(HOME), until(postPath(slug))])));
  }

  async #create(slug: string, title: string): Promise<string> {
    const data = { ...this.#post, title, status: 'active', userId: WRITER.userId };
    const body = { documentId: slug, data, permissions: postPermissions('active', WRITER.userId) };
    return updatedAt(await this.#writer.ask('POST', `/v1${ARTICLES}`, body));
  }

  /** Changes only the title and reads the render time of the post's page from the site. */
  async changeTitle(): Promise<void> {
    const title = await this.#update('');
    const path = postPath(this.#slug);
    while (!(await this.#reader.ask('GET', path)).text.includes(title)) await sleep(1);
    const answer = await fetch(`${this.#site.url}/api/pages?path=${path}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    this.titleRenders.push(((await answer.json()) as { renderMilliseconds: number }).renderMilliseconds);
  }

  /** Sends the form's request to change the title and append `added` to the content. Returns the new title. */
  async #update(added: string): Promise<string> {
    const title = `Changed for the ${++this.#changes}. time.`;
    const data = { ...this.#post, title, content: this.#post.content + added, status: 'active' };
    const answer = await this.#writer.ask(
      'PATCH',
      `/v1${ARTICLES}/${this.#slug}`,
      { data, permissions: postPermissions('active', WRITER.userId) },
      { 'x-appwrite-timestamp': this.#updatedAt },
    );
    this.#updatedAt = updatedAt(answer);
    return title;
  }

  forget(): void {
    this.fresh.length = 0;
  }

  close(): void {
    this.#writer.close();
    this.#reader.close();
  }
}

function updatedAt({ status, text }: Awaited<ReturnType<Client['ask']>>): string {
  if (status !== 200 && status !== 201) throw new Error(`The write was refused: ${status} ${text}`);
  return (JSON.parse(text) as { $updatedAt: string }).$updatedAt;
}

export async function read(client: Client, path: string): Promise<number> {
  const begun = performance.now();
  const { status } = await client.ask('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return performance.now() - begun;
}

interface Subject {
  readonly site: Server;
  readonly posts: number;
  readonly tags: number;
}

async function storeLists({ site, posts, tags }: Subject): Promise<void> {
  const reader = new Client(site.url);
  for (let page = 1; page <= Math.min(LIST_PAGES, posts / 24); page++) await read(reader, pagePath(HOME, page));
  const others = [RSS_FEED, ATOM_FEED, JSON_FEED, SITEMAP, ARCHIVE, authorPath(WRITER.userId), ...tagPages(tags)];
  for (const path of others) await read(reader, path);
  reader.close();
}

/** Alternates between `few` and `many`, an optional site with more posts, so that other load affects both equally. */
export async function benchFreshness(report: Report, texts: Texts, few: Subject, many?: Subject): Promise<void> {
  const subjects = many ? [few, many] : [few];
  const post = texts.at(texts.typical);
  const editings: Editing[] = [];
  for (const subject of subjects) {
    await storeLists(subject);
    const editing = new Editing(subject.site, await signedIn(subject.site), post);
    await editing.publish();
    editings.push(editing);
  }
  for (let i = 0; i < WARM_UP; i++) for (const editing of editings) await editing.change();
  for (const editing of editings) editing.forget();
  for (let i = 0; i < CHANGES; i++)
    for (const editing of editings) {
      await editing.change();
      await sleep(PAUSE);
    }
  const [small, large] = editings as [Editing, Editing?];
  for (let i = 0; i < TITLES; i++) {
    await small.changeTitle();
    await sleep(PAUSE);
  }
  // Publishing runs last, because it moves the changed post off the first page.
  for (let i = 0; i < WARM_UP; i++) for (const editing of editings) await editing.publishAnother();
  for (const editing of editings) editing.published.length = 0;
  for (let i = 0; i < PUBLISHED; i++)
    for (const editing of editings) {
      await editing.publishAnother();
      await sleep(PAUSE);
    }
  for (const editing of editings) editing.close();
  // Skips the first render, because the first change to the title also removed the text that `change` had added.
  report.line('a post after a change of its title alone', median(small.titleRenders.slice(1)), { most: 6 }, 'ms');
  report.line(`write to fresh home and post, ${few.posts} posts, median`, median(small.fresh), { most: 12 }, 'ms');
  const tagged = few.tags > 0 ? ` with 10 of ${few.tags} tags` : '';
  report.line(`a post${tagged} published until home and post show it`, median(small.published), { most: 12 }, 'ms');
  if (!many || !large) return;
  for (const [what, times] of [
    ['a change', (editing: Editing) => editing.fresh],
    ['a post published', (editing: Editing) => editing.published],
  ] as const) {
    const ratio = median(times(large)) / median(times(small));
    report.line(`${what}, median with ${many.posts} posts beside ${few.posts}`, ratio, { most: 1.3 });
  }
}

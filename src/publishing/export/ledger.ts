/**
 * What an export knows of the pages it wrote, kept in its folder from one run to the next: a whole, and behind it a line
 * for what each further run changed. Texts that many pages share are one text in memory, and one in the file.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PostSummary } from '#blog/post.ts';
import type { ExportFolder } from './folder.ts';

/** What an export has to know of a post. */
export type ListedPost = Pick<PostSummary, 'id' | 'title' | 'userId' | 'createdAt' | 'updatedAt'>;

export interface KnownPage {
  readonly etag: string | undefined;
  /** What the page's posts were when it was read (`versions.ts`). */
  readonly version: string;
  /** Asked for once since its posts changed and found the same: it is asked once more, for the server may be late. */
  readonly doubt?: true;
  /** Number of its header set. */
  readonly headers: number;
  readonly posts: readonly string[];
  readonly pages: readonly string[];
  readonly pictures: readonly string[];
  /** Of a post's page that was read for the search index: a checksum of its words. */
  readonly words?: string;
}

/** What is not of one page. */
interface Head {
  /** Of what all pages are made: the site's build and settings. */
  readonly look: string;
  /** Sets of headers: name, value, name, value. */
  readonly headerSets: readonly (readonly string[])[];
  /** What each part of the search index was made of. */
  readonly searchParts: readonly string[];
  /** Files of former builds, and since when (milliseconds since 1970) no page names them. */
  readonly formerAssets: Readonly<Record<string, number>>;
  /** When all posts were last asked for (milliseconds since 1970). */
  readonly walkedAt: number;
  /** A checksum of the authors' names. */
  readonly names: string;
}

const EMPTY: Head = { look: '', headerSets: [], searchParts: [], formerAssets: {}, walkedAt: 0, names: '' };

type WrittenPost = readonly [title: string, userId: string, createdAt: string, updatedAt: string];

interface Changes {
  readonly head: Head;
  /** null for what is no more. */
  readonly pages: Readonly<Record<string, KnownPage | null>>;
  readonly posts: Readonly<Record<string, WrittenPost | null>>;
}
/** Reading it is a good part of an export that finds little changed: lists of lists, in which texts that repeat are numbers. */
interface Whole {
  readonly form: number;
  /** Lines of changes belong to one whole. */
  readonly generation: number;
  readonly head: Head;
  readonly texts: readonly string[];
  readonly pages: readonly WholePage[];
  readonly posts: readonly (readonly [
    id: number,
    userId: number,
    title: string,
    createdAt: string,
    updatedAt: string,
  ])[];
}
type WholePage = readonly [
  path: number,
  etag: string | null,
  version: string,
  doubt: 0 | 1,
  headers: number,
  words: string | null,
  posts: readonly number[],
  pages: readonly number[],
  pictures: readonly number[],
];

const FORM = 5;
const WHOLE = 'pages.json';
const CHANGES = 'pages.changes';
/** Changes are made part of the whole when they are as long as this part of it, and not short. */
const SHARE = 0.5;
const SHORT = 64 * 1024;

export class Ledger {
  head: Head = EMPTY;
  readonly #pages = new Map<string, KnownPage>();
  readonly #posts = new Map<string, ListedPost>();
  readonly #texts = new Map<string, string>();
  readonly #changed = { pages: new Set<string>(), posts: new Set<string>() };
  #writtenHead: Head = EMPTY;
  #generation = 0;
  /** In characters. */
  #length = { whole: 0, changes: 0 };

  /** Empty where there is none that can be read, or the last run was interrupted. */
  static async read(folder: ExportFolder): Promise<Ledger> {
    const ledger = new Ledger();
    if (folder.wasInterrupted) return ledger;
    const [whole, changes] = await Promise.all([folder.note(WHOLE), folder.note(CHANGES)]);
    if (whole === undefined) return ledger;
    try {
      ledger.#load(whole, changes ?? '');
      return ledger;
    } catch {
      return new Ledger();
    }
  }

  get pages(): ReadonlyMap<string, KnownPage> {
    return this.#pages;
  }

  get posts(): ReadonlyMap<string, ListedPost> {
    return this.#posts;
  }

  setPage(path: string, page: KnownPage): void {
    const known = this.#pages.get(path);
    const kept = this.#shared(page, copied);
    if (known && isDeepStrictEqual(known, kept)) return;
    this.#pages.set(this.#text(path, copied), kept);
    this.#changed.pages.add(path);
  }

  deletePage(path: string): void {
    if (this.#pages.delete(path)) this.#changed.pages.add(path);
  }

  /** These are all the posts there are. */
  setPosts(posts: readonly ListedPost[]): void {
    const gone = new Set(this.#posts.keys());
    for (const post of posts) {
      gone.delete(post.id);
      const known = this.#posts.get(post.id);
      if (known === post) continue;
      const { title, createdAt, updatedAt } = post;
      const kept = {
        id: this.#text(post.id, copied),
        title,
        userId: this.#text(post.userId, copied),
        createdAt,
        updatedAt,
      };
      if (known && isDeepStrictEqual(known, kept)) continue;
      this.#posts.set(kept.id, kept);
      this.#changed.posts.add(kept.id);
    }
    for (const id of gone) {
      this.#posts.delete(id);
      this.#changed.posts.add(id);
    }
  }

  /** The number of a header set, which is added when it is new. */
  headerSetOf(headers: readonly string[]): number {
    const { headerSets } = this.head;
    const same = headerSets.findIndex((set) => isDeepStrictEqual(set, headers));
    if (same >= 0) return same;
    this.head = { ...this.head, headerSets: [...headerSets, headers] };
    return headerSets.length;
  }

  /** Writes down what changed since it was read or written. */
  async write(folder: ExportFolder): Promise<void> {
    const { pages, posts } = this.#changed;
    if (pages.size === 0 && posts.size === 0 && isDeepStrictEqual(this.head, this.#writtenHead)) return;
    const line = `${JSON.stringify({
      generation: this.#generation,
      head: this.head,
      pages: Object.fromEntries(Array.from(pages, (path) => [path, this.#pages.get(path) ?? null])),
      posts: Object.fromEntries(Array.from(posts, (id) => [id, writtenPost(this.#posts.get(id))])),
    })}\n`;
    const length = this.#length.changes + line.length;
    if (this.#generation > 0 && length < Math.max(SHORT, this.#length.whole * SHARE)) {
      await folder.appendNote(CHANGES, line);
      this.#length.changes = length;
    } else await this.#writeWhole(folder);
    pages.clear();
    posts.clear();
    this.#writtenHead = this.head;
  }

  async #writeWhole(folder: ExportFolder): Promise<void> {
    const numbers = new Map<string, number>();
    const numberOf = (text: string): number => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    };
    const pages = Array.from(
      this.#pages,
      ([path, { etag, version, doubt, headers, words, ...lists }]): WholePage => [
        numberOf(path),
        etag ?? null,
        version,
        doubt ? 1 : 0,
        headers,
        words ?? null,
        lists.posts.map(numberOf),
        lists.pages.map(numberOf),
        lists.pictures.map(numberOf),
      ],
    );
    const posts = Array.from(
      this.#posts.values(),
      ({ id, userId, title, createdAt, updatedAt }) =>
        [numberOf(id), numberOf(userId), title, createdAt, updatedAt] as const,
    );
    const whole: Whole = {
      form: FORM,
      // Of two wholes none is taken for the other, whatever became of the one before.
      generation: Math.max(Date.now(), this.#generation + 1),
      head: this.head,
      texts: [...numbers.keys()],
      pages,
      posts,
    };
    const text = JSON.stringify(whole);
    await folder.putNote(WHOLE, text);
    await folder.dropNote(CHANGES);
    this.#generation = whole.generation;
    this.#length = { whole: text.length, changes: 0 };
  }

  #load(text: string, lines: string): void {
    const whole = JSON.parse(text) as Whole;
    if (whole.form !== FORM) return;
    this.#generation = whole.generation;
    this.#length = { whole: text.length, changes: lines.length };
    this.#take(whole);
    for (const line of lines.split('\n')) {
      if (line === '') continue;
      const changes = JSON.parse(line) as Changes & { readonly generation: number };
      if (changes.generation === whole.generation) this.#apply(changes);
    }
    this.#writtenHead = this.head;
  }

  #take({ head, texts, pages, posts }: Whole): void {
    this.head = head;
    for (const text of texts) this.#texts.set(text, text);
    const textAt = (number: number): string => texts[number] as string;
    for (const [path, etag, version, doubt, headers, words, ...[named, further, pictures]] of pages) {
      this.#pages.set(textAt(path), {
        etag: etag ?? undefined,
        version,
        headers,
        posts: named.map(textAt),
        pages: further.map(textAt),
        pictures: pictures.map(textAt),
        ...(doubt === 1 && { doubt: true }),
        ...(words !== null && { words }),
      });
    }
    for (const [number, user, title, createdAt, updatedAt] of posts) {
      const id = textAt(number);
      this.#posts.set(id, { id, title, userId: textAt(user), createdAt, updatedAt });
    }
  }

  #apply({ head, pages, posts }: Changes): void {
    this.head = head;
    for (const [path, page] of Object.entries(pages)) {
      if (!page) {
        this.#pages.delete(path);
        continue;
      }
      this.#pages.set(this.#text(path), this.#shared(page));
    }
    for (const [id, post] of Object.entries(posts)) {
      if (!post) {
        this.#posts.delete(id);
        continue;
      }
      const [title, userId, createdAt, updatedAt] = post;
      this.#posts.set(this.#text(id), { id: this.#text(id), title, userId: this.#text(userId), createdAt, updatedAt });
    }
  }

  #shared(page: KnownPage, own?: (text: string) => string): KnownPage {
    const { posts, pages, pictures } = page;
    const text = (one: string) => this.#text(one, own);
    return { ...page, posts: posts.map(text), pages: pages.map(text), pictures: pictures.map(text) };
  }

  /** The same characters, once. */
  #text(text: string, own: (text: string) => string = (same) => same): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const kept = own(text);
    this.#texts.set(kept, kept);
    return kept;
  }
}

/** What was found in a page's text would keep all of that text in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

const writtenPost = (post: ListedPost | undefined): WrittenPost | null =>
  post ? [post.title, post.userId, post.createdAt, post.updatedAt] : null;

/**
 * Which pages a change of posts can have changed, without asking for them: each page is remembered with the posts it
 * names, and with what their versions were.
 */
import { checksum } from '../store/bodies.ts';
import type { ListedPost } from './ledger.ts';

/** Names more posts than are worth remembering one by one: it depends on all of them. */
export const EVERY_POST = '*';
const MOST_NAMES = 200;

/** The posts a page depends on, as they are remembered. */
export const remembered = (posts: readonly string[]): readonly string[] =>
  posts.length > MOST_NAMES ? [EVERY_POST] : posts;

const POST_PAGE = /^\/post\/([^/]+)$/;
const SHARE = /^\/post\/([^/]+)\/share\.png$/;
const AUTHOR = /^\/author\/([^/]+)/;
const YEAR = /^\/archive\/(\d{4})/;

/** The published posts at one moment, newest first. */
export class Versions {
  readonly #versions = new Map<string, string>();
  readonly #around = new Map<string, string>();
  readonly #lists = new Map<string, string[]>();
  readonly #orders = new Map<string, string>();
  /** What was worked out, by the page. */
  readonly #known = new Map<string, { readonly posts: readonly string[]; readonly version: string }>();
  #former: Versions | undefined;
  #all: string | undefined;

  /**
   * @param names of authors by their ids
   * @param former those of the run before: most pages depend on nothing that is another since
   */
  constructor(posts: readonly ListedPost[], names: ReadonlyMap<string, string>, former?: Versions) {
    this.#former = former;
    if (former) former.#former = undefined;
    posts.forEach(({ id, updatedAt, createdAt, userId }, at) => {
      this.#versions.set(id, `${id} ${updatedAt} ${names.get(userId) ?? ''}`);
      this.#around.set(id, `${posts[at - 1]?.id} ${posts[at + 1]?.id}`);
      for (const list of ['', `author ${userId}`, `year ${createdAt.slice(0, 4)}`]) {
        const ids = this.#lists.get(list);
        if (ids) ids.push(id);
        else this.#lists.set(list, [id]);
      }
    });
  }

  /** Says the same as long as nothing changed that the page at `path`, which names `posts`, could show. */
  of(path: string, posts: readonly string[]): string {
    const known = this.#known.get(path) ?? this.#unchanged(path, posts);
    const version = known?.posts === posts ? known.version : this.#made(path, posts);
    this.#known.set(path, { posts, version });
    return version;
  }

  /** What the run before worked out, where all that it was made of is the same. */
  #unchanged(path: string, posts: readonly string[]) {
    const former = this.#former;
    const known = former ? former.#known.get(path) : undefined;
    if (!former || known?.posts !== posts || former.#place(path) !== this.#place(path)) return undefined;
    const isSame = (id: string) =>
      id === EVERY_POST ? former.#every() === this.#every() : former.#versions.get(id) === this.#versions.get(id);
    return posts.every(isSame) ? known : undefined;
  }

  #made(path: string, posts: readonly string[]): string {
    const versions = posts.map((id) => (id === EVERY_POST ? this.#every() : (this.#versions.get(id) ?? `${id} -`)));
    return checksum([this.#place(path), ...versions].join('\n'));
  }

  /** The place among others: a post's neighbours, and for a list which posts it is made of, in their order. */
  #place(path: string): string {
    const [, slug] = POST_PAGE.exec(path) ?? [];
    if (slug !== undefined) return this.#around.get(slug) ?? '-';
    if (SHARE.test(path)) return '';
    const [, author] = AUTHOR.exec(path) ?? [];
    const [, year] = YEAR.exec(path) ?? [];
    return this.#order(author ? `author ${author}` : year ? `year ${year}` : '');
  }

  #order(list: string): string {
    const known = this.#orders.get(list) ?? checksum((this.#lists.get(list) ?? []).join('\n'));
    this.#orders.set(list, known);
    return known;
  }

  #every(): string {
    this.#all ??= checksum([...this.#versions.values()].join('\n'));
    return this.#all;
  }
}

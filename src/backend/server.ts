/** Reads posts for public pages, as a guest: what the public may not read cannot get into a public page. */

import { type Client, Databases, Query, Users } from 'node-appwrite';
import { faultOf, isUnreachable } from '#blog/errors.ts';
import { errorText } from '#blog/messages.ts';
import { isForgery } from '#blog/permissions.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { hasTag } from '#blog/tags/tags.ts';
import { TOTAL_LIMIT } from './count-beyond-limit.ts';
import { type ArticleDocument, inSummary, postOf, summaryOf } from './document.ts';
import { listInParts } from './list-in-parts.ts';
import { PostCounter } from './server/post-counter.ts';
import { countOf, newestFirst, type PostFilter, walk } from './server/posts-in-order.ts';
import { ReadingClient } from './server/reading-client.ts';
import { type SearchPage, search } from './server/search.ts';

export type { ArticleDocument } from './document.ts';

export interface PublicReaderOptions {
  /** Absolute address ending in `/v1`, as this machine reaches it. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly databaseId: string;
  readonly collectionId: string;
  /** Used for authors' names alone; without it pages show none. It needs `users.read`. */
  readonly apiKey?: string | undefined;
  /** Called with the backend's message each time it refuses the key. */
  readonly onKeyRefused?: ((message: string) => void) | undefined;
  /** The port of 127.0.0.1 where the endpoint answers while its own is closed. */
  readonly portNow?: (() => number | undefined) | undefined;
}

/** Every method throws `BackendUnavailable` when the backend does not answer as it should. */
export interface PublicReader {
  /** The n-th page (from 1) of active posts, newest first. */
  page(n: number, perPage: number): Promise<PostPage<Post>>;
  /** The same without the texts. */
  summaries(n: number, perPage: number): Promise<PostPage<PostSummary>>;
  /** The newest active post; undefined when there is none, or when it is a forgery. */
  newest(): Promise<Post | undefined>;
  /** The newest few, as they were some seconds ago at most: for pages that must cost next to nothing. */
  recent(): Promise<PostSummary[]>;
  /** Every active post, or those among them, newest first, without their texts. */
  everyPost(among?: PostFilter): Promise<PostSummary[]>;
  /** The n-th page of active posts that hold all of `words`, each by its beginning: those with all of them in the title first. */
  search(words: readonly string[], page?: number): Promise<SearchPage>;
  /** An active post, or undefined when the public may not read one by that slug. */
  post(slug: string): Promise<Post | undefined>;
  /** Those of the active posts at these slugs, a hundred at most, that the public may read, without their texts. */
  postsBySlug(slugs: readonly string[]): Promise<PostSummary[]>;
  /** The active posts written just before and just after an active one. */
  adjacentPosts(slug: string): Promise<AdjacentPosts>;
  /** Active posts as they stand in lists, newest first: the post, and the nearest few on each side. */
  postsAround(post: PostSummary): Promise<PostSummary[]>;
  /** The author's name; empty when it is not known or may not be asked for. */
  authorName(userId: string): Promise<string>;
  /**
   * A post was written or deleted, according to the backend's own events; used by the cached reader. `changed`: of an
   * update, the keys whose values are other than before.
   */
  postChanged(document: ArticleDocument, gone: boolean, changed?: readonly string[]): void;
  /**
   * Something changed: what was recent may not be. With `names`, remembered names are dropped as well; counts are no
   * longer certain, unless it is known that no post came or went (`counts` false).
   */
  forget(change?: { readonly names: boolean; readonly counts?: boolean }): void;
}

export interface PostPage<T extends PostSummary> {
  readonly posts: T[];
  /** All active posts. */
  readonly total: number;
  readonly pages: number;
  /** False when `total`, and `pages` with it, is what was counted some time before the last change. */
  readonly exact: boolean;
}

export interface AdjacentPosts {
  readonly previous?: PostSummary;
  readonly next?: PostSummary;
}

/** The backend did not answer, or answered with an error. `cause` is the SDK's error. */
export class BackendUnavailable extends Error {
  override readonly name = 'BackendUnavailable';
}

export function createPublicReader(options: PublicReaderOptions): PublicReader {
  const { databaseId, collectionId, apiKey, onKeyRefused } = options;
  const databases = new Databases(clientOf(options));
  const users = apiKey ? new Users(clientOf(options).setKey(apiKey)) : undefined;
  const articles = { databases, databaseId, collectionId };
  const names = new Map<string, { readonly name: Promise<string>; readonly until: number }>();
  let recent: { readonly posts: Promise<PostSummary[]>; readonly until: number } | undefined;
  const counter = new PostCounter(() => reach(countOf(articles, TOTAL_LIMIT)));

  async function list<T extends PostSummary>(
    read: (document: ArticleDocument) => T,
    { limit, offset = 0, queries = [] }: ListedPart,
    counted = true,
    ask: AskInFields = askForAll,
    otherwise?: string,
  ): Promise<{ posts: T[]; total: number; listed: number }> {
    let total = 0;
    const listed = await reach(
      ask((selected) =>
        listInParts(
          async (limit, offset) => {
            const bounds = [Query.limit(limit), ...(offset > 0 ? [Query.offset(offset)] : [])];
            const asked = [...newestFirst(), ...queries, ...bounds, ...selected];
            const found = await databases.listDocuments({ databaseId, collectionId, queries: asked, total: counted });
            total = found.total;
            return found.documents.map(read);
          },
          limit,
          offset,
        ),
      ),
      otherwise,
    );
    return { posts: listed.filter((post) => !isForgery(post)), total, listed: listed.length };
  }

  const listSummaries = (part: ListedPart, otherwise?: string) =>
    list(summaryOf, part, false, askForSummaries, otherwise);

  async function listPage<T extends PostSummary>(
    read: (document: ArticleDocument) => T,
    n: number,
    perPage: number,
    ask?: AskInFields,
  ): Promise<PostPage<T>> {
    const before = (n - 1) * perPage;
    const isLong = counter.isBeyondTotals;
    const { posts, listed, ...answer } = await list(read, { limit: perPage, offset: before }, !isLong, ask);
    const { total, exact } =
      isLong || answer.total >= TOTAL_LIMIT ? await counter.count() : { total: answer.total, exact: true };
    // A page exists when it lists something, whatever an older count says.
    const known = listed > 0 ? Math.max(total, before + listed) : Math.min(total, before);
    return { posts, total, exact, pages: Math.ceil(known / perPage) };
  }

  async function around(slug: string): Promise<{ newer: PostSummary[]; older: PostSummary[] }> {
    const few = (cursor: string) => ({ limit: ADJACENT_FETCHED, queries: [cursor] });
    try {
      const [older, newer] = await Promise.all([
        listSummaries(few(Query.cursorAfter(slug)), errorText.viewFailed),
        listSummaries(few(Query.cursorBefore(slug)), errorText.viewFailed),
      ]);
      return { newer: newer.posts, older: older.posts };
    } catch (error) {
      // The post was deleted while its page was rendered: the page goes with it.
      if (faultOf((error as BackendUnavailable).cause).type === 'general_cursor_not_found')
        return { newer: [], older: [] };
      throw error;
    }
  }

  async function postsAround(post: PostSummary): Promise<PostSummary[]> {
    const { newer, older } = await around(post.id);
    return [...newer, post, ...older];
  }

  return {
    page: (n, perPage) => listPage(postOf, n, perPage),

    summaries: (n, perPage) => listPage(summaryOf, n, perPage, askForSummaries),

    newest: async () => (await list(postOf, { limit: 1 }, false)).posts[0],

    recent() {
      if (!recent || recent.until < Date.now()) {
        const newest = listSummaries({ limit: RECENT });
        const asked = { posts: newest.then(({ posts }) => posts), until: Date.now() + RECENT_KEPT_MS };
        recent = asked;
        // A failure is not cached.
        asked.posts.catch(() => {
          if (recent === asked) recent = undefined;
        });
      }
      return recent.posts;
    },

    async everyPost(among = {}) {
      const posts = await reach(inSummary((fields) => Array.fromAsync(walk(articles, among, fields, summaryOf))));
      // A backend compares tags' names, and one tag may be spelled in several ways.
      const isAmong = (post: PostSummary) => among.tag === undefined || hasTag(post, among.tag);
      return posts.filter((post) => !isForgery(post) && isAmong(post));
    },

    search: (words, page) => reach(search(articles, words, page)),

    async post(slug) {
      if (!isSlug(slug)) return undefined;
      const document = await findOrUndefined(
        databases.getDocument({ databaseId, collectionId, documentId: slug }),
        errorText.viewFailed,
      );
      const post = document && postOf(document);
      // An inactive post is not published, even if anyone may read it.
      return post?.status === 'active' && !isForgery(post) ? post : undefined;
    },

    async postsBySlug(slugs) {
      const ids = slugs.filter(isSlug);
      if (ids.length === 0) return [];
      return (await listSummaries({ limit: ids.length, queries: [Query.equal('$id', ids)] })).posts;
    },

    async adjacentPosts(slug) {
      const { newer, older } = await around(slug);
      const [previous, next] = [older[0], newer.at(-1)];
      return { ...(previous && { previous }), ...(next && { next }) };
    },

    postsAround,

    authorName(userId) {
      if (!users) return Promise.resolve('');
      const known = names.get(userId);
      if (known && known.until > Date.now()) return known.name;
      const name = findOrUndefined(users.get({ userId })).then((user) => user?.name.slice(0, NAME_SIZE) ?? '');
      if (names.size >= NAMES_KEPT) names.clear();
      names.set(userId, { name, until: Date.now() + NAME_KEPT_MS });
      // A failure is not cached.
      name.catch(({ cause }: Error) => {
        names.delete(userId);
        const { code, message } = faultOf(cause);
        if (code === 401) onKeyRefused?.(message);
      });
      return name;
    },

    postChanged() {},

    forget(change: { names: boolean; counts?: boolean } = { names: true }) {
      if (change.names) names.clear();
      recent = undefined;
      if (change.counts !== false) counter.doubt();
    },
  };
}

/** Asks for documents. `ask` is given the query that selects their fields. */
type AskInFields = <Answer>(ask: (selected: string[]) => Promise<Answer>) => Promise<Answer>;
const askForAll: AskInFields = (ask) => ask([]);
const askForSummaries: AskInFields = (ask) => inSummary((fields) => ask([Query.select(fields)]));

/** More than one, since forgeries among the neighbours are skipped. */
const ADJACENT_FETCHED = 5;
const RECENT = 4;
const RECENT_KEPT_MS = 5000;
/** A list page asks for one author many times; a changed name shows within this time. */
const NAME_KEPT_MS = 10_000;
const NAMES_KEPT = 1000;
/** Longer names are cut, in characters. */
const NAME_SIZE = 128;

/** A part of the list of active posts; `queries` narrow it. */
interface ListedPart {
  readonly limit: number;
  readonly offset?: number;
  readonly queries?: readonly string[];
}

function clientOf({ endpoint, projectId, portNow }: PublicReaderOptions): Client {
  return new ReadingClient(portNow).setEndpoint(endpoint).setProject(projectId);
}

/** `row`: as lists have posts, newest first. */
export function adjacentIn(row: readonly PostSummary[], id: string): AdjacentPosts {
  const at = row.findIndex((post) => post.id === id);
  const [previous, next] = [row[at + 1], row[at - 1]];
  return { ...(previous && { previous }), ...(next && { next }) };
}

/** Returns the answer, or undefined for a 404. */
async function findOrUndefined<T>(answer: Promise<T>, otherwise?: string): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const { code, type } = faultOf(error);
    if (code === 404 && /^(document|user)_not_found$/.test(type)) return undefined;
    throw unavailable(error, otherwise);
  }
}

async function reach<T>(answer: Promise<T>, otherwise?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw unavailable(error, otherwise);
  }
}

/** The error with a message for readers. Its cause, with the backend's address, is for the log. */
function unavailable(error: unknown, otherwise: string = errorText.listFailed): BackendUnavailable {
  const { code, message } = faultOf(error);
  const words = code >= 400 && !isUnreachable(error) ? message : '';
  return new BackendUnavailable(words || otherwise, { cause: error });
}

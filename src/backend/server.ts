/** Reads posts for public pages as a guest, so that private posts cannot appear on them. */

import { type Client, Databases, Query, Users } from 'node-appwrite';
import { DomainError, faultOf, isUnreachable } from '#blog/errors.ts';
import { errorText } from '#blog/messages.ts';
import { isForgery } from '#blog/permissions.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { hasTag } from '#blog/tags/tags.ts';
import { TOTAL_LIMIT } from './count-beyond-limit.ts';
import { type ArticleDocument, inSummary, postOf, summaryOf } from './document.ts';
import { listInParts } from './list-in-parts.ts';
import { PostCounter } from './server/post-counter.ts';
import { countOf, newestFirst, type PostFilter, walk, withoutPages } from './server/posts-in-order.ts';
import { ReadingClient } from './server/reading-client.ts';
import { type SearchPage, search } from './server/search.ts';
import { unless } from './unless.ts';

export type { ArticleDocument } from './document.ts';

export interface PublicReaderOptions {
  /** Absolute URL ending in `/v1`, reachable from this machine. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly databaseId: string;
  readonly collectionId: string;
  /** `createPublicReader` uses it only for authors' names (scope `users.read`), which pages omit if there is no key. */
  readonly apiKey?: string | undefined;
  /** Called with the backend's message each time the backend refuses the key. */
  readonly onKeyRefused?: ((message: string) => void) | undefined;
  /** Returns the loopback port that serves the endpoint during shutdown, after the server's own port has closed. */
  readonly portNow?: (() => number | undefined) | undefined;
}

/**
 * Every method throws the DomainError `unavailable` if the backend fails, with the SDK's error as its cause. Lists and
 * counts leave out pages unless noted.
 */
export interface PublicReader {
  /** Returns the n-th page (from 1) of active posts, newest first. */
  page(n: number, perPage: number): Promise<PostPage<Post>>;
  summaries(n: number, perPage: number): Promise<PostPage<PostSummary>>;
  /** Returns the newest active post; undefined if its `userId` is forged or no post is active. */
  newest(): Promise<Post | undefined>;
  /** Returns the newest few posts, cached for five seconds so that pages such as 404 do not cost a request each. */
  recent(): Promise<PostSummary[]>;
  /** Returns the active posts that `among` selects, newest first, without their texts. */
  everyPost(among?: PostFilter): Promise<PostSummary[]>;
  /**
   * Returns the n-th page of the active posts and pages that contain, for each of `words`, a word beginning with it.
   * Matches in the title come first.
   */
  search(words: readonly string[], page?: number): Promise<SearchPage>;
  /** Returns an active post or page; undefined if the public may not read it. */
  post(slug: string): Promise<Post | undefined>;
  /** Returns the public posts and pages among at most a hundred slugs, without their texts. */
  postsBySlug(slugs: readonly string[]): Promise<PostSummary[]>;
  /** Returns the active posts created just before and just after the active post `slug`. */
  adjacentPosts(slug: string): Promise<AdjacentPosts>;
  /** Returns the author's name; empty if the user does not exist or there is no key. */
  authorName(userId: string): Promise<string>;
  /** Notifies the cached reader of a written or deleted post. `changed` lists the keys whose values changed. */
  postChanged(document: ArticleDocument, gone: boolean, changed?: readonly string[]): void;
  /**
   * Drops the recent posts after a change and, with `names`, the cached names too. Marks counts as inexact unless
   * `counts` is false.
   */
  forget(change?: { readonly names: boolean; readonly counts?: boolean }): void;
}

export interface PostPage<T extends PostSummary> {
  readonly posts: T[];
  readonly total: number;
  readonly pages: number;
  /** False if `total` and `pages` were counted before the last change. */
  readonly exact: boolean;
}

export interface AdjacentPosts {
  readonly previous?: PostSummary;
  readonly next?: PostSummary;
}

export function createPublicReader(options: PublicReaderOptions): PublicReader {
  const { databaseId, collectionId, apiKey, onKeyRefused } = options;
  const databases = new Databases(clientOf(options));
  const users = apiKey ? new Users(clientOf(options).setKey(apiKey)) : undefined;
  const articles = { databases, databaseId, collectionId };
  const names = new Map<string, { readonly name: Promise<string>; readonly until: number }>();
  let recent: { readonly posts: Promise<PostSummary[]>; readonly until: number } | undefined;
  const counter = new PostCounter(() => reach(inSummary((fields) => countOf(articles, withoutPages(fields)))));

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
    // An inexact total may be too low if this page lists posts, or too high if it lists none.
    const known = listed > 0 ? Math.max(total, before + listed) : Math.min(total, before);
    return { posts, total, exact, pages: Math.ceil(known / perPage) };
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
        asked.posts.catch(() => {
          if (recent === asked) recent = undefined;
        });
      }
      return recent.posts;
    },

    async everyPost(among = {}) {
      const posts = await reach(inSummary((fields) => Array.fromAsync(walk(articles, among, fields, summaryOf))));
      // Filters by tag here, because the backend compares tag names exactly and a tag may have several spellings.
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
      // Checks the status, because permissions alone could let anyone read an inactive post.
      return post?.status === 'active' && !isForgery(post) ? post : undefined;
    },

    async postsBySlug(slugs) {
      const ids = slugs.filter(isSlug);
      if (ids.length === 0) return [];
      const part = { limit: ids.length, queries: [Query.equal('$id', ids)] };
      return (await list(summaryOf, part, false, askForEverything)).posts;
    },

    async adjacentPosts(slug) {
      const few = (cursor: string) => ({ limit: ADJACENT_FETCHED, queries: [cursor] });
      try {
        const [older, newer] = await Promise.all([
          listSummaries(few(Query.cursorAfter(slug)), errorText.viewFailed),
          listSummaries(few(Query.cursorBefore(slug)), errorText.viewFailed),
        ]);
        const [previous, next] = [older.posts[0], newer.posts.at(-1)];
        return { ...(previous && { previous }), ...(next && { next }) };
      } catch (error) {
        // The post was deleted while its page was being rendered. That page will be removed, too.
        if (faultOf((error as Error).cause).type === 'general_cursor_not_found') return {};
        throw error;
      }
    },

    authorName(userId) {
      if (!users) return Promise.resolve('');
      const known = names.get(userId);
      if (known && known.until > Date.now()) return known.name;
      const name = findOrUndefined(users.get({ userId })).then((user) => user?.name.slice(0, NAME_SIZE) ?? '');
      if (names.size >= NAMES_KEPT) names.clear();
      names.set(userId, { name, until: Date.now() + NAME_KEPT_MS });
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

type AskInFields = <Answer>(ask: (selected: string[]) => Promise<Answer>) => Promise<Answer>;
const askForAll: AskInFields = (ask) => inSummary((fields) => ask(withoutPages(fields)));
const askForSummaries: AskInFields = (ask) =>
  inSummary((fields) => ask([...withoutPages(fields), Query.select(fields)]));
const askForEverything: AskInFields = (ask) => inSummary((fields) => ask([Query.select(fields)]));

/** Posts to fetch in each direction: more than one, because posts with a forged `userId` are skipped. */
const ADJACENT_FETCHED = 5;
const RECENT = 4;
const RECENT_KEPT_MS = 5000;
/** Lifetime of a cached author's name. Without the cache, a list page would request the same name many times. */
const NAME_KEPT_MS = 10_000;
const NAMES_KEPT = 1000;
/** Maximum characters of a name; longer names are cut. */
const NAME_SIZE = 128;

interface ListedPart {
  readonly limit: number;
  readonly offset?: number;
  readonly queries?: readonly string[];
}

function clientOf({ endpoint, projectId, portNow }: PublicReaderOptions): Client {
  return new ReadingClient(portNow).setEndpoint(endpoint).setProject(projectId);
}

const findOrUndefined = <T>(answer: Promise<T>, otherwise?: string): Promise<T | undefined> =>
  reach(unless(/^(?:document|user)_not_found$/, answer), otherwise);

async function reach<T>(answer: Promise<T>, otherwise?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw unavailable(error, otherwise);
  }
}

/** Returns an error with a message for readers. Its cause contains the backend's URL and is only for the log. */
function unavailable(error: unknown, otherwise: string = errorText.listFailed): DomainError {
  const { code, message } = faultOf(error);
  const words = code >= 400 && !isUnreachable(error) ? message : '';
  return new DomainError('unavailable', words || otherwise, { cause: error });
}

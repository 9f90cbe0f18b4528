import { Query } from 'appwrite';
import { isForgery } from '#blog/permissions.ts';
import type { PostStatus, PostSummary } from '#blog/post.ts';
import { titleWords } from '#blog/search/title-search.ts';
import { countBeyondLimit, TOTAL_LIMIT } from '../count-beyond-limit.ts';
import { inSummary, summaryOf } from '../document.ts';
import { listInParts } from '../list-in-parts.ts';
import { collectionIds, connect, type ListedDocument, logged } from './client.ts';

export interface PostListQuery {
  /** Default `active` (spec 9); `any` matches every status. */
  readonly status?: PostStatus | 'any';
  readonly userId?: string;
  readonly onlyPages?: boolean;
  readonly search?: string;
  readonly order?: 'newest' | 'oldest';
}

export interface ListOptions extends PostListQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number;
}

export interface PostList {
  readonly posts: PostSummary[];
  readonly total: number;
  /** True if Appwrite stopped counting at its limit, which makes `total` only a lower bound. */
  readonly totalIsLeast: boolean;
  readonly cursor: string | undefined;
}

export function listPosts({ cursor, limit = 24, ...wanted }: ListOptions = {}): Promise<PostList> {
  return logged('listPosts', async () => {
    let total = 0;
    const listed = await inSummary(async (fields) => {
      // A backend without the `kind` field cannot store pages.
      if (wanted.onlyPages && !fields.includes('kind')) return [];
      return listInParts(async (limit, offset) => {
        const bounds = [Query.limit(limit), ...(offset > 0 ? [Query.offset(offset)] : [])];
        const found = await connect().databases.listDocuments<ListedDocument>({
          ...collectionIds(),
          queries: [...queriesOf(wanted), ...bounds, ...behind(cursor), Query.select(fields)],
        });
        total = found.total;
        return found.documents.map(summaryOf);
      }, limit);
    });
    return {
      posts: listed.filter((post) => !isForgery(post)),
      total,
      totalIsLeast: total >= TOTAL_LIMIT,
      cursor: listed.length === limit ? listed.at(-1)?.id : undefined,
    };
  });
}

/** Counts the posts in a list that is longer than Appwrite's `total` can report. */
export function countPosts(wanted: PostListQuery): Promise<number> {
  return logged('countPosts', () =>
    countBeyondLimit(async (cursor, offset, limit) => {
      const queries = [...queriesOf(wanted), ...behind(cursor), Query.select(['$id']), Query.offset(offset)];
      return (
        await connect().databases.listDocuments<ListedDocument>({
          ...collectionIds(),
          queries: [...queries, Query.limit(limit)],
          total: false,
        })
      ).documents;
    }),
  );
}

/** Appwrite allows at most a hundred values in a query. */
const IDS_AT_ONCE = 100;

/** Returns the ids of the posts among `ids` that this user can still read and that still have the list's status. */
export function stillListed(ids: readonly string[], { status = 'active' }: PostListQuery): Promise<Set<string>> {
  return logged('stillListed', async () => {
    const still = new Set<string>();
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const asked = ids.slice(from, from + IDS_AT_ONCE);
      const { documents } = await connect().databases.listDocuments<ListedDocument>({
        ...collectionIds(),
        queries: [Query.equal('$id', asked), ...withStatus(status), Query.limit(asked.length), Query.select(['$id'])],
        total: false,
      });
      for (const { $id } of documents) still.add($id);
    }
    return still;
  });
}

/** Returns the queries for a list. Matches substrings, because full-text indexes skip short words and some scripts. */
const queriesOf = ({ status = 'active', userId, onlyPages, search, order }: PostListQuery): string[] => [
  ...withStatus(status),
  ...(userId ? [Query.equal('userId', userId)] : []),
  ...(onlyPages ? [Query.isNotNull('kind')] : []),
  ...titleWords(search).map((word) => Query.contains('title', word)),
  order === 'oldest' ? Query.orderAsc('$createdAt') : Query.orderDesc('$createdAt'),
];

const withStatus = (status: PostStatus | 'any'): string[] => (status === 'any' ? [] : [Query.equal('status', status)]);

const behind = (cursor: string | undefined): string[] => (cursor ? [Query.cursorAfter(cursor)] : []);

/** Stores newsletter issues in the backend: which posts each one sends, when, and how many emails were sent. */
import { createHash } from 'node:crypto';
import { type Models, Query } from 'node-appwrite';
import { ISSUE_STATES, type Issue, type IssueState } from '#blog/newsletter/newsletter.ts';
import { isForgery, isShared } from '#blog/permissions.ts';
import { isPage, type Post } from '#blog/post.ts';
import { type ArticleDocument, postOf } from '../document.ts';
import { databasesAsOf, genuinePostAt, keyedBackend } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { UNKNOWN_ATTRIBUTE, unless } from '../unless.ts';
import { items, pages } from '../walk.ts';

export interface StoredIssue extends Omit<Issue, 'title'> {
  /** Id of the last subscriber to whom the server tried to send the issue; empty before the first. */
  readonly cursor: string;
  readonly updatedAt: string;
}

type Row = Models.DefaultDocument;

const MOST_SLUGS = 100;
/** How far back `unsent` looks for changed posts: longer than a server is likely to be down. */
const LOOK_BACK_MS = 14 * 86_400_000;
const UNFINISHED: readonly IssueState[] = ['waiting', 'sending'];

export type IssueChange = Partial<Pick<StoredIssue, 'cursor' | 'sent' | 'failed' | 'faults' | 'slugs'>>;

export type IssueStore = ReturnType<typeof openIssues>;

/** Returns the id of the issue that sends only this post. */
export const issueOfPost = (slug: string): string => `p${createHash('sha256').update(slug).digest('hex').slice(0, 31)}`;

/** Every method rejects with the SDK's error if the backend fails. */
export function openIssues(target: ServerTarget, now: () => number = Date.now) {
  const backend = keyedBackend(target);
  const { databases, issues: place, articles } = backend;

  const rows = async (queries: string[]): Promise<Row[]> =>
    (await databases.listDocuments<Row>({ ...place, queries, total: false })).documents;

  async function find(id: string): Promise<StoredIssue | undefined> {
    const row = await unless('document_not_found', databases.getDocument<Row>({ ...place, documentId: id }));
    return row && issueOf(row);
  }

  /** Returns all slugs in the issues that contain at least one of `slugs`, which may list at most 100. */
  async function sentAmong(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    if (slugs.length === 0) return new Set();
    const having = [Query.contains('slugs', [...slugs]), Query.orderAsc('$id')];
    const issues = await Array.fromAsync(items((queries) => rows([...having, ...queries])));
    return new Set(issues.flatMap((row): string[] => row.slugs));
  }

  return {
    find,

    /** Changes an issue's state. Returns false if the issue is missing or its state is not one of `from`. */
    async setState(id: string, from: readonly IssueState[], state: IssueState): Promise<boolean> {
      for (let issue = await find(id); issue && from.includes(issue.state); issue = await find(id)) {
        const change = { ...place, documentId: id, data: { state } };
        if (await unless(409, databasesAsOf(target, issue.updatedAt).updateDocument(change))) return true;
      }
      return false;
    },

    /** Stores an issue's progress, or the posts collected so far for a digest. */
    async update(id: string, { faults, ...others }: IssueChange): Promise<void> {
      const data = { ...others, ...(faults && { faults: JSON.stringify(faults) }) };
      await databases.updateDocument({ ...place, documentId: id, data });
    },

    newest: async (most: number): Promise<StoredIssue[]> =>
      (await rows([Query.orderDesc('dueAt'), Query.limit(most)])).map(issueOf),

    async unfinished(): Promise<StoredIssue[]> {
      const queries = [Query.equal('state', [...UNFINISHED]), Query.orderAsc('dueAt'), Query.limit(MOST_SLUGS)];
      return (await rows(queries)).map(issueOf);
    },

    /** Creates an issue that waits to be sent. Returns false if an issue with this id already exists. */
    async create(id: string, slugs: readonly string[], dueAt: number): Promise<boolean> {
      const data = { slugs, state: 'waiting', dueAt: new Date(dueAt).toISOString(), sent: 0, failed: 0 };
      const created = databases.createDocument({ ...place, documentId: id, data, permissions: [] });
      return (await unless(409, created)) !== undefined;
    },

    /** Returns recently changed public posts that are marked for the newsletter and in no issue yet, oldest first. */
    async unsent(): Promise<{ readonly slug: string; readonly userId: string }[]> {
      const recent = [...TICKED, Query.greaterThan('$updatedAt', new Date(now() - LOOK_BACK_MS).toISOString())];
      const fields = Query.select(['$id', '$createdAt', '$updatedAt', '$permissions', 'status', 'userId']);
      const listed = async (queries: string[]) => {
        const asked = { ...articles, queries: [...recent, Query.orderAsc('$createdAt'), fields, ...queries] };
        const found = databases.listDocuments<ArticleDocument & Row>({ ...asked, total: false });
        return (await unless(UNKNOWN_ATTRIBUTE, found))?.documents ?? [];
      };
      const unsent = new Map<string, string>();
      for await (const page of pages(listed, MOST_SLUGS)) {
        const posts = page.map(postOf).filter(isPublic);
        const sent = await sentAmong(posts.map(({ id }) => id));
        for (const { id, userId } of posts) if (!sent.has(id)) unsent.set(id, userId);
      }
      return [...unsent].map(([slug, userId]) => ({ slug, userId }));
    },

    /** Returns the posts among `slugs` that are still public and marked for the newsletter, in the order of `slugs`. */
    async posts(slugs: readonly string[]): Promise<Post[]> {
      const found: Post[] = [];
      for (const slug of slugs) {
        const post = await genuinePostAt(backend, slug);
        if (post && isPublic(post) && post.newsletter === 'send' && !isPage(post)) found.push(post);
      }
      return found;
    },

    /** Returns the titles of public posts by slug. Ignores slugs beyond the first 100. */
    async titles(slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const wanted = [...new Set(slugs)].slice(0, MOST_SLUGS);
      if (wanted.length === 0) return new Map();
      const fields = Query.select(['$id', '$permissions', 'title', 'status', 'userId']);
      const asked = { ...articles, queries: [Query.equal('$id', wanted), Query.limit(MOST_SLUGS), fields] };
      const { documents } = await databases.listDocuments<ArticleDocument & Row>({ ...asked, total: false });
      // Leaves out drafts, because only their authors may see the titles.
      const posts = documents.map(postOf).filter(isPublic);
      return new Map(posts.map(({ id, title }) => [id, title]));
    },

    /** Filters `slugs` to posts that are still public and marked for the newsletter. */
    async public(slugs: readonly string[]): Promise<string[]> {
      const found: string[] = [];
      for (let at = 0; at < slugs.length; at += MOST_SLUGS) {
        const part = Query.equal('$id', slugs.slice(at, at + MOST_SLUGS));
        const fields = Query.select(['$id', '$permissions', 'status', 'userId']);
        const asked = { ...articles, queries: [part, ...TICKED, Query.limit(MOST_SLUGS), fields] };
        const { documents } = await databases.listDocuments<ArticleDocument & Row>({ ...asked, total: false });
        const posts = documents.map(postOf).filter(isPublic);
        found.push(...posts.map(({ id }) => id));
      }
      return found;
    },
  };
}

/** Also checks the permissions, because an author may give a post any status without letting others read it. */
const isPublic = (post: Post): boolean => post.status === 'active' && isShared(post) && !isForgery(post);

/** Selects public posts whose author ticked “Send to subscribers”. Excludes pages. */
const TICKED: readonly string[] = [
  Query.equal('newsletter', 'send'),
  Query.equal('status', 'active'),
  Query.isNull('kind'),
];

const issueOf = (row: Row): StoredIssue => ({
  id: row.$id,
  slugs: (row.slugs ?? []) as string[],
  state: ISSUE_STATES.find((state) => state === row.state) ?? 'cancelled',
  dueAt: `${row.dueAt}`,
  sent: Number(row.sent),
  failed: Number(row.failed),
  faults: JSON.parse(`${row.faults || '{}'}`),
  cursor: `${row.cursor ?? ''}`,
  updatedAt: row.$updatedAt,
});

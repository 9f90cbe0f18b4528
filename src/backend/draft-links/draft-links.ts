/**
 * Makes and opens links that show a draft (docs/decisions/025-draft-links.md). The URL is signed and contains its
 * expiry time. It works only while the post has a link document. Only the server can read link documents.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Query } from 'node-appwrite';
import type { DraftLink } from '#blog/draft-links/draft-links.ts';
import { filesShownIn, isSitePreview } from '#blog/images.ts';
import type { Post } from '#blog/post.ts';
import { draftPath } from '#blog/routes/paths.ts';
import { fileAt, genuinePostAt, type KeyedBackend, keyedBackend } from '../keyed-backend.ts';
import { isShutOut } from '../people/is-shut-out.ts';
import { isExposed, ownerOf } from '../sweep/exposed.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';

/** `unknown`: bad signature. `gone`: the link was withdrawn or replaced, the post deleted, or its author blocked. */
export type OpenedDraft =
  | { readonly kind: 'unknown' | 'expired' | 'gone' | 'public' }
  | { readonly kind: 'draft'; readonly post: Post; readonly until: Date };

export interface PictureRequest {
  readonly fileId: string;
  readonly kind: string;
  readonly query: URLSearchParams;
}

const SWEPT = 25;

/** Does nothing if the post has no link or the backend lacks the collection for links. */
export async function revokeDraftLink({ databases, draftLinks }: KeyedBackend, slug: string): Promise<void> {
  const gone = databases.deleteDocument({ ...draftLinks, documentId: slug });
  await unless(/^(?:document|collection)_not_found$/, gone);
}

export type DraftLinks = ReturnType<typeof openDraftLinks>;

/** Every method rejects with the SDK's error if the backend fails. */
export function openDraftLinks(target: ServerTarget, siteUrl: string, now: () => number = Date.now) {
  const backend = keyedBackend(target);
  const { databases, users, draftLinks: links } = backend;
  const { endpoint, projectId, apiKey, bucketId } = target;
  // Derived from the server key, which all instances of the site share.
  const secret = createHmac('sha256', apiKey).update('common-ink draft links').digest();
  const signature = (slug: string, expires: string, nonce: string) =>
    createHmac('sha256', secret).update(`${slug}.${expires}.${nonce}`).digest('base64url');

  const linkOf = (slug: string, seconds: number, nonce: string): DraftLink => {
    const expires = seconds.toString(36);
    const key = `${expires}.${nonce}.${signature(slug, expires, nonce)}`;
    return { url: `${siteUrl}${draftPath(slug, key)}`, until: new Date(seconds * 1000).toISOString() };
  };

  /** Returns the expiry (Unix ms) and the nonce in a link's key; undefined if its signature is wrong. */
  function readKey(slug: string, key: string): { readonly expires: number; readonly nonce: string } | undefined {
    const [expires = '', nonce = '', given = '', ...rest] = key.split('.');
    const [right, sent] = [Buffer.from(signature(slug, expires, nonce)), Buffer.from(given)];
    if (rest.length > 0 || sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined;
    return { expires: Number.parseInt(expires, 36) * 1000, nonce };
  }

  const stored = (slug: string) => unless('document_not_found', databases.getDocument({ ...links, documentId: slug }));

  const post = (slug: string) => genuinePostAt(backend, slug);

  async function open(slug: string, key: string): Promise<OpenedDraft> {
    const said = readKey(slug, key);
    if (!said) return { kind: 'unknown' };
    const found = await post(slug);
    if (found?.status === 'active') return { kind: 'public' };
    if (said.expires <= now()) return { kind: 'expired' };
    const link = found && (await stored(slug));
    // `createdAt` must match, because a new post may have taken the slug of a deleted one.
    if (!found || link?.nonce !== said.nonce || link.postMadeAt !== found.createdAt) return { kind: 'gone' };
    if (await isShutOut(users, found.userId)) return { kind: 'gone' };
    return { kind: 'draft', post: found, until: new Date(said.expires) };
  }

  return {
    /** Returns the post at `slug`, even a draft; undefined if it is missing or its `userId` is forged. */
    post,

    /** Returns a post's valid link; undefined if it has none or the backend lacks the collection for links. */
    async find(of: Post): Promise<DraftLink | undefined> {
      const link = await unless('collection_not_found', stored(of.id));
      const expires = Date.parse(link?.expiresAt ?? '');
      if (!link || !(expires > now()) || link.postMadeAt !== of.createdAt) return undefined;
      return linkOf(of.id, Math.round(expires / 1000), link.nonce);
    },

    async make({ id: documentId, createdAt: postMadeAt }: Post, seconds: number): Promise<DraftLink> {
      const isExpired = Query.lessThan('expiresAt', new Date(now()).toISOString());
      await databases.deleteDocuments({ ...links, queries: [isExpired, Query.limit(SWEPT)] });
      const nonce = randomBytes(12).toString('base64url');
      const expires = Math.floor(now() / 1000) + seconds;
      const data = { nonce, postMadeAt, expiresAt: new Date(expires * 1000).toISOString() };
      // No permissions: only the server key may read it.
      await databases.upsertDocument({ ...links, documentId, data, permissions: [] });
      return linkOf(documentId, expires, nonce);
    },

    takeBack: (slug: string): Promise<void> => revokeDraftLink(backend, slug),
    open,

    /** Returns the backend's response for a picture in the draft, if the picture is public or the author's own. */
    async picture(slug: string, key: string, { fileId, kind, query }: PictureRequest): Promise<Response | undefined> {
      const opened = await open(slug, key);
      if (opened.kind !== 'draft') return undefined;
      const { featuredImage, content, userId } = opened.post;
      if (fileId !== featuredImage && !filesShownIn(content, bucketId).includes(fileId)) return undefined;
      const file = await fileAt(backend, fileId);
      // The HTML may reference any file; the link opens only files that are public or belong to the post's author.
      if (!file || (ownerOf(file) !== userId && !isExposed(file))) return undefined;
      const asked = new URLSearchParams();
      for (const name of ['width', 'height', 'output']) if (query.has(name)) asked.set(name, query.get(name) ?? '');
      if (kind === 'preview') {
        const size = { width: Number(asked.get('width')), height: Number(asked.get('height')) };
        if (!isSitePreview({ ...size, output: asked.get('output') ?? '' })) return undefined;
      }
      return fetch(`${endpoint}/storage/buckets/${bucketId}/files/${fileId}/${kind}?${asked}`, {
        headers: { 'x-appwrite-project': projectId, 'x-appwrite-key': apiKey },
      });
    },
  };
}

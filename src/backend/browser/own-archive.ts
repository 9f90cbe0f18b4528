/**
 * Builds a zip file in the browser: each of the user's posts as an HTML page, one JSON file of all posts, and their
 * pictures.
 */

import { Query } from 'appwrite';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

import { filesShownIn } from '#blog/images.ts';
import { isForgery } from '#blog/permissions.ts';
import type { Post } from '#blog/post.ts';
import { xml } from '#blog/seo/xml.ts';
import type { User } from '#blog/user.ts';
import { postOf } from '../document.ts';
import { listInParts } from '../list-in-parts.ts';
import { collectionIds, connect, type ListedDocument, logged } from './client.ts';
import { fetchFile } from './files.ts';

const PAGE = 20;

export interface OwnArchive {
  readonly file: Blob;
  readonly posts: number;
  readonly pictures: number;
  /** Ids of pictures that could not be downloaded. */
  readonly missing: readonly string[];
}

/**
 * Builds an archive of all posts of `user`, including drafts, and of the pictures that they show.
 * @param onProgress called after each post
 * @throws the SDK's error if a post cannot be fetched
 */
export function ownArchive(user: User, onProgress: (posts: number) => void): Promise<OwnArchive> {
  return logged('ownArchive', async () => {
    const zip = openZip();
    const posts: Post[] = [];
    const pictures = new Map<string, string | undefined>();
    for await (const post of ownPosts(user.id)) {
      for (const id of shownBy(post)) if (!pictures.has(id)) pictures.set(id, await addPicture(zip, id));
      zip.addText(`posts/${post.id}.html`, htmlOf(post, user, pictures));
      posts.push(post);
      onProgress(posts.length);
    }
    zip.addText('posts.json', `${JSON.stringify({ author: user, posts: posts.map(recordOf) }, undefined, 1)}\n`);
    const missing = [...pictures].flatMap(([id, name]) => (name ? [] : [id]));
    return { file: await zip.end(), posts: posts.length, pictures: pictures.size - missing.length, missing };
  });
}

async function* ownPosts(userId: string): AsyncGenerator<Post> {
  const { databases } = connect();
  for (let cursor: string | undefined; ; ) {
    const asked = [Query.equal('userId', userId), ...(cursor ? [Query.cursorAfter(cursor)] : [])];
    const posts = await listInParts(async (limit, offset) => {
      const queries = [...asked, Query.limit(limit), ...(offset > 0 ? [Query.offset(offset)] : [])];
      const { documents } = await databases.listDocuments<ListedDocument>({
        ...collectionIds(),
        queries,
        total: false,
      });
      return documents.map(postOf);
    }, PAGE);
    for (const post of posts) if (!isForgery(post)) yield post;
    if (posts.length < PAGE) return;
    cursor = posts.at(-1)?.id;
  }
}

const shownBy = ({ featuredImage, content }: Post): string[] =>
  [featuredImage, ...filesShownIn(content, connect().site.bucketId)].filter(Boolean);

const recordOf = ({ permissions: _, ...post }: Post) => post;

async function addPicture(zip: OpenZip, id: string): Promise<string | undefined> {
  try {
    const file = await fetchFile(id);
    const name = `pictures/${id}.${file.name.split('.').at(-1)}`;
    zip.addBytes(name, new Uint8Array(await file.arrayBuffer()));
    return name;
  } catch (error) {
    console.error(`ownArchive: picture ${id}:`, error);
    return undefined;
  }
}

function htmlOf({ title, content, featuredImage, createdAt }: Post, { name }: User, pictures: Pictures): string {
  const featured = pictures.get(featuredImage);
  const text = content.replace(/(?<=<img[^>]*\ssrc=")[^"]+(?=")/g, (address) => {
    const [id] = filesShownIn(address.replaceAll('&amp;', '&'), connect().site.bucketId);
    const picture = id && pictures.get(id);
    return picture ? `../${picture}` : address;
  });
  return `<!doctype html>
<meta charset="utf-8">
<title>${xml(title)}</title>
<h1>${xml(title)}</h1>
<p>${xml(name)}, <time>${createdAt.slice(0, 10)}</time></p>
${featured ? `<p><img src="../${featured}" alt=""></p>\n` : ''}${text}
`;
}

type Pictures = ReadonlyMap<string, string | undefined>;

interface OpenZip {
  addText(name: string, text: string): void;
  /** Adds a file, such as a picture, without compressing it. */
  addBytes(name: string, bytes: Uint8Array): void;
  end(): Promise<Blob>;
}

/** Turns each part into a blob immediately, because browsers can move large blobs from memory to disk. */
function openZip(): OpenZip {
  const parts: Blob[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  const zip = new Zip((error, chunk, isLast) => {
    if (error) reject(error);
    parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
    if (isLast) resolve(new Blob(parts, { type: 'application/zip' }));
  });
  return {
    addText(name, text) {
      const entry = new ZipDeflate(name);
      zip.add(entry);
      entry.push(new TextEncoder().encode(text), true);
    },
    addBytes(name, bytes) {
      const entry = new ZipPassThrough(name);
      zip.add(entry);
      entry.push(bytes, true);
    },
    end() {
      zip.end();
      return promise;
    },
  };
}

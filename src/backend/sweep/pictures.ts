/**
 * Deletes pictures that no post or former version uses: records when a picture was first found unused, later hides it
 * if it is public, and finally deletes it. Hides pictures that only unpublished posts use. Can be run at any time.
 */

import { Query } from 'node-appwrite';
import type { ArticleDocument } from '../document.ts';
import {
  documentsOf,
  fileAt,
  filesNamedIn,
  filesOf,
  type KeyedBackend,
  keyedBackend,
  naming,
} from '../keyed-backend.ts';
import { isKeptPicture, keptPictureId } from '../revision-ids.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';
import { hideUntouched, isExposed } from './exposed.ts';
import { dropVersionsOf } from './versions.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Time after which an unused public picture is hidden, or an unused copy for former versions is deleted. */
export const PUBLIC_UNUSED_MS = DAY;
/**
 * Time after which an unused private picture is deleted. Must exceed the 90 days for which a draft saved in a browser
 * may still reference the picture.
 */
export const PRIVATE_UNUSED_MS = 100 * DAY;
/** A picture made public more recently than this may belong to a post that is about to be published. */
export const SHARED_LATELY_MS = HOUR;
/** Maximum items per step of a run: exposed pictures, unused pictures, and deleted posts whose versions are removed. */
const MOST_AT_ONCE = 500;

/** Pictures checked at a time, to limit memory. */
const ROUND = 50_000;
const FILES_PAGE = 500;
/** Documents per request: without their texts, and with them (`LONG_PAGE`). */
const SHORT_PAGE = 1000;
const LONG_PAGE = 20;
/** Allowed difference from the backend's clock when searching for documents written since the run began. */
const CLOCKS_DIFFER = HOUR;
/**
 * If more pictures than this, and more than half of all pictures, are due for deletion, the run deletes none of them:
 * the bucket may be shared with another site, or posts may be missing.
 */
const STRIKING = 100;

/** The time when a picture was first found unused, and its file's `$updatedAt`, which changes if it is used again. */
export interface Mark {
  readonly since: string;
  readonly touched: string;
}

export interface SweepReport {
  readonly pictures: number;
  /** Marks of the unused pictures, for the next run. */
  readonly marks: ReadonlyMap<string, Mark>;
  readonly deleted: readonly string[];
  /** Ids of public pictures that were hidden because no published post shows them. */
  readonly hidden: readonly string[];
  /** Number of former versions and sync records that were deleted because their posts are gone. */
  readonly versions: number;
  /** Reason why no picture was deleted although some were due. */
  readonly refusal?: string;
}

/**
 * @param marks the marks returned by the previous run; empty for the first one
 * @throws the SDK's error; files deleted up to then stay deleted
 */
export async function sweepPictures(
  target: ServerTarget,
  marks: ReadonlyMap<string, Mark>,
  now = new Date(),
): Promise<SweepReport> {
  const backend = keyedBackend(target);
  const versions = await dropOrphans(backend);
  const unused = new Map<string, Picture>();
  const exposed = new Map<string, Picture>();
  let pictures = 0;
  for await (const round of rounds(backend)) {
    pictures += round.size;
    for (const [id, picture] of await removeNamed(backend, round)) exposed.set(id, picture);
    for (const [id, picture] of round) unused.set(id, picture);
  }
  const hidden: string[] = [];
  for (const [id, { touched }] of [...exposed].slice(0, MOST_AT_ONCE)) {
    if (now.getTime() - Date.parse(touched) < SHARED_LATELY_MS) continue;
    if (await hideUntouched(backend, id, touched)) hidden.push(id);
  }

  const marked = new Map<string, Mark>();
  for (const [id, { touched }] of unused) {
    const before = marks.get(id);
    marked.set(id, before?.touched === touched ? before : { since: now.toISOString(), touched });
  }
  const due = [...marked].filter(([id, { since }]) => {
    const limit = unused.get(id)?.isPublic || isKeptPicture(id) ? PUBLIC_UNUSED_MS : PRIVATE_UNUSED_MS;
    return now.getTime() - Date.parse(since) >= limit;
  });
  const isStriking = due.length > STRIKING && due.length * 2 > pictures;
  if (isStriking || (due.length > 0 && !(await hasPosts(backend)))) {
    const refusal = `${due.length} of ${pictures} pictures are named by no post. Nothing was deleted: is the bucket used by another site, or are posts missing?`;
    return { pictures, marks: marked, deleted: [], hidden, versions, refusal };
  }

  const deleted: string[] = [];
  for (const [id, { touched }] of due.slice(0, MOST_AT_ONCE)) {
    if (!(await isStillUnused(backend, id, touched, now))) {
      marked.delete(id);
    } else if (unused.get(id)?.isPublic && !isKeptPicture(id)) {
      // Hides the picture instead of deleting it: if publishing was interrupted, a draft saved in a browser may still
      // reference it.
      if (await hideUntouched(backend, id, touched)) hidden.push(id);
    } else if (await deleteFile(backend, id)) {
      deleted.push(id);
      marked.delete(id);
    }
  }
  return { pictures, marks: marked, deleted, hidden, versions };
}

/** Returns false if the collection is empty, because posts may be lost or the collection may be the wrong one. */
const hasPosts = async (backend: KeyedBackend): Promise<boolean> =>
  (await documentsOf(backend, backend.articles, ['$id'])([Query.limit(1)])).length > 0;

interface Picture {
  readonly isPublic: boolean;
  /** The file's `$updatedAt`. */
  readonly touched: string;
}

/** Yields the pictures that writers own, in batches. Files that an operator put into the bucket are never swept. */
async function* rounds(backend: KeyedBackend): AsyncGenerator<Map<string, Picture>> {
  let round = new Map<string, Picture>();
  for await (const { $id, $permissions, $updatedAt } of items(filesOf(backend), FILES_PAGE)) {
    if (!$permissions.some((each) => /^(?:update|delete)\("user:/.test(each))) continue;
    round.set($id, { isPublic: isExposed({ $permissions }), touched: $updatedAt });
    if (round.size < ROUND) continue;
    yield round;
    round = new Map();
  }
  yield round;
}

/**
 * Removes from `pictures` those that a post or a former version references. Checks featured images first, because this
 * does not require the posts' texts. Returns the public pictures that only unpublished posts reference.
 */
async function removeNamed(backend: KeyedBackend, pictures: Map<string, Picture>): Promise<Map<string, Picture>> {
  const exposed = new Map<string, Picture>();
  const { articles, revisions } = backend;
  const named = (id: string, status: unknown) => {
    const picture = pictures.get(id);
    pictures.delete(id);
    if (status === 'active') exposed.delete(id);
    else if (status !== undefined && picture?.isPublic) exposed.set(id, picture);
  };
  for (const [fields, page, idsOf] of NAMING) {
    if (pictures.size + exposed.size === 0) break;
    for await (const document of items(documentsOf(backend, articles, ['$id', 'status', ...fields]), page)) {
      for (const id of idsOf(document)) named(id, document.status);
      if (pictures.size + exposed.size === 0) break;
    }
    if (pictures.size === 0) continue;
    // Passes no status: a former version keeps a picture in use, but makes it neither public nor private.
    for await (const version of items(documentsOf(backend, revisions, ['$id', ...fields]), page)) {
      for (const id of idsOf(version)) named(id, undefined);
      if (pictures.size === 0) break;
    }
  }
  return exposed;
}

/**
 * For each attribute that references pictures: its name, the documents per request, and a function returning the ids.
 */
const NAMING: readonly [readonly string[], number, (document: ArticleDocument) => string[]][] = [
  [['featuredImage'], SHORT_PAGE, ({ featuredImage }) => [`${featuredImage}`, keptPictureId(`${featuredImage}`)]],
  [['content'], LONG_PAGE, ({ content }) => filesNamedIn(`${content ?? ''}`)],
];

/** Returns true if the file is unchanged and no document written since the run began references it. */
async function isStillUnused(backend: KeyedBackend, id: string, touched: string, begun: Date): Promise<boolean> {
  if ((await fileAt(backend, id))?.$updatedAt !== touched) return false;
  const since = new Date(Math.min(begun.getTime(), Date.now()) - CLOCKS_DIFFER).toISOString();
  const queries = [Query.greaterThanEqual('$updatedAt', since), naming(id), Query.limit(1)];
  for (const place of [backend.articles, backend.revisions])
    if ((await documentsOf(backend, place, ['$id'])(queries)).length > 0) return false;
  return true;
}

/** Deletes the file. Returns false if it is already gone, because the editor also deletes pictures. */
async function deleteFile({ storage, bucketId }: KeyedBackend, fileId: string): Promise<boolean> {
  return (await unless('storage_file_not_found', storage.deleteFile({ bucketId, fileId }))) !== undefined;
}

/** Deletes the former versions and sync records of deleted posts. Returns the number deleted. */
async function dropOrphans(backend: KeyedBackend): Promise<number> {
  const named = new Set<string>();
  for (const place of [backend.revisions, backend.syncedFiles])
    for await (const { postId } of items(documentsOf(backend, place, ['$id', 'postId']), SHORT_PAGE))
      if (typeof postId === 'string') named.add(postId);
  if (named.size === 0) return 0;
  for await (const { $id } of items(documentsOf(backend, backend.articles, ['$id']), SHORT_PAGE)) named.delete($id);
  let dropped = 0;
  for (const slug of [...named].slice(0, MOST_AT_ONCE)) dropped += await dropVersionsOf(backend, slug);
  return dropped;
}

/** What an event of the backend means for the stored pages. */

import { POST_FIELD_NAMES, POST_FIELDS } from '#blog/post.ts';
import { authorTag } from '#blog/routes/tags.ts';
import { isSlug } from '#blog/slug-rules.ts';
import type { Revalidation } from './revalidate.ts';
import { givenTags } from './tag-pages.ts';

export interface Articles {
  readonly databaseId: string;
  readonly collectionId: string;
}

/** `databases.D.collections.C.documents.X.update`, and the same in the words of the tables API (contract 2.6). */
const DOCUMENT =
  /^(?:databases|tablesdb)\.([^.]+)\.(?:collections|tables)\.([^.]+)\.(?:documents|rows)\.(.+)\.(create|update|upsert|delete)$/;
const TEXTS: ReadonlySet<string> = new Set(
  POST_FIELD_NAMES.filter((name) => POST_FIELDS[name].kind === 'text' || POST_FIELDS[name].kind === 'texts'),
);
const USER = /^users\.([^.]+)\.(?:update\.name|delete)$/;

/**
 * The revalidation that follows from an event's concrete name and payload; undefined when no public page shows what
 * changed. Slugs may hold dots.
 * @param changed of an update, the keys whose values are other than before; undefined where they are not known
 */
export function revalidationFor(
  event: string,
  payload: Readonly<Record<string, unknown>>,
  { databaseId, collectionId }: Articles,
  from: 'backend' | 'webhook' = 'backend',
  changed?: readonly string[],
): Revalidation | undefined {
  const [, database, collection, slug, action] = DOCUMENT.exec(event) ?? [];
  if (slug !== undefined) {
    if (database !== databaseId || collection !== collectionId || !isSlug(slug)) return undefined;
    // Any reader may send an update that changes nothing, and would have pages rendered and caches purged.
    if (changed?.length === 0) return undefined;
    const isGone = action === 'delete' || (payload.status !== undefined && payload.status !== 'active');
    const isInPlace = changed?.every((key) => TEXTS.has(key));
    const tags = isInPlace && !changed?.includes('tags') ? [] : givenTags(payload);
    return {
      slugs: [slug],
      ...(isGone && { gone: [slug] }),
      ...(isInPlace && { isInPlace }),
      ...(tags.length > 0 && { tags }),
      from,
    };
  }
  const [, user] = USER.exec(event) ?? [];
  return user === undefined ? undefined : { tags: [authorTag(user)], from };
}

/** Whether a concrete name tells of a post. */
export function isOfArticle(event: string, { databaseId, collectionId }: Articles): boolean {
  const [, database, collection] = DOCUMENT.exec(event) ?? [];
  return database === databaseId && collection === collectionId;
}

/**
 * Whether a concrete name tells of what no revalidation follows from and pages may depend on all the same: who may read a
 * collection, and of what its documents are made.
 */
export const isOfStructure = (event: string): boolean =>
  /^(?:databases|tablesdb|buckets)\./.test(event) && !/\.(?:documents|rows|files)\./.test(event);

/** The concrete name among an event's names: the others are its wildcard variants. */
export function concreteEvent(events: readonly string[]): string | undefined {
  return events.find((name) => !name.includes('*') && (DOCUMENT.test(name) || USER.test(name)));
}

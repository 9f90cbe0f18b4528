import { POST_FIELD_NAMES, POST_FIELDS } from '#blog/post.ts';
import { authorTag } from '#blog/routes/tags.ts';
import { SETTINGS_ID } from '#blog/site-settings/stored.ts';
import { isSlug } from '#blog/slug-rules.ts';
import type { Revalidation } from './revalidate.ts';
import { givenTags } from './tag-pages.ts';

export interface Articles {
  readonly databaseId: string;
  readonly collectionId: string;
}

/** Matches `databases.D.collections.C.documents.X.update` and its counterpart in the tables API (contract 2.6). */
const DOCUMENT =
  /^(?:databases|tablesdb)\.([^.]+)\.(?:collections|tables)\.([^.]+)\.(?:documents|rows)\.(.+)\.(create|update|upsert|delete)$/;
const TEXTS: ReadonlySet<string> = new Set(
  POST_FIELD_NAMES.filter((name) => POST_FIELDS[name].kind === 'text' || POST_FIELDS[name].kind === 'texts'),
);
const USER = /^users\.([^.]+)\.(?:update\.name|delete)$/;

/** Returns the revalidation that an event requires, if any. @param changed names of the changed fields, if known */
export function revalidationFor(
  event: string,
  payload: Readonly<Record<string, unknown>>,
  { databaseId, collectionId }: Articles,
  from: 'backend' | 'webhook' = 'backend',
  changed?: readonly string[],
): Revalidation | undefined {
  const [, database, collection, slug, action] = DOCUMENT.exec(event) ?? [];
  if (slug !== undefined) {
    if (database === databaseId && collection === SETTINGS_ID) return { settings: true, from };
    if (database !== databaseId || collection !== collectionId || !isSlug(slug)) return undefined;
    // An update that changes nothing needs only read permission, so it must not render pages or purge caches.
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

export function isOfArticle(event: string, { databaseId, collectionId }: Articles): boolean {
  const [, database, collection] = DOCUMENT.exec(event) ?? [];
  return database === databaseId && collection === collectionId;
}

/**
 * Returns true for a change to a database, collection or bucket itself. Such a change triggers no renders, although
 * stored pages may depend on it.
 */
export const isOfStructure = (event: string): boolean =>
  /^(?:databases|tablesdb|buckets)\./.test(event) && !/\.(?:documents|rows|files)\./.test(event);

/** Returns an event's concrete name. Its other names are wildcard variants. */
export function concreteEvent(events: readonly string[]): string | undefined {
  return events.find((name) => !name.includes('*') && (DOCUMENT.test(name) || USER.test(name)));
}

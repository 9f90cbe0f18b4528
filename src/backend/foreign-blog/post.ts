/** Converts documents of another program's collection to posts. */
import type { Models } from 'node-appwrite';
import { fileUrl } from '#blog/images.ts';
import { postPermissions } from '#blog/permissions.ts';
import { POST_FIELD_NAMES, POST_FIELDS, postValues } from '#blog/post.ts';
import { ownerOf } from '../sweep/exposed.ts';
import type { FieldMap } from './fields.ts';

export type Row = Models.DefaultDocument;

export interface Source {
  readonly fields: FieldMap;
  readonly projectId: string;
  readonly bucketId: string;
  /** Ids of the files in the bucket. */
  readonly files: ReadonlySet<string>;
  /**
   * Returns true if the attribute with the field's exact name takes precedence over the mapped one, because an
   * interrupted run may have filled it.
   */
  readonly prefersOwn: (name: string) => boolean;
}

/** Author of posts that have none. The account has no password, so no one can sign in to it. */
const UNKNOWN_AUTHOR = 'unknown-author';
const ID = /^[A-Za-z0-9][\w.-]{0,35}$/;
const PUBLISHED = /^(?:active|publish|published|public|true)$/i;
/** Matches the URLs of stored files and captures bucket, file and project. */
const STORED =
  /https?:\/\/[^\s"'<>]+?\/storage\/buckets\/([\w.-]+)\/files\/([\w.-]+)\/(?:view|preview|download)\?(?:[^\s"'<>]*?[&;])?project=([\w.-]+)[^\s"'<>]*/g;

/** Returns the post's values and permissions, the pictures it shows, and remarks on values that had to be changed. */
export function readPost(row: Row, source: Source) {
  const remarks: string[] = [];
  const given = Object.fromEntries([...POST_FIELD_NAMES, 'userId'].map((name) => [name, valueIn(row, source, name)]));
  const [title, content, wasStatus] = [given.title, given.content, given.status].map((value) => `${value ?? ''}`);
  const status = PUBLISHED.test(wasStatus?.trim() ?? '') || !source.fields.has('status') ? 'active' : 'inactive';
  if (wasStatus !== status) remarks.push(`status ${wasStatus || '(empty)'} became ${status}`);
  const read = { ...postValues({ ...given, status }) };
  if (!title) remarks.push('it has no title and gets its id as one');
  else if (read.title !== title) remarks.push(`its title is too long and was cut: ${title}`);
  if (read.content !== content) remarks.push('its text is too long and was cut');
  if (/<img[^>]+src="data:/.test(content ?? ''))
    remarks.push('pictures that are part of its text (data:) are not shown');
  const pictures = Array.from(read.content.matchAll(STORED)).flatMap((address) => fileIn(address, source) ?? []);
  const featuredImage = featuredImageOf(`${given.featuredImage ?? ''}`.trim(), source);
  if (featuredImage) pictures.push(featuredImage);
  else if (given.featuredImage) remarks.push(`its featured picture is not in the bucket: ${given.featuredImage}`);
  const userId = authorOf(row, `${given.userId ?? ''}`, remarks);
  const empty = POST_FIELD_NAMES.map((name) => [name, EMPTY.get(POST_FIELDS[name].kind) ?? null]);
  const values = { ...Object.fromEntries(empty), ...read, title: read.title || row.$id, featuredImage, userId };
  return { values, permissions: postPermissions(status, userId), pictures, remarks };
}

/** Values stored for empty optional fields, by the field's kind. Other kinds are stored as null. */
const EMPTY = new Map<string, unknown>([
  ['text', ''],
  ['texts', []],
]);

/** Returns a field's value. For a list, returns the first item, unless the field is `tags`, the only list in posts. */
export function valueIn(row: Row, { fields, prefersOwn }: Source, name: string): unknown {
  const value: unknown = (prefersOwn(name) && row[name]) || row[fields.get(name) ?? ''];
  return Array.isArray(value) && name !== 'tags' ? value[0] : value;
}

/** Returns the id of the file in a URL that `STORED` matched; undefined if the file is not in the bucket. */
function fileIn([, bucket, file = '', project]: readonly string[], source: Source): string | undefined {
  return bucket === source.bucketId && project === source.projectId && source.files.has(file) ? file : undefined;
}

function featuredImageOf(given: string, source: Source): string {
  if (source.files.has(given)) return given;
  return Array.from(given.matchAll(STORED), (address) => fileIn(address, source))[0] ?? '';
}

/** Returns the author's id. Prefers the user in the permissions, because any user could store any `userId`. */
function authorOf({ $permissions }: Row, given: string, remarks: string[]): string {
  if ($permissions.includes(`update("user:${given}")`)) return given;
  const owner = ownerOf({ $permissions });
  if (owner === undefined && ID.test(given)) return given;
  const author = owner ?? UNKNOWN_AUTHOR;
  remarks.push(`its author is ${given || '(empty)'} and became ${author}${owner ? ', who may change it' : ''}`);
  return author;
}

/** Replaces URLs of the bucket's files in attributes of `html` with their new URLs at the destination. */
export function withMovedFiles(html: string, source: Source, to: Pick<Source, 'bucketId' | 'projectId'>): string {
  return html.replace(new RegExp(`(?<=["'])${STORED.source}`, 'g'), (...address: string[]) => {
    const file = fileIn(address, source);
    return file ? fileUrl({ ...to, endpoint: '/v1' }, file, 'view') : (address[0] ?? '');
  });
}

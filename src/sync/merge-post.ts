/** Merges a file and a post that have both changed since the last sync, without losing a word of either. */
import { POST_FIELD_NAMES, type PostFieldName, type PostValues, postValues } from '#blog/post.ts';
import { type Agreed, fieldsOf, hashOf } from './agreements.ts';
import { blocksIn, joinedAs, keyOf } from './blocks.ts';
import type { FieldChanges, FieldName } from './front-matter.ts';
import { mergeBlocks } from './merge.ts';
import type { Change } from './rewrite-markdown.ts';

export interface MergedPost {
  /** The post's new values. Fields and blocks in conflict keep the blog's version. */
  readonly post: PostValues;
  /** Fields to write into the file. An undefined value clears a field. */
  readonly fields: FieldChanges;
  /** Blocks to write into the file. */
  readonly changes: readonly Change[];
  /** `blocks`: the file's blocks as HTML. `after`: the merged file's blocks, with the file's side of each conflict. */
  readonly blocks: readonly string[];
  readonly after: readonly string[];
  /** The blog's blocks as HTML. */
  readonly blog: readonly string[];
  /** Names of the fields that both sides changed. */
  readonly conflicts: readonly FieldName[];
  /** The file's values, as JSON, for fields in which the file still differs from the post. */
  readonly own: Readonly<Record<string, string>>;
  /** Keys of the merged blocks, which become the base of the next merge. */
  readonly keys: readonly string[];
}

/** @param base the state on which both sides last agreed; undefined in their first sync */
export function mergePost(base: Agreed | undefined, file: PostValues, blog: PostValues): MergedPost {
  const [ours, theirs] = [blocksIn(file.content), blocksIn(blog.content)];
  const [ownKeys, blogKeys] = [ours, theirs].map((blocks) => blocks.map(blockKey)) as [string[], string[]];
  const parts = mergeBlocks(base?.blocks, ownKeys, blogKeys);
  const merged: string[] = [];
  const keys: string[] = [];
  const after: string[] = [];
  const changes: Change[] = [];
  for (const { from, file: own, blog: other } of parts) {
    const isOwn = from === 'file';
    merged.push(...(isOwn ? ours.slice(...own) : theirs.slice(...other)));
    keys.push(...(isOwn ? ownKeys.slice(...own) : blogKeys.slice(...other)));
    after.push(...(from === 'blog' ? theirs.slice(...other) : ours.slice(...own)));
    if (from === 'blog' || from === 'conflict')
      changes.push({ file: own, blocks: theirs.slice(...other), isConflict: from === 'conflict' });
  }
  const content = parts.every(({ from }) => from !== 'file')
    ? blog.content
    : parts.every(({ from }) => from === 'file' || from === 'both')
      ? file.content
      : joinedAs(blog.content, merged);
  return { ...mergeFields(base, file, blog, content), changes, blocks: ours, after, blog: theirs, keys };
}

export const blockKey = (block: string): string => hashOf(keyOf(block));

function mergeFields(base: Agreed | undefined, file: PostValues, blog: PostValues, content: string) {
  const [ours, theirs] = [fieldsOf(file), fieldsOf(blog)];
  const values: Record<string, unknown> = { ...postValues(blog), content };
  const fields: Record<string, unknown> = {};
  const conflicts: FieldName[] = [];
  const kept: Record<string, string> = {};
  for (const name of POST_FIELD_NAMES) {
    const [own, other] = [ours[name] ?? '', theirs[name] ?? ''];
    if (name === 'content' || own === other) continue;
    const wasOther = base?.fields[name] ?? '';
    const [isOwnNew, isOtherNew] = [!base || own !== (base.own?.[name] ?? wasOther), !base || other !== wasOther];
    if (isOwnNew && !isOtherNew) values[name] = own ? JSON.parse(own) : emptied(blog, name);
    else if (isOtherNew && !isOwnNew) fields[name] = other ? JSON.parse(other) : undefined;
    else {
      kept[name] = own;
      if (isOwnNew) conflicts.push(name);
    }
  }
  return { post: values as unknown as PostValues, fields: fields as FieldChanges, conflicts, own: kept };
}

/** Returns the field's empty value: an empty list if the post's value is a list, otherwise an empty string. */
const emptied = (post: PostValues, name: PostFieldName): unknown =>
  Array.isArray((post as Partial<Record<PostFieldName, unknown>>)[name]) ? [] : '';

/** What differs between two versions of a post: its fields, then its text block by block. */

import type { PostStatus } from '#blog/post.ts';
import { align, type Row } from './align.ts';
import { blocksOf } from './blocks.ts';

/** A version of a post, wherever it is: on the screen, on this device, on the server. */
export interface Version {
  readonly title: string;
  readonly status: PostStatus;
  /** Stored HTML. */
  readonly content: string;
  /** Absent where it cannot differ. */
  readonly slug?: string | undefined;
  /** The featured image: the id of a stored file, or a file that was chosen and not sent yet. Absent: not compared. */
  readonly picture?: string | File | undefined;
}

export type FieldName = 'title' | 'slug' | 'status' | 'picture';

export interface Difference {
  readonly before: Version;
  readonly after: Version;
  /** Those that differ. */
  readonly fields: readonly FieldName[];
  /** All blocks of both texts. */
  readonly rows: readonly Row[];
  readonly isEmpty: boolean;
}

const FIELDS: readonly FieldName[] = ['title', 'slug', 'status', 'picture'];

export function differenceOf(before: Version, after: Version): Difference {
  const fields = FIELDS.filter((name) => {
    const [one, other] = [before[name], after[name]];
    return one !== undefined && other !== undefined && one !== other;
  });
  const rows = align(blocksOf(before.content), blocksOf(after.content));
  return { before, after, fields, rows, isEmpty: fields.length === 0 && rows.every(({ kind }) => kind === 'same') };
}

/** Writes a post's fields into a file's front matter. Leaves every other byte unchanged, but reformats JSON. */
import { isDeepStrictEqual } from 'node:util';
import {
  POST_FIELD_NAMES,
  POST_FIELDS,
  type PostFieldName,
  type PostValues,
  postValues,
  sameValue,
} from '#blog/post.ts';
import { isoDate } from '#transfer/dates.ts';
import { IMAGE_PARTS, IMAGES, postFields } from '#transfer/markdown/fields.ts';
import { documentIn } from '#transfer/markdown/front-matter.ts';
import { ownFormOf } from '#transfer/markdown/own-text.ts';
import {
  endOf,
  type Fields,
  headOf,
  isTable,
  type Path,
  placeOf,
  remove,
  removeAt,
  spliced,
  textOf,
  type Value,
  valueAt,
  write,
} from './front-matter-values.ts';

export type FieldName = Exclude<PostFieldName, 'content'>;
/** New values. An undefined or empty value clears the field. */
export type FieldChanges = Partial<Omit<PostValues, 'content'>>;

export interface PatchOptions {
  /** True for this product's own exports, which use the field names of posts. */
  readonly isOwn: boolean;
  /** The path to write if `featuredImage` has changed. */
  readonly imagePath?: string;
  /** The file's path in its folder. A post in `_drafts` is a draft, whatever its fields say. */
  readonly path?: string;
}

type Values = Partial<Record<PostFieldName, string | readonly string[]>>;

/** If the front matter lacks the field and the text begins with a match, the importer takes the field from the text. */
const TAKEN: Partial<Record<PostFieldName, RegExp>> = {
  title: /^\s*(?:#{1,6}\s|<h\d|[^\s].*\r?\n(?:=+|-+)[ \t]*(?:\r?\n|$))/,
  featuredImage: /^\s*(?:\[?!\[|(?:<(?:p|figure|picture|a|div)\b[^>]*>\s*)*<img\b|\{\{[<%]\s*(?:figure|img))/,
};

/**
 * Returns the file's text with the changed fields in its front matter. Returns undefined if a field cannot be written
 * there, or if the importer would not read back the requested values.
 */
export function patchFrontMatter(text: string, changes: FieldChanges, options: PatchOptions): string | undefined {
  const { isOwn, imagePath = '', path = 'post.md' } = options;
  const document = documentIn(text);
  if (!document || ('title' in changes && !changes.title) || (changes.featuredImage && !imagePath)) return undefined;
  const { fields, body } = document;
  const before = valuesIn(fields, path);
  const asked: Values = {
    ...changes,
    ...('featuredImage' in changes && { featuredImage: changes.featuredImage ? imagePath : '' }),
  };
  const names = Object.keys(asked) as PostFieldName[];
  if (!isOwn && names.some((name) => before[name] === undefined && TAKEN[name]?.test(body))) return undefined;
  const target = { ...before, ...asked };
  let head: ReturnType<typeof write> = headOf(text);
  const paths: Path[] = [];
  const set = (name: PostFieldName, value: Value, known = pathOf(name, fields, isOwn)) => {
    const at = known ?? newPathOf(name, isOwn);
    paths.push(at);
    head = head && write(head, fields, at, writtenAs(name, value, at, fields, isOwn), isOwn);
  };
  for (const name of names.filter((each) => each !== 'status' && !sameValue(each, before, asked))) {
    const value = target[name];
    const known = pathOf(name, fields, isOwn);
    if (value?.length) set(name, value, known);
    // Unscheduling a post removes only `publishDate`, because the other keys hold the post's date.
    else if (known && (isOwn || name !== 'publishAt' || known[0] === 'publishDate')) {
      paths.push(known);
      head = head && remove(head, fields, known);
    }
  }
  // Does not mark a scheduled post as a draft, because other generators never publish drafts.
  const isDraft = (values: Values) => values.status === 'inactive' && (isOwn || !values.publishAt);
  if (isDraft(before) !== isDraft(target)) set('status', isDraft(target));
  if (head && !isOwn && asked.featuredImage === '' && before.featuredImage) {
    const { featuredImage } = valuesIn(documentIn(textOf(head))?.fields ?? {}, path);
    if (featuredImage || TAKEN.featuredImage?.test(body)) {
      paths.push(['featuredImage']);
      head = write(head, {}, ['featuredImage'], '', isOwn);
    }
  }
  if (!head) return undefined;
  const patched = paths.length > 0 ? textOf(head) : text;
  const after = documentIn(patched);
  const isSame =
    after !== undefined &&
    after.body.trimStart() === body.trimStart() &&
    isDeepStrictEqual(without(fields, paths), without(after.fields, paths)) &&
    isDeepStrictEqual(othersIn(fields, path, names), othersIn(after.fields, path, names)) &&
    POST_FIELD_NAMES.every((name) => sameValue(name, target, valuesIn(after.fields, path)));
  return isSame ? patched : undefined;
}

const MARK = '# <<<<<<< blog: ';

/** Adds a comment with the blog's value below the field's lines. Returns undefined for JSON. */
export function conflictComment(text: string, name: FieldName, value: string | readonly string[]): string | undefined {
  const plain = withoutConflictComments(text, name);
  const [document, head] = [documentIn(plain), headOf(plain)];
  if (!document || head.kind === 'json') return undefined;
  const path = pathOf(name, document.fields, ownFormOf(document.fields) !== undefined);
  const [, at = endOf(head)] = (path && placeOf(head, path)?.lines) ?? [];
  const line = `${MARK}${name}: ${JSON.stringify(value)}${head.eol}`;
  const commented = textOf(spliced(head, [at, at], line));
  return isDeepStrictEqual(documentIn(commented)?.fields, document.fields) ? commented : undefined;
}

/** Returns the text without the field's conflict comments. */
export function withoutConflictComments(text: string, name: string): string {
  const head = headOf(text);
  const rest = head.text.replace(conflictLines(name), '');
  return rest === head.text ? text : textOf({ ...head, text: rest });
}

/** Returns the names of the fields that have a conflict comment. */
export const conflictsIn = (text: string): string[] =>
  Array.from(headOf(text).text.matchAll(conflictLines('\\w+')), ([, name = '']) => name);

const conflictLines = (name: string): RegExp => new RegExp(`^${MARK}(${name}): .*\\r?\\n`, 'gm');

/** Returns the imported values, plus `newsletter` and `unpublishAt`, which are imported only from own exports. */
function valuesIn(fields: Fields, path: string): Values {
  const { others, title, draft, image, own } = postFields(fields, path);
  const { newsletter, unpublishAt } = postValues(fields);
  const end = own ? unpublishAt : (isoDate(fields.expiryDate) ?? isoDate(fields.unpublishDate));
  return {
    ...others,
    title,
    status: draft ? 'inactive' : 'active',
    featuredImage: image,
    newsletter,
    unpublishAt: end,
  };
}

function othersIn(fields: Fields, path: string, changed: readonly PostFieldName[]): unknown[] {
  const { name, author, updated, mathematics, own, date, addresses } = postFields(fields, path);
  return [name, author, updated, mathematics, own, ...(changed.includes('publishAt') ? [] : [date, addresses])];
}

/** Returns a copy of the fields without the values at `paths`, and without tables that this leaves empty. */
function without(fields: Fields, paths: readonly Path[]): Fields {
  const rest = structuredClone(fields);
  for (const path of paths) removeAt(rest, path);
  return rest;
}

const IMAGE_PATHS = [[], ['extra'], ['params']]
  .flatMap((table) =>
    IMAGES.flatMap((name): Path[] => [
      [...table, name],
      [...table, name, 0],
    ]),
  )
  .flatMap((path) => [path, ...IMAGE_PARTS.map((name) => [...path, name])]);

const only = (name: string): Path => [name];

/** The keys that `fields.ts` reads, in the same order. */
const PATHS: Partial<Record<PostFieldName, readonly Path[]>> = {
  status: ['draft', 'published', 'publish', 'status', 'post_status'].map(only),
  excerpt: ['excerpt', 'description', 'summary'].map(only),
  language: ['lang', 'language'].map(only),
  featuredImageAlt: ['featuredImageAlt', 'heroImageAlt', 'image_alt', 'imageAlt', 'cover_alt', 'coverAlt'].map(only),
  publishAt: ['publishDate', 'pubDate', 'date', 'datePublished'].map(only),
  unpublishAt: ['expiryDate', 'unpublishDate'].map(only),
  tags: [['tags'], ['taxonomies', 'tags']],
  featuredImage: IMAGE_PATHS,
};
const NEW_NAMES: Partial<Record<PostFieldName, string>> = {
  ...{ status: 'draft', excerpt: 'description', language: 'lang', featuredImage: 'image' },
  ...{ featuredImageAlt: 'imageAlt', publishAt: 'publishDate', unpublishAt: 'expiryDate' },
};

/** Returns the path of the key from which a field is read; undefined if the file has no such key. */
function pathOf(name: PostFieldName, fields: Fields, isOwn: boolean): Path | undefined {
  const paths = isOwn ? [newPathOf(name, true)] : (PATHS[name] ?? [[name]]);
  const found = paths.filter((path) => {
    const value = valueAt(fields, path);
    if (/^publish(?:ed)?$/.test(String(path[0]))) return /^(?:true|false|yes|no|on|off)$/i.test(String(value));
    return value !== undefined && (!isTable(value) || (name === 'tags' && Array.isArray(value)));
  });
  return found.find((path) => ![null, ''].includes(valueAt(fields, path) as null)) ?? found[0];
}

/** Converts a field's value to the form that the key requires. */
function writtenAs(name: PostFieldName, value: Value, path: Path, fields: Fields, isOwn: boolean): Value {
  const [key, old] = [String(path[0]), valueAt(fields, path)];
  if (typeof value === 'boolean')
    return key === 'draft' ? value : /^publish/.test(key) ? !value : value ? 'draft' : 'published';
  if (POST_FIELDS[name].kind === 'time') {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(old instanceof Date ? old.toISOString() : String(old));
    return {
      time: isOwn ? String(value) : String(value).replace(isDay ? 'T00:00:00.000Z' : '.000Z', isDay ? '' : 'Z'),
    };
  }
  if (typeof value === 'string' || !('join' in value)) return value;
  return typeof old === 'string' && (old.includes(',') || value.length === 1) ? value.join(', ') : value;
}

/** Returns the path at which the field is added to a file that does not have it. */
const newPathOf = (name: PostFieldName, isOwn: boolean): Path => [
  isOwn && name !== 'status' ? name : (NEW_NAMES[name] ?? name),
];

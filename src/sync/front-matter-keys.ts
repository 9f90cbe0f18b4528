/** Chooses the front-matter key for a field, and the form in which its value is written. */
import { POST_FIELDS, type PostFieldName } from '#blog/post.ts';
import { type Fields, isTable, type Path, valueAt } from './front-matter-places.ts';
import type { Value } from './front-matter-values.ts';

const IMAGES = 'featuredImage featured_image heroImage hero cover image images thumbnail banner og_image'.split(' ');
const IMAGE_PATHS = [[], ['extra'], ['params']]
  .flatMap((table) =>
    IMAGES.flatMap((name): Path[] => [
      [...table, name],
      [...table, name, 0],
    ]),
  )
  .flatMap((path) => [path, ...['src', 'path', 'image', 'url', 'file'].map((name) => [...path, name])]);

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
export function pathOf(name: PostFieldName, fields: Fields, isOwn: boolean): Path | undefined {
  const paths = isOwn ? [newPathOf(name, true)] : (PATHS[name] ?? [[name]]);
  const found = paths.filter((path) => {
    const value = valueAt(fields, path);
    if (/^publish(?:ed)?$/.test(String(path[0]))) return /^(?:true|false|yes|no|on|off)$/i.test(String(value));
    return value !== undefined && (!isTable(value) || (name === 'tags' && Array.isArray(value)));
  });
  return found.find((path) => ![null, ''].includes(valueAt(fields, path) as null)) ?? found[0];
}

/** Converts a field's value to the form that the key requires. */
export function writtenAs(name: PostFieldName, value: Value, path: Path, fields: Fields, isOwn: boolean): Value {
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
export const newPathOf = (name: PostFieldName, isOwn: boolean): Path => [
  isOwn && name !== 'status' ? name : (NEW_NAMES[name] ?? name),
];

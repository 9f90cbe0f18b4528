/** Chooses the key of a field in a file's front matter, and how its value is written there. */
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

/** Keys as `fields.ts` reads them, in its order. */
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

/** Returns the path of the key that the field is read from; undefined if the file has none. */
export function pathOf(name: PostFieldName, fields: Fields, isOwn: boolean): Path | undefined {
  const paths = isOwn ? [newPathOf(name, true)] : (PATHS[name] ?? [[name]]);
  const found = paths.filter((path) => {
    const value = valueAt(fields, path);
    if (/^publish(?:ed)?$/.test(String(path[0]))) return /^(?:true|false|yes|no|on|off)$/i.test(String(value));
    return value !== undefined && (!isTable(value) || (name === 'tags' && Array.isArray(value)));
  });
  return found.find((path) => ![null, ''].includes(valueAt(fields, path) as null)) ?? found[0];
}

/** Returns the value as it is written under a key. */
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

/** Returns the path under which a file without the field gets it. */
export const newPathOf = (name: PostFieldName, isOwn: boolean): Path => [
  isOwn && name !== 'status' ? name : (NEW_NAMES[name] ?? name),
];

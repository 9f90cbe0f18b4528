/** Maps a post's fields to the attributes of a collection that another program created. */
import type { Models } from 'node-appwrite';
import { OperatorError } from '#blog/errors.ts';
import { POST_FIELD_NAMES } from '#blog/post.ts';

const NEEDED = ['title', 'content', 'status', 'featuredImage', 'userId'] as const;
const NAMES: readonly string[] = [...POST_FIELD_NAMES, 'userId', 'slug'];
/** Marks a field that the collection does not have. */
const NONE = '-';

/** Maps this product's field names to the collection's attribute names. The field `slug` is the post's id. */
export type FieldMap = ReadonlyMap<string, string>;

/** Parses text such as `content=body,featuredImage=-`. @throws OperatorError if it names a field that posts lack */
export function parseFieldMap(text = ''): FieldMap {
  const pairs = text.split(',').filter(Boolean);
  return new Map(
    pairs.map((pair): [string, string] => {
      const [field = '', attribute = ''] = pair.split('=').map((name) => name.trim());
      if (NAMES.includes(field) && attribute) return [field, attribute];
      throw new OperatorError(`--map ${pair}: write FIELD=ATTRIBUTE, with one of these fields: ${NAMES.join(', ')}.`);
    }),
  );
}

/**
 * Maps each field to its attribute in `given`, or else to the attribute with the same name, ignoring case and
 * underscores. Prefers an attribute with a different spelling, because an interrupted provisioning may have added an
 * empty one with the exact name. Also returns required fields without an attribute, and attributes without a field.
 * @throws OperatorError if `given` names an attribute that the collection does not have
 */
export function fieldsIn({ $id, attributes }: Models.Collection, given: FieldMap) {
  const keys = (attributes as unknown as { readonly key: string }[]).map(({ key }) => key);
  for (const key of given.values())
    if (key !== NONE && !keys.includes(key)) throw new OperatorError(`Collection ${$id} has no attribute ${key}.`);
  const fields = new Map<string, string>();
  for (const name of NAMES) {
    const spelled = keys.filter((key) => bare(key) === bare(name));
    const key = given.get(name) ?? spelled.find((each) => each !== name) ?? spelled[0];
    if (key !== undefined && key !== NONE) fields.set(name, key);
  }
  const used = new Set([...fields.values(), ...NAMES]);
  const missing = NEEDED.filter((name) => !fields.has(name) && !given.has(name));
  return { fields, missing, unused: keys.filter((key) => !used.has(key)) };
}

const bare = (name: string): string => name.toLowerCase().replaceAll('_', '');

/** Returns true if users have access to all documents or files in `place`. This product never grants such access. */
export function isOpen(place: Models.Collection | Models.Bucket): boolean {
  const perItem = 'fileSecurity' in place ? place.fileSecurity : place.documentSecurity;
  return !perItem || place.$permissions.some((permission) => !permission.startsWith('create('));
}

/** Returns true if another program created the collection. */
export const isForeign = (collection: Models.Collection): boolean =>
  isOpen(collection) || NEEDED.some((name) => fieldsIn(collection, new Map()).fields.get(name) !== name);

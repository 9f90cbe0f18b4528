/** Examines another program's entire blog before any of it is changed or moved. */
import { createHash } from 'node:crypto';
import type { Models } from 'node-appwrite';
import { filePermissions } from '#blog/permissions.ts';
import { cutAtWord, hyphenated, isSlug, SLUG_MAX } from '#blog/slug.ts';
import { accountsOf, filesNamedIn, filesOf, type KeyedBackend } from '../keyed-backend.ts';
import { ownerOf } from '../sweep/exposed.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';
import { type FieldMap, fieldsIn } from './fields.ts';
import { type Row, readPost, valueIn, withMovedFiles } from './post.ts';

export interface SurveyOptions {
  readonly fields?: FieldMap;
  /** Allows publishing posts that only users with an account could read until now. */
  readonly makePublic?: boolean;
  /** True if the posts stay in their collection and keep their ids. */
  readonly inPlace?: boolean;
}

export type ForeignBlog = Awaited<ReturnType<typeof surveyBlog>>;

export const listPosts =
  ({ databases, articles }: KeyedBackend) =>
  async (queries: string[]): Promise<Row[]> =>
    (await databases.listDocuments({ ...articles, queries, total: false })).documents;

/** @throws OperatorError if `fields` names an attribute that is missing; the SDK's error if the backend fails */
export async function surveyBlog(
  backend: KeyedBackend,
  { fields: given = new Map(), makePublic = false, inPlace = false }: SurveyOptions = {},
) {
  const { projectId, bucketId } = backend.target;
  const collection = await backend.databases.getCollection(backend.articles);
  const { fields, missing, unused } = fieldsIn(collection, given);
  const files = await idsOf(unless('storage_bucket_not_found', Array.fromAsync(items(filesOf(backend)))));
  const accounts = await idsOf(Array.fromAsync(items(accountsOf(backend))));
  const source = { fields, projectId, bucketId, files, prefersOwn: (name: string) => inPlace || !given.has(name) };
  const uses = new Map<string, { readonly isPublic: boolean; readonly userId: string }>();
  const [lostAuthors, closed] = [new Set<string>(), new Set<string>()];
  const slugs = new Map<string, string>();
  const noted: { readonly what: string; readonly id: string }[] = [];
  const note = (what: string, id: string) => noted.push({ what, id });

  for await (const row of items(listPosts(backend))) {
    const { $id: id } = row;
    const { values, pictures, remarks } = readPost(row, source);
    const { userId } = values;
    const isPublic = values.status === 'active';
    slugs.set(id, `${valueIn(row, source, 'slug') || id}`);
    for (const remark of remarks) note(remark, id);
    if (!accounts.has(userId)) note(`its author ${userId} has no account and gets one without a password`, id);
    if (!accounts.has(userId)) lostAuthors.add(userId);
    if (isPublic && ![...collection.$permissions, ...row.$permissions].some(isForGuests)) closed.add(id);
    for (const file of filesNamedIn(values.content))
      if (!files.has(file)) note(`a picture in its text is not in the bucket and keeps its address: ${file}`, id);
    for (const file of pictures)
      uses.set(file, { userId, ...uses.get(file), isPublic: isPublic || uses.get(file)?.isPublic === true });
  }

  const slugOf = assignSlugs(slugs);
  for (const [id, slug] of slugOf) {
    if (!inPlace && slug !== slugs.get(id)) note(`its address becomes /post/${slug}`, slugs.get(id) ?? id);
    if (inPlace && !isSlug(id)) note('it has no page, because its id has capital letters, and needs npm run move', id);
  }
  for (const key of unused) note('attributes that posts here do not have', key);
  const obstacles: string[] = [];
  if (slugs.size > 0 && missing.length > 0)
    obstacles.push(
      `The posts of collection ${collection.$id} have no ${missing.join(', ')}. Name the attributes with --map ${missing.map((name) => `${name}=ATTRIBUTE`).join(',')}, or write - where there is none. Attributes are ${unused.join(', ')}.`,
    );
  if (closed.size > 0 && !makePublic)
    obstacles.push(
      `Guests cannot read these active posts of collection ${collection.$id}, and here everyone could: ${[...closed].join(', ')}. If everyone may read them, add --public.`,
    );
  /** Returns the new permissions of a file that a post shows; undefined for any other file. */
  const rightsOf = (file: Models.File): string[] | undefined => {
    const use = uses.get(file.$id);
    return use && filePermissions(use.isPublic ? 'active' : 'inactive', ownerOf(file) ?? use.userId);
  };
  return {
    obstacles,
    /** One line for each kind of change, with the ids of the posts it affects. */
    notes: Array.from(
      Map.groupBy(noted, ({ what }) => what),
      ([what, each]) => `${what} (${each.map(({ id }) => id).join(', ')})`,
    ),
    fields,
    /** Ids of authors who have no account. */
    lostAuthors,
    read: (row: Row) => readPost(row, source),
    rightsOf,
    /** Returns the post's document as it is stored at the destination. */
    movedPost(row: Row, to: Pick<typeof source, 'bucketId' | 'projectId'>): Row {
      const { values, permissions } = readPost(row, source);
      const content = withMovedFiles(values.content, source, to);
      return { ...row, ...values, content, $id: slugOf.get(row.$id) ?? row.$id, $permissions: permissions };
    },
    /**
     * Returns the file as it is stored at the destination. A file that no post shows gets no permissions, so that it
     * counts as the operator's and is never swept.
     */
    movedFile: (file: Models.File): Models.File => ({ ...file, $permissions: rightsOf(file) ?? [] }),
  };
}

const isForGuests = (permission: string): boolean => /^read\("(?:any|guests)"\)$/.test(permission);

const idsOf = async (asked: Promise<readonly { readonly $id: string }[] | undefined>): Promise<ReadonlySet<string>> =>
  new Set((await asked)?.map(({ $id }) => $id));

const SUFFIX = 6;

/** Assigns each post a unique slug. Keeps valid slugs; makes others valid, and adds a suffix if a slug is taken. */
function assignSlugs(given: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const valid = new Set([...given.values()].filter(isSlug));
  const slugs = new Map<string, string>();
  const used = new Set<string>();
  for (const [id, wanted] of given) {
    const slug = isSlug(wanted) ? wanted : hyphenated(wanted);
    const isFree = isSlug(slug) && !used.has(slug) && (slug === wanted || !valid.has(slug));
    const suffix = createHash('sha256').update(id).digest('hex').slice(0, SUFFIX);
    slugs.set(id, isFree ? slug : `${cutAtWord(slug, SLUG_MAX - SUFFIX - 1) || 'post'}-${suffix}`);
    used.add(slugs.get(id) ?? '');
  }
  return slugs;
}

/** Creates or updates the product's schema in an Appwrite project, embedded or real. Can be run at any time. */

import { setTimeout as wait } from 'node:timers/promises';
import { type DatabasesIndexType, type Models, type OrderBy, Query } from 'node-appwrite';
import { faultOf, OperatorError } from '#blog/errors.ts';
import { SITE_TEAM, type Writers } from '#blog/people.ts';
import { isOpen } from './foreign-blog/fields.ts';
import { type ForeignBlog, type SurveyOptions, surveyBlog } from './foreign-blog/survey.ts';
import { createLostAuthors, takeOverFiles, takeOverPosts } from './foreign-blog/take-over.ts';
import { type Collection, type KeyedBackend, keyedBackend } from './keyed-backend.ts';
import {
  type AttributeSpec,
  BUCKET,
  COLLECTIONS,
  type CollectionName,
  type CollectionSpec,
  createPermission,
  type IndexSpec,
  writersIn,
} from './schema.ts';
import type { ServerTarget } from './target.ts';
import { unless } from './unless.ts';

export type Change = string;

interface ProvisionOptions extends Pick<SurveyOptions, 'fields' | 'makePublic'> {
  readonly check?: boolean;
  readonly writers?: Writers | undefined;
}

/**
 * Creates missing parts of the schema and corrects those that differ; deletes nothing. With `check`, changes nothing.
 * Without `writers`, leaves the right to create posts unchanged; on a new site, every account gets it. For another
 * program's blog, sets permissions on each post and picture before removing those on the collection and the bucket.
 * Returns one sentence per change.
 * @throws OperatorError naming the part that could not be changed
 */
export async function provision(
  target: ServerTarget,
  { check = false, writers, ...survey }: ProvisionOptions = {},
): Promise<Change[]> {
  const looking = { ...keyedBackend(target), writers, check, changes: [] };
  const run: Run = { ...looking, ...(await lookFirst(looking, survey)) };
  await provisionTeam(run);
  await provisionDatabase(run);
  if (run.foreign && !check) await createLostAuthors(run, run.foreign);
  for (const wanted of collectionsOf(run)) {
    const collection = await existingCollection(run, wanted);
    if (!collection) await provisionCollection(run, wanted, collection);
    for (const spec of wanted.attributes) await provisionAttribute(run, spec, wanted, collection);
    if (collection) await relaxUnknown(run, wanted, collection);
    await available(run, wanted, 'attribute');
    const blog = wanted.isPosts ? run.foreign : undefined;
    if (blog) reportRights(run, 'posts', await takeOverPosts(run, blog, check));
    if (collection) await provisionCollection(run, wanted, collection);
    // Runs again for posts that were written after the first run, but before the collection's permissions changed.
    if (blog && !check) reportRights(run, 'posts', await takeOverPosts(run, blog, check));
    for (const spec of wanted.indexes) await provisionIndex(run, spec, wanted, collection);
    await available(run, wanted, 'index');
  }
  await provisionBucket(run);
  return run.changes;
}

interface Run extends KeyedBackend {
  readonly writers: Writers | undefined;
  /** Another program's blog in the collection and bucket; undefined if this product created both. */
  readonly foreign: ForeignBlog | undefined;
  /** The setting for who may create posts, as it was before this run. */
  readonly writersNow: Writers;
  readonly check: boolean;
  readonly changes: Change[];
}

interface Wanted extends CollectionSpec {
  readonly place: Collection;
  readonly isPosts: boolean;
  /** Suffix that names the collection in messages about a part of it, such as ` of revisions`; empty for posts. */
  readonly of: string;
}

/** Returns every collection of a site, posts first. */
const collectionsOf = (backend: KeyedBackend): Wanted[] =>
  (Object.keys(COLLECTIONS) as CollectionName[]).map((name) => {
    const [place, isPosts] = [backend[name], name === 'articles'];
    return { ...COLLECTIONS[name], place, isPosts, of: isPosts ? '' : ` of ${place.collectionId}` };
  });

async function change(run: Run, sentence: Change, work: () => Promise<unknown>): Promise<void> {
  if (!run.check) await attempt(sentence, work);
  run.changes.push(sentence);
}

function reportRights({ changes, check }: Run, what: string, count: number): void {
  if (count > 0) changes.push(`${what}: ${count} ${check ? 'need' : 'got'} their own permissions`);
}

async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, type } = faultOf(error);
    const hint =
      type === 'general_unauthorized_scope' ? ' Give the key the scopes for databases, buckets and teams.' : '';
    const said = /^\s*</.test(message)
      ? 'The answer is a web page and not one of Appwrite: the endpoint is the address that ends in /v1.'
      : `The backend says: ${message}${hint}`;
    throw new OperatorError(`Could not do this: ${what}. ${said}`, { cause: error });
  }
}

/** Matches the errors for a part that does not exist yet. Any other 404 means a wrong endpoint or project. */
const MISSING = /^(?:team|database|collection|storage_bucket)_not_found$/;

async function existing<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
  return attempt(`read ${what}`, () => unless(MISSING, ask()));
}

const existingCollection = ({ databases }: KeyedBackend, { place }: Wanted): Promise<Models.Collection | undefined> =>
  existing(`collection ${place.collectionId}`, () => databases.getCollection(place));

async function provisionTeam(run: Run): Promise<void> {
  const team = { teamId: SITE_TEAM, name: 'Site' };
  const found = await existing(`team ${SITE_TEAM}`, () => run.teams.get(team));
  if (!found) await change(run, `team ${SITE_TEAM}: created`, () => run.teams.create(team));
}

/**
 * Looks for obstacles before anything changes, so that a collection with unexpected attributes or indexes stays exactly
 * as it was, including its read permissions. Returns which users may create posts, and another program's blog, if any.
 * @throws OperatorError naming all obstacles
 */
async function lookFirst(
  run: Omit<Run, 'writersNow' | 'foreign'>,
  survey: SurveyOptions,
): Promise<Pick<Run, 'writersNow' | 'foreign'>> {
  const obstacles: string[] = [];
  let writersNow: Writers = 'everyone';
  let foreign: ForeignBlog | undefined;
  for (const wanted of collectionsOf(run)) {
    const found = await existingCollection(run, wanted);
    if (found) obstacles.push(...obstaclesIn(found, wanted));
    if (!found || !wanted.isPosts) continue;
    writersNow = writersIn(found.$permissions);
    const { bucketId } = run;
    const bucket = await existing(`bucket ${bucketId}`, () => run.storage.getBucket({ bucketId }));
    if (isOpen(found) || (bucket && isOpen(bucket)) || survey.fields?.size) {
      foreign = await surveyBlog(run, { ...survey, inPlace: true });
      obstacles.push(...foreign.obstacles);
    }
  }
  if (obstacles.length > 0)
    throw new OperatorError(`Nothing was changed, because this stands in the way:\n- ${obstacles.join('\n- ')}`);
  run.changes.push(...(foreign?.notes ?? []).map((note) => `posts: ${note}`));
  return { writersNow, foreign };
}

function obstaclesIn(found: Models.Collection, { attributes, indexes, place: { collectionId } }: Wanted): string[] {
  const elsewhere = 'or name another collection (APPWRITE_COLLECTION_ID)';
  const there = found.attributes as unknown as ExistingAttribute[];
  const ofAttributes = there.flatMap((attribute) => {
    const { key, array, required } = attribute;
    const kind = attribute.format || attribute.type;
    const spec = attributes.find((each) => each.key === key);
    const is = `Attribute ${key} of ${collectionId} is ${array ? 'a list of ' : ''}${kind}`;
    if (!spec) {
      return required && kind !== 'string'
        ? [`${is}, required and unknown here: no post could be stored. Make it optional, ${elsewhere}.`]
        : [];
    }
    const isList = spec.kind === 'string' && spec.array === true;
    // A string attribute, such as the MegaBlog tutorial's `status`, cannot be made an enum, but works just as well.
    const isSame = Boolean(array) === isList && (spec.kind === kind || (spec.kind === 'enum' && kind === 'string'));
    return isSame
      ? []
      : [
          `${is}, and should be ${isList ? 'a list of ' : ''}${spec.kind}. Copy its values, delete it, and provision again, ${elsewhere}.`,
        ];
  });
  const ofIndexes = found.indexes.flatMap((index) => {
    const spec = indexes.find(({ key }) => key === index.key);
    if (!spec || (index.type === spec.type && index.attributes.join() === spec.attributes.join())) return [];
    return [
      `Index ${spec.key} of ${collectionId} is on ${index.attributes.join(', ')} (${index.type}), and should be on ${spec.attributes.join(', ')} (${spec.type}). Delete it and provision again.`,
    ];
  });
  return [...ofAttributes, ...ofIndexes];
}

/**
 * Returns the create permission for `writers`. Without `writers`, an existing part keeps the users in `found`, and a
 * missing part gets the users who may create posts now.
 */
const permissionsFor = ({ writers, writersNow }: Run, found: readonly string[] | undefined): string[] => [
  createPermission(writers ?? (found ? writersIn(found) : writersNow)),
];

async function provisionDatabase(run: Run): Promise<void> {
  const { databaseId } = run.articles;
  const found = await existing(`database ${databaseId}`, () => run.databases.get({ databaseId }));
  if (found) return;
  await change(run, `database ${databaseId}: created`, () => run.databases.create({ databaseId, name: 'Blog' }));
}

async function provisionCollection(
  run: Run,
  { place, name, documentSecurity, permissions: given }: Wanted,
  found: Models.Collection | undefined,
): Promise<void> {
  const { collectionId } = place;
  const permissions = given === 'writers' ? permissionsFor(run, found?.$permissions) : [...given];
  const wanted = { ...place, name, documentSecurity, permissions, enabled: true };
  if (!found) {
    await change(run, `collection ${collectionId}: created`, () => run.databases.createCollection(wanted));
    return;
  }
  const faults = [
    !sameMembers(found.$permissions, permissions) && 'permissions',
    found.documentSecurity !== documentSecurity && 'document security',
    !found.enabled && 'enabled',
  ].filter(Boolean);
  if (faults.length > 0) {
    const sentence = `collection ${collectionId}: ${faults.join(', ')} corrected`;
    await change(run, sentence, () => run.databases.updateCollection({ ...wanted, name: found.name }));
  }
}

type ExistingAttribute = {
  key: string;
  type: string;
  format?: string;
  array?: boolean;
  status: string;
  size?: number;
  elements?: string[];
  required: boolean;
  error: string;
};

async function provisionAttribute(
  run: Run,
  spec: AttributeSpec,
  { place: collectionPlace, of }: Wanted,
  collection: Models.Collection | undefined,
): Promise<void> {
  const { databases } = run;
  const place = { ...collectionPlace, key: spec.key };
  const found = (collection?.attributes as ExistingAttribute[] | undefined)?.find(({ key }) => key === spec.key);
  if (!found) {
    const { required } = spec;
    await change(run, `attribute ${spec.key}${of}: created`, () => {
      if (spec.kind === 'integer') return databases.createIntegerAttribute({ ...place, required, min: 0 });
      if (spec.kind === 'datetime') return databases.createDatetimeAttribute({ ...place, required });
      if (spec.kind === 'enum') {
        return databases.createEnumAttribute({ ...place, elements: [...spec.elements], required });
      }
      const { size, array } = spec;
      return databases.createStringAttribute({ ...place, size, required, ...(array && { array }), ...defaultOf(spec) });
    });
  } else if (spec.kind === 'enum' && found.format === 'enum' && !sameMembers(found.elements ?? [], spec.elements)) {
    const elements = [...spec.elements];
    // The SDK requires a default. Null means none, although the SDK's types do not allow it.
    const none = null as unknown as string;
    await change(run, `attribute ${spec.key}${of}: values set to ${elements.join(', ')}`, () =>
      databases.updateEnumAttribute({ ...place, elements, required: spec.required, xdefault: none }),
    );
  } else if (spec.kind === 'string' && (found.size ?? 0) < spec.size) {
    // Sizes are only raised, because reducing one could truncate stored strings.
    const xdefault = spec.default ?? (null as unknown as string);
    await change(run, `attribute ${spec.key}${of}: size raised from ${found.size} to ${spec.size}`, () =>
      databases.updateStringAttribute({ ...place, required: spec.required, xdefault, size: spec.size }),
    );
  }
}

/** Makes required text attributes optional if this product does not use them. `lookFirst` refuses other kinds. */
async function relaxUnknown(run: Run, wanted: Wanted, found: Models.Collection): Promise<void> {
  for (const { key, required } of found.attributes as unknown as ExistingAttribute[]) {
    if (!required || wanted.attributes.some((spec) => spec.key === key)) continue;
    const optional = { ...wanted.place, key, required: false, xdefault: null as unknown as string };
    await change(run, `attribute ${key}${wanted.of}: made optional`, () =>
      run.databases.updateStringAttribute(optional),
    );
  }
}

const defaultOf = (spec: AttributeSpec) =>
  spec.kind === 'string' && spec.default !== undefined ? { xdefault: spec.default } : {};

/**
 * Waits until attributes or indexes are ready, because a real Appwrite creates them in the background and refuses an
 * index on an attribute that is not ready.
 */
async function available(run: Run, wanted: Wanted, kind: 'attribute' | 'index'): Promise<void> {
  if (run.check) return;
  const keys = new Set((kind === 'attribute' ? wanted.attributes : wanted.indexes).map(({ key }) => key));
  for (const deadline = Date.now() + 60_000; ; await wait(250)) {
    const ours = (await partsOf(run, wanted, kind)).filter(({ key }) => keys.has(key));
    const failed = ours.find(({ status }) => status === 'failed' || status === 'stuck');
    const name = kind === 'attribute' ? 'Attribute' : 'Index';
    if (failed) {
      throw new OperatorError(
        `${name} ${failed.key}${wanted.of} could not be made: ${failed.error}. Delete it and provision again.`,
      );
    }
    const waiting = ours.filter(({ status }) => status !== 'available');
    if (waiting.length === 0) return;
    if (Date.now() > deadline) {
      throw new OperatorError(
        `${name} ${waiting[0]?.key}${wanted.of} is still not available after a minute. Try again later.`,
      );
    }
  }
}

type Part = Pick<ExistingAttribute, 'key' | 'status' | 'error'>;

async function partsOf(run: Run, { place }: Wanted, kind: 'attribute' | 'index'): Promise<Part[]> {
  const asked = { ...place, queries: [Query.limit(100)] };
  if (kind === 'index') return (await attempt('read the indexes', () => run.databases.listIndexes(asked))).indexes;
  const { attributes } = await attempt('read the attributes', () => run.databases.listAttributes(asked));
  return attributes as unknown as ExistingAttribute[];
}

async function provisionIndex(
  run: Run,
  spec: IndexSpec,
  { place, of }: Wanted,
  collection: Models.Collection | undefined,
): Promise<void> {
  const { key } = spec;
  if (collection?.indexes.some((index) => index.key === key)) return;
  const type = spec.type as DatabasesIndexType;
  const [attributes, orders] = [[...spec.attributes], [...spec.orders] as OrderBy[]];
  await change(run, `index ${key}${of}: created on ${attributes.join(', ')}`, () =>
    run.databases.createIndex({ ...place, key, type, attributes, orders }),
  );
}

async function provisionBucket(run: Run): Promise<void> {
  const { bucketId } = run;
  const found = await existing(`bucket ${bucketId}`, () => run.storage.getBucket({ bucketId }));
  const permissions = permissionsFor(run, found?.$permissions);
  const wanted = { bucketId, ...BUCKET, permissions, enabled: true };
  if (found && run.foreign) {
    const isPublic = !found.fileSecurity && found.$permissions.includes('read("any")');
    reportRights(run, 'pictures', await takeOverFiles(run, run.foreign, isPublic, run.check));
  }
  if (!found) {
    await change(run, `bucket ${bucketId}: created`, () => run.storage.createBucket(wanted));
    return;
  }
  const faults = [
    !sameMembers(found.$permissions, permissions) && 'permissions',
    found.fileSecurity !== BUCKET.fileSecurity && 'file security',
    found.maximumFileSize !== BUCKET.maximumFileSize && 'size limit',
    !sameMembers(found.allowedFileExtensions, BUCKET.allowedFileExtensions) && 'accepted types',
    !found.enabled && 'enabled',
  ].filter(Boolean);
  if (faults.length > 0) {
    const sentence = `bucket ${bucketId}: ${faults.join(', ')} corrected`;
    await change(run, sentence, () => run.storage.updateBucket({ ...wanted, name: found.name }));
  }
}

function sameMembers(found: readonly string[], wanted: readonly string[]): boolean {
  return found.length === wanted.length && wanted.every((member) => found.includes(member));
}

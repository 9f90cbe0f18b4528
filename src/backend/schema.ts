/** Defines the collections and the bucket that the product needs in an Appwrite project. */

import { IMAGE_EXTENSIONS, IMAGE_MAX_BYTES } from '#blog/images.ts';
import { ISSUE_STATES, SUBSCRIBER_STATES } from '#blog/newsletter/newsletter.ts';
import { SITE_TEAM, type Writers } from '#blog/people.ts';
import { POST_FIELD_NAMES, POST_FIELDS, POST_STATUSES, type PostFieldName } from '#blog/post.ts';
import { SETTINGS_ID, SETTINGS_MAX_CHARACTERS } from '#blog/site-settings/stored.ts';
import { SYNCED_FILE_STATES, SYNCED_FILES_ID } from '#blog/synced-file.ts';

/** Ids of the database, collections and bucket, chosen by the operator. The project's id is not included. */
export interface BackendIds {
  readonly databaseId: string;
  readonly collectionId: string;
  readonly revisionsId: string;
  readonly bucketId: string;
}

export type AttributeSpec =
  | {
      readonly key: string;
      readonly kind: 'string';
      readonly size: number;
      readonly required: boolean;
      readonly default?: string;
      readonly array?: true;
    }
  | { readonly key: string; readonly kind: 'enum'; readonly elements: readonly string[]; readonly required: boolean }
  | { readonly key: string; readonly kind: 'integer'; readonly required: boolean }
  | { readonly key: string; readonly kind: 'datetime'; readonly required: boolean };

export interface IndexSpec {
  readonly key: string;
  readonly type: 'key' | 'fulltext';
  readonly attributes: readonly string[];
  readonly orders: readonly ('asc' | 'desc')[];
}

export interface CollectionSpec {
  readonly name: string;
  /** `writers`: users who may create posts may also create documents here. */
  readonly permissions: 'writers' | readonly string[];
  readonly documentSecurity: boolean;
  readonly attributes: readonly AttributeSpec[];
  readonly indexes: readonly IndexSpec[];
}

export const createPermission = (writers: Writers): string =>
  writers === 'members' ? `create("team:${SITE_TEAM}")` : 'create("users")';

export const writersIn = (permissions: readonly string[]): Writers =>
  permissions.includes(createPermission('members')) && !permissions.includes(createPermission('everyone'))
    ? 'members'
    : 'everyone';

export const collectionIds = ({ collectionId, revisionsId }: BackendIds) => ({
  articles: collectionId,
  revisions: revisionsId,
  syncedFiles: SYNCED_FILES_ID,
  draftLinks: 'draft-links',
  settings: SETTINGS_ID,
  subscribers: 'subscribers',
  issues: 'newsletter-issues',
  locks: 'locks',
  passkeys: 'passkeys',
  authenticatorKeys: 'authenticator-keys',
  usedChallenges: 'used-challenges',
});

export type CollectionName = keyof ReturnType<typeof collectionIds>;

const FIELD_ATTRIBUTES = POST_FIELD_NAMES.map(attributeOf);
export const MAX_PATH_CHARACTERS = 1000;
export const MAX_CONFLICT_CHARACTERS = 2_000_000;

/** Each document's own permissions decide who reads and changes it. */
const OF_WRITERS = { permissions: 'writers', documentSecurity: true } as const;
/** Only the server key has access. */
const OF_SERVER = { permissions: [], documentSecurity: true, indexes: [] } as const;

export const COLLECTIONS: Readonly<Record<CollectionName, CollectionSpec>> = {
  articles: {
    name: 'Articles',
    ...OF_WRITERS,
    attributes: [...FIELD_ATTRIBUTES, { key: 'userId', kind: 'string', size: 36, required: true }],
    indexes: [
      { key: 'newest', type: 'key', attributes: ['status', '$createdAt'], orders: ['asc', 'desc'] },
      // Serves lists of posts, which exclude pages.
      { key: 'listed', type: 'key', attributes: ['status', 'kind', '$createdAt'], orders: ['asc', 'asc', 'desc'] },
      { key: 'author', type: 'key', attributes: ['userId', '$createdAt'], orders: ['asc', 'desc'] },
      { key: 'title', type: 'fulltext', attributes: ['title'], orders: [] },
      { key: 'content', type: 'fulltext', attributes: ['content'], orders: [] },
      { key: 'publishAt', type: 'key', attributes: ['publishAt'], orders: ['asc'] },
      { key: 'unpublishAt', type: 'key', attributes: ['unpublishAt'], orders: ['asc'] },
    ],
  },
  /** Former versions of posts. Each can be read only by the user who added it, or to whom it was transferred. */
  revisions: {
    name: 'Revisions',
    ...OF_WRITERS,
    attributes: [
      { key: 'postId', kind: 'string', size: 36, required: true },
      // The version's `$updatedAt`, stored as a string to keep its exact characters.
      { key: 'versionOf', kind: 'string', size: 40, required: true },
      ...FIELD_ATTRIBUTES,
      // Length of title and content in characters, stored so that a list need not fetch both.
      { key: 'size', kind: 'integer', required: true },
    ],
    indexes: [{ key: 'newest', type: 'key', attributes: ['postId', 'versionOf'], orders: ['asc', 'desc'] }],
  },
  /** Records of posts' files in synced folders. Each can be read only by the post's author. */
  syncedFiles: {
    name: 'Synced files',
    ...OF_WRITERS,
    attributes: [
      { key: 'postId', kind: 'string', size: 36, required: true },
      // Random id of the synced folder, stored in the folder itself.
      { key: 'folder', kind: 'string', size: 36, required: true },
      { key: 'path', kind: 'string', size: MAX_PATH_CHARACTERS, required: true },
      // Hash of the file's text.
      { key: 'file', kind: 'string', size: 16, required: true },
      { key: 'state', kind: 'enum', elements: SYNCED_FILE_STATES, required: true },
      { key: 'equalAt', kind: 'datetime', required: false },
      // The file's values for the conflicting fields, as JSON.
      { key: 'conflict', kind: 'string', size: MAX_CONFLICT_CHARACTERS, required: false },
    ],
    indexes: [
      { key: 'post', type: 'key', attributes: ['postId'], orders: ['asc'] },
      { key: 'folder', type: 'key', attributes: ['folder'], orders: ['asc'] },
      { key: 'state', type: 'key', attributes: ['state', '$updatedAt'], orders: ['asc', 'desc'] },
    ],
  },
  draftLinks: {
    name: 'Draft links',
    ...OF_SERVER,
    attributes: [
      { key: 'nonce', kind: 'string', size: 32, required: true },
      // The post's `$createdAt`, because another post may later have the same slug.
      { key: 'postMadeAt', kind: 'string', size: 40, required: true },
      { key: 'expiresAt', kind: 'datetime', required: true },
    ],
  },
  /** Owners can add versions. Only the server key can read, change or delete them. */
  settings: {
    name: 'Settings',
    permissions: [`create("team:${SITE_TEAM}/owner")`],
    documentSecurity: false,
    attributes: [
      { key: 'settings', kind: 'string', size: SETTINGS_MAX_CHARACTERS, required: true },
      { key: 'userId', kind: 'string', size: 36, required: true },
    ],
    indexes: [],
  },
  subscribers: {
    name: 'Subscribers',
    ...OF_SERVER,
    attributes: [
      // Encrypted; absent once the subscriber has unsubscribed (state `left`).
      { key: 'address', kind: 'string', size: 1024, required: false },
      { key: 'state', kind: 'enum', elements: SUBSCRIBER_STATES, required: true },
      { key: 'since', kind: 'datetime', required: true },
      { key: 'source', kind: 'string', size: 16, required: true },
      // Authenticates the links in emails. Unlike a signature made with the server key, it stays valid after a move.
      { key: 'secret', kind: 'string', size: 32, required: true },
      // Number of consecutive permanent delivery failures.
      { key: 'failures', kind: 'integer', required: true },
      // Deferred deliveries, each as JSON, and the time at which the first of them is due.
      { key: 'retries', kind: 'string', size: 200, required: false, array: true },
      { key: 'retryAt', kind: 'datetime', required: false },
    ],
  },
  issues: {
    name: 'Newsletter issues',
    ...OF_SERVER,
    attributes: [
      { key: 'slugs', kind: 'string', size: 36, required: false, array: true },
      { key: 'state', kind: 'enum', elements: ISSUE_STATES, required: true },
      { key: 'dueAt', kind: 'datetime', required: true },
      // Id of the last subscriber to whom the server tried to send the issue. Subscribers are processed in the order of
      // their ids.
      { key: 'cursor', kind: 'string', size: 36, required: false },
      { key: 'sent', kind: 'integer', required: true },
      { key: 'failed', kind: 'integer', required: true },
      // Number of failed deliveries for each reason, as JSON.
      { key: 'faults', kind: 'string', size: 4000, required: false },
    ],
  },
  /** The lock held by the instance that sends the newsletter. */
  locks: {
    name: 'Locks',
    ...OF_SERVER,
    attributes: [
      { key: 'holder', kind: 'string', size: 36, required: true },
      { key: 'heldUntil', kind: 'datetime', required: true },
    ],
  },
  /** See docs/decisions/032-passkeys.md. */
  passkeys: {
    name: 'Passkeys',
    ...OF_SERVER,
    attributes: [
      { key: 'userId', kind: 'string', size: 36, required: true },
      // Base64url, up to 1023 bytes (WebAuthn, 4).
      { key: 'credentialId', kind: 'string', size: 1400, required: true },
      // COSE key, in base64url.
      { key: 'publicKey', kind: 'string', size: 4096, required: true },
      { key: 'counter', kind: 'integer', required: true },
      { key: 'transports', kind: 'string', size: 32, required: false, array: true },
      { key: 'name', kind: 'string', size: 255, required: true },
      // Host name of the site for which the passkey was made (WebAuthn's RP ID).
      { key: 'host', kind: 'string', size: 255, required: true },
      { key: 'usedAt', kind: 'datetime', required: false },
      // Time at which the passkey's counter failed to increase, which suggests that the passkey was copied.
      { key: 'clonedAt', kind: 'datetime', required: false },
      // Hash of the verified email address for which the passkey is trusted.
      { key: 'provenFor', kind: 'string', size: 64, required: false },
      // Id of the last session in which the passkey was seen while the user's email address was unverified.
      { key: 'seenIn', kind: 'string', size: 36, required: false },
    ],
    indexes: [{ key: 'user', type: 'key', attributes: ['userId'], orders: ['asc'] }],
  },
  /** Encrypted keys of authenticator apps. A document's id is the user's id. */
  authenticatorKeys: {
    name: 'Authenticator keys',
    ...OF_SERVER,
    attributes: [{ key: 'key', kind: 'string', size: 1024, required: true }],
  },
  usedChallenges: {
    name: 'Used challenges',
    ...OF_SERVER,
    attributes: [{ key: 'expiresAt', kind: 'datetime', required: true }],
    indexes: [{ key: 'expiresAt', type: 'key', attributes: ['expiresAt'], orders: ['asc'] }],
  },
};

export const BUCKET = {
  name: 'Media',
  fileSecurity: true,
  maximumFileSize: IMAGE_MAX_BYTES,
  allowedFileExtensions: [...IMAGE_EXTENSIONS],
};

function attributeOf(key: PostFieldName): AttributeSpec {
  const field = POST_FIELDS[key];
  if (field.kind === 'status') return { key, kind: 'enum', elements: POST_STATUSES, required: true };
  if (field.kind === 'choice') return { key, kind: 'enum', elements: field.choices, required: false };
  if (field.kind === 'time') return { key, kind: 'datetime', required: false };
  const { size } = field;
  if (field.kind === 'texts') return { key, kind: 'string', size, required: false, array: true };
  return 'required' in field
    ? { key, kind: 'string', size, required: true }
    : { key, kind: 'string', size, required: false, default: '' };
}

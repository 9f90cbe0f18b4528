import { SETTINGS_ID } from '#blog/site-settings/stored.ts';
import { SYNCED_FILES_ID } from '#blog/synced-file.ts';
import {
  ATTRIBUTES,
  type AttributeSpec,
  AUTHENTICATOR_KEY_ATTRIBUTES,
  AUTHENTICATOR_KEYS,
  AUTHENTICATOR_KEYS_ID,
  type BackendIds,
  COLLECTION,
  DRAFT_LINK_ATTRIBUTES,
  DRAFT_LINKS,
  DRAFT_LINKS_ID,
  INDEXES,
  type IndexSpec,
  ISSUE_ATTRIBUTES,
  ISSUES,
  ISSUES_ID,
  LOCK_ATTRIBUTES,
  LOCKS,
  LOCKS_ID,
  PASSKEY_ATTRIBUTES,
  PASSKEY_INDEXES,
  PASSKEYS,
  PASSKEYS_ID,
  REVISION_ATTRIBUTES,
  REVISION_INDEXES,
  REVISIONS,
  SETTINGS_ATTRIBUTES,
  SETTINGS_COLLECTION,
  SUBSCRIBER_ATTRIBUTES,
  SUBSCRIBERS,
  SUBSCRIBERS_ID,
  SYNCED_FILE_ATTRIBUTES,
  SYNCED_FILE_INDEXES,
  SYNCED_FILES,
  USED_CHALLENGE_ATTRIBUTES,
  USED_CHALLENGE_INDEXES,
  USED_CHALLENGES,
  USED_CHALLENGES_ID,
} from './schema.ts';

export interface CollectionSpec {
  readonly collectionId: string;
  readonly settings: {
    readonly name: string;
    readonly permissions: readonly string[];
    readonly documentSecurity: boolean;
  };
  /** True if the collection's permissions do not depend on `writers`. */
  readonly isFixed?: true;
  readonly attributes: readonly AttributeSpec[];
  readonly indexes: readonly IndexSpec[];
  /** Names an attribute's or index's collection in messages, such as ` of revisions`; empty for posts. */
  readonly of: string;
}

/** Returns every collection of a site, posts first. */
export const collectionsOf = ({ collectionId, revisionsId }: BackendIds): CollectionSpec[] => [
  { collectionId, settings: COLLECTION, attributes: ATTRIBUTES, indexes: INDEXES, of: '' },
  {
    collectionId: revisionsId,
    settings: REVISIONS,
    attributes: REVISION_ATTRIBUTES,
    indexes: REVISION_INDEXES,
    of: ` of ${revisionsId}`,
  },
  {
    collectionId: SYNCED_FILES_ID,
    settings: SYNCED_FILES,
    attributes: SYNCED_FILE_ATTRIBUTES,
    indexes: SYNCED_FILE_INDEXES,
    of: ` of ${SYNCED_FILES_ID}`,
  },
  fixed(DRAFT_LINKS_ID, DRAFT_LINKS, DRAFT_LINK_ATTRIBUTES),
  fixed(SETTINGS_ID, SETTINGS_COLLECTION, SETTINGS_ATTRIBUTES),
  fixed(SUBSCRIBERS_ID, SUBSCRIBERS, SUBSCRIBER_ATTRIBUTES),
  fixed(ISSUES_ID, ISSUES, ISSUE_ATTRIBUTES),
  fixed(LOCKS_ID, LOCKS, LOCK_ATTRIBUTES),
  fixed(PASSKEYS_ID, PASSKEYS, PASSKEY_ATTRIBUTES, PASSKEY_INDEXES),
  fixed(AUTHENTICATOR_KEYS_ID, AUTHENTICATOR_KEYS, AUTHENTICATOR_KEY_ATTRIBUTES),
  fixed(USED_CHALLENGES_ID, USED_CHALLENGES, USED_CHALLENGE_ATTRIBUTES, USED_CHALLENGE_INDEXES),
];

const fixed = (
  collectionId: string,
  settings: CollectionSpec['settings'],
  attributes: CollectionSpec['attributes'],
  indexes: CollectionSpec['indexes'] = [],
): CollectionSpec => ({ collectionId, settings, attributes, isFixed: true, indexes, of: ` of ${collectionId}` });

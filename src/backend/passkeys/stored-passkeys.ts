/** Stores passkeys in the backend, where only the server key can read them (docs/decisions/032-passkeys.md). */

import { createHash } from 'node:crypto';
import { type Models, Query } from 'node-appwrite';
import { DomainError } from '#blog/errors.ts';
import { MAX_PASSKEYS, type Passkey } from '#blog/passkeys.ts';
import { keyedBackend } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';

export interface StoredPasskey {
  readonly id: string;
  readonly createdAt: string;
  readonly userId: string;
  /** Encoded in base64url, like `publicKey`, which is a COSE key. */
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  /** Host name of the site for which the passkey was made (WebAuthn's RP ID). */
  readonly host: string;
  readonly usedAt?: string | null;
  readonly clonedAt?: string | null;
  /** Hash of the verified email address for which the passkey is trusted. */
  readonly provenFor?: string | null;
  /** Id of the last session in which the passkey was seen while the user's email address was unverified. */
  readonly seenIn?: string | null;
}

type Changes = Partial<Pick<StoredPasskey, 'name' | 'counter' | 'usedAt' | 'clonedAt' | 'provenFor' | 'seenIn'>>;
type Row = Models.Document & Omit<StoredPasskey, 'id' | 'createdAt'>;

/**
 * Every method rejects with the SDK's error if the backend fails. Reads return nothing if the backend does not have the
 * collection yet.
 */
export function openPasskeyStore(target: ServerTarget) {
  const { databases, passkeys: place, authenticatorKeys } = keyedBackend(target);

  const list = async (queries: string[]): Promise<readonly Row[]> => {
    const asked = databases.listDocuments<Row>({ ...place, queries, total: false });
    return (await unless('collection_not_found', asked))?.documents ?? [];
  };
  /** May return more than `MAX_PASSKEYS`, because two concurrent additions can exceed that limit. */
  const ofUser = async (userId: string): Promise<readonly StoredPasskey[]> =>
    (await list([Query.equal('userId', userId), Query.orderAsc('$createdAt'), Query.limit(2 * MAX_PASSKEYS)])).map(
      passkeyOf,
    );
  const remove = (documentId: string) =>
    unless('document_not_found', databases.deleteDocument({ ...place, documentId }));

  return {
    ofUser,
    remove,

    async find(credentialId: string): Promise<StoredPasskey | undefined> {
      const [row] = await list([Query.equal('$id', idOf(credentialId)), Query.limit(1)]);
      return row && passkeyOf(row);
    },

    /** Stores a passkey and returns its id. @throws DomainError `passkey-unknown` if it already belongs to a user */
    async add(passkey: Omit<StoredPasskey, 'id' | 'createdAt'>): Promise<string> {
      const documentId = idOf(passkey.credentialId);
      const data = { ...passkey, transports: [...passkey.transports] };
      const isNew = await unless(409, databases.createDocument({ ...place, documentId, data, permissions: [] }));
      if (!isNew) throw new DomainError('passkey-unknown');
      return documentId;
    },

    change: (documentId: string, data: Changes) => databases.updateDocument({ ...place, documentId, data }),

    /** Deletes a user's passkeys and authenticator key, from which the server generates codes. */
    async forget(userId: string): Promise<void> {
      for (const { id } of await ofUser(userId)) await remove(id);
      await unless(404, databases.deleteDocument({ ...authenticatorKeys, documentId: userId }));
    },

    /** Filters `userIds` to users who have a passkey. */
    async owners(userIds: readonly string[]): Promise<ReadonlySet<string>> {
      if (userIds.length === 0) return new Set();
      const limit = Query.limit(2 * MAX_PASSKEYS * userIds.length);
      const rows = await list([Query.equal('userId', [...userIds]), Query.select(['userId']), limit]);
      return new Set(rows.map(({ userId }) => userId));
    },

    /** Returns the ids of users who have a passkey for another host. */
    async peopleOfOtherHosts(host: string): Promise<ReadonlySet<string>> {
      const people = new Set<string>();
      const others = (queries: string[]) => list([Query.notEqual('host', host), ...queries]);
      for await (const { userId } of items(others)) people.add(userId);
      return people;
    },
  };
}

const idOf = (credentialId: string): string => createHash('sha256').update(credentialId).digest('hex').slice(0, 36);

const passkeyOf = ({ $id, $createdAt, ...row }: Row): StoredPasskey => ({ ...row, id: $id, createdAt: $createdAt });

/** Returns the hash of an email address. A passkey whose `provenFor` is this hash is trusted for that address. */
export const proofOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex');

/**
 * Returns true if the user's address is verified, but the passkey is not trusted for it. Another person may have added
 * the passkey after signing up with the address, or changing to it, before its owner verified it.
 */
export const isUnproven = (
  { provenFor }: StoredPasskey,
  { email, emailVerification }: Pick<Models.User, 'email' | 'emailVerification'>,
): boolean => emailVerification && provenFor !== proofOf(email);

export const isUsable = (passkey: StoredPasskey, user: Models.User, host: string): boolean =>
  passkey.host === host && !passkey.clonedAt && !isUnproven(passkey, user);

export function shown(passkey: StoredPasskey, user: Models.User, host: string): Passkey {
  const { id, name, createdAt, usedAt, clonedAt } = passkey;
  return {
    ...{ id, name, createdAt },
    ...(usedAt && { usedAt }),
    ...(passkey.host !== host && { otherHost: passkey.host }),
    ...(clonedAt && { isCloned: true as const }),
    ...(isUnproven(passkey, user) && { isUnproven: true as const }),
  };
}

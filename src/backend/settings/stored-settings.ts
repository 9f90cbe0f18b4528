/** Reads and adds versions of the owners' settings (docs/decisions/027-settings.md). */

import { Databases, Query } from 'node-appwrite';
import { keyedBackend } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { clientOfCaller, type SessionBackend } from '../verify-session.ts';

export interface StoredSettings {
  /** Starts at 1. */
  readonly version: number;
  readonly savedAt: string;
  /** Empty if the document does not prove who wrote it. */
  readonly userId: string;
  /** The settings as JSON, unchecked. */
  readonly text: string;
}

/** The current version and the twenty before it. */
const KEPT = 21;
/** Ids listed per request: more than `KEPT`, since a client may have added documents with other ids. */
const LISTED = 100;

/** Excludes ids such as `v9999999999`: if a client added one, no later version could have a higher id. */
const isVersion = ({ $id }: { readonly $id: string }): boolean => /^v0\d{9}$/.test($id);

/** Every method rejects with the SDK's error if the backend fails. */
export function openSettingsStore(target: ServerTarget, portNow?: SessionBackend['portNow']) {
  const { databases, settings: place } = keyedBackend(target);

  /** Returns the documents' ids, newest first; none if the backend was not provisioned again after an upgrade. */
  async function ids() {
    const queries = [Query.orderDesc('$id'), Query.limit(LISTED), Query.select(['$id', '$updatedAt'])];
    const found = databases.listDocuments({ ...place, queries, total: false });
    return (await unless(/^(?:collection|database)_not_found$/, found))?.documents ?? [];
  }

  return {
    /** Returns a string that changes whenever the current version does; empty before the first version. */
    async mark(): Promise<string> {
      const found = (await ids()).find(isVersion);
      return found ? `${found.$id} ${found.$updatedAt}` : '';
    },

    /** Returns up to `most` versions, newest first. */
    async versions(most = KEPT): Promise<StoredSettings[]> {
      const wanted = (await ids()).filter(isVersion).slice(0, most);
      if (wanted.length === 0) return [];
      const byId = Query.equal(
        '$id',
        wanted.map(({ $id }) => $id),
      );
      const queries = [byId, Query.orderDesc('$id'), Query.limit(most)];
      const { documents } = await databases.listDocuments({ ...place, queries, total: false });
      return documents.map(({ $id, $createdAt, $permissions, userId, settings }) => ({
        version: Number($id.slice(1)),
        savedAt: $createdAt,
        // A user cannot grant permissions to another user, so this permission proves who wrote the version.
        userId: $permissions.includes(`read("user:${userId}")`) ? `${userId}` : '',
        text: `${settings ?? ''}`,
      }));
    },

    /** Adds a version with the caller's session. Returns false if another owner has already added this version. */
    async add(headers: Headers, { version, userId, text }: Omit<StoredSettings, 'savedAt'>): Promise<boolean> {
      const asCaller = new Databases(clientOfCaller({ ...target, portNow }, headers));
      const documentId = `v${String(version).padStart(10, '0')}`;
      const content = { data: { settings: text, userId }, permissions: [`read("user:${userId}")`] };
      return (await unless(409, asCaller.createDocument({ ...place, documentId, ...content }))) !== undefined;
    },

    /** Deletes the versions beyond the newest 21, and documents that are not versions. */
    async prune(): Promise<void> {
      const found = await ids();
      const kept = found.filter(isVersion).slice(0, KEPT);
      for (const document of found) {
        if (!kept.includes(document)) await databases.deleteDocument({ ...place, documentId: document.$id });
      }
    },
  };
}

/** Lists the records of a post's files in synced folders. */

import { Query } from 'appwrite';
import type { Post } from '#blog/post.ts';
import { SYNCED_FILE_STATES, SYNCED_FILES_ID, type SyncedFile } from '#blog/synced-file.ts';
import { connect } from './client.ts';

const FIELDS = ['$id', '$updatedAt', '$permissions', 'path', 'state', 'equalAt'];
const MOST = 100;

/** Returns the author's own records, newest first. Skips other users' records: any user may add one for this post. */
export async function listSyncedFiles({ id, userId }: Pick<Post, 'id' | 'userId'>): Promise<SyncedFile[]> {
  const { databases, site } = connect();
  const place = { databaseId: site.databaseId, collectionId: SYNCED_FILES_ID };
  const queries = [Query.equal('postId', id), Query.select(FIELDS), Query.limit(MOST)];
  const { documents } = await databases.listDocuments<Row>({ ...place, queries, total: false });
  return documents
    .filter(({ $permissions }) => $permissions.includes(`update("user:${userId}")`))
    .map(({ $id, $updatedAt, path, state, equalAt }) => ({
      id: $id,
      path: String(path),
      state: SYNCED_FILE_STATES.find((each) => each === state) ?? 'equal',
      equalAt: typeof equalAt === 'string' ? equalAt : '',
      updatedAt: $updatedAt,
    }))
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
}

type Row = import('appwrite').Models.DefaultDocument;

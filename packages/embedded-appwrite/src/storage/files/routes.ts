import type { Caller } from '../../caller.ts';
import { LIST_PARAMS, listResponse } from '../../databases/query/listing.ts';
import { type Fragment, internalFields, type QuerySchema } from '../../databases/query/schema.ts';
import { AppwriteError } from '../../http/errors.ts';
import { optional, permissionList, required, text, uid } from '../../http/params.ts';
import { endpoint, NO_CONTENT, ok, type RateLimit, type Route } from '../../http/route.ts';
import { now } from '../../identifiers.ts';
import { authorise, RESOURCE_ACTIONS, requireGrantable } from '../../permissions.ts';
import type { Row } from '../../sqlite/table.ts';
import type { BucketRecord } from '../buckets/bucket.ts';
import { openBucket, openForReading, openForWriting } from '../rights.ts';
import type { StorageService } from '../service.ts';
import { fileEvent } from './events.ts';
import { bytesOfFile, FILES, fileModel } from './file.ts';

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created_at', updatedAt: 'updated_at' }),
    ['name', { type: 'string', column: 'name' }],
    ['folder', { type: 'string', column: 'folder' }],
    ['signature', { type: 'string', column: 'signature' }],
    ['mimeType', { type: 'string', column: 'mime_type' }],
    ['sizeOriginal', { type: 'integer', column: 'size_original' }],
    ['chunksTotal', { type: 'integer', column: 'chunks_total' }],
    ['chunksUploaded', { type: 'integer', column: 'chunks_uploaded' }],
  ]),
};

/** Returns SQL that selects the readable files. Throws 401 if the bucket denies reading and file security is off. */
function readable(bucket: BucketRecord, caller: Caller): Fragment {
  if (authorise(caller, 'read', bucket.permissions)) return { sql: 'bucket_sequence = ?', values: [bucket.sequence] };
  if (!bucket.fileSecurity) throw new AppwriteError('user_unauthorized');
  return {
    sql: `bucket_sequence = ? AND EXISTS (SELECT 1 FROM json_each(permissions) WHERE value IN (SELECT value FROM json_each(?)))`,
    values: [bucket.sequence, JSON.stringify(caller.roles.map((role) => `read("${role}")`))],
  };
}

export function fileRoutes(service: StorageService): Route[] {
  const { store, events, usage } = service.kernel;
  const inBucket = { bucketId: required(uid()) };
  const ids = { ...inBucket, fileId: required(uid()) };
  const path = '/storage/buckets/:bucketId/files/:fileId';
  const key: RateLimit['key'] = ({ ip, userId }) => userId || ip;

  return [
    endpoint(
      'GET /storage/buckets/:bucketId/files',
      'files.read',
      { ...inBucket, ...LIST_PARAMS },
      ({ params, caller }) => {
        const bucket = openBucket(store, caller, params.bucketId);
        const scope = readable(bucket, caller);
        const source = { from: 'files', columns: '*', schema: SCHEMA, noun: 'File', scope, caller };
        const show = (row: Row) => fileModel(bucket, FILES.fromRow(row));
        return listResponse(store, source, params, { name: 'files', show });
      },
    ),
    endpoint(`GET ${path}`, 'files.read', ids, ({ params, caller }) => {
      const { bucket, file } = openForReading(store, caller, params.bucketId, params.fileId);
      return ok(fileModel(bucket, file));
    }),
    endpoint(
      `PUT ${path}`,
      // The limit is high, because publishing a post updates each of its pictures.
      { scope: 'files.write', limits: [{ limit: 1200, window: 60, key, quiet: true }] },
      {
        ...ids,
        name: optional(text(128), undefined),
        permissions: optional(permissionList({ actions: RESOURCE_ACTIONS }), undefined),
      },
      async ({ params: { bucketId, fileId, name, permissions }, caller }) => {
        openForWriting(store, caller, 'update', bucketId, fileId);
        if (permissions) requireGrantable(caller, permissions);
        const { bucket, file } = await store.write(() => {
          // Checks again: permissions may have changed since the request was admitted.
          const { bucket, file: old } = openForWriting(store, caller, 'update', bucketId, fileId);
          const changes = { name: name ?? old.name, permissions: permissions ?? old.permissions, updatedAt: now() };
          const file = { ...old, ...changes };
          usage.requireRoom(caller, file.uploader, bytesOfFile(file) - bytesOfFile(old));
          FILES.update(store, { sequence: file.sequence }, { ...changes, bytes: bytesOfFile(file) });
          return { bucket, file };
        });
        events.emit(fileEvent('update', bucket, file, caller));
        return ok(fileModel(bucket, file));
      },
    ),
    endpoint(
      `DELETE ${path}`,
      { scope: 'files.write', limits: [{ limit: 60, window: 60, key }] },
      ids,
      async ({ params: { bucketId, fileId }, caller }) => {
        const { sequence } = openForWriting(store, caller, 'delete', bucketId, fileId).bucket;
        // Waits while a chunk is being stored. Otherwise, the chunk would be written to a deleted file.
        const { bucket, file } = await service.serial.run(`${sequence}/${fileId}`, async () => {
          const found = await store.writeThoughFull(() => {
            const found = openForWriting(store, caller, 'delete', bucketId, fileId);
            FILES.delete(store, { sequence: found.file.sequence });
            return found;
          });
          await service.dispose(found.file);
          return found;
        });
        events.emit(fileEvent('delete', bucket, file, caller));
        return NO_CONTENT;
      },
    ),
  ];
}

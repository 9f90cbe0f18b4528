/** Buckets, for server keys (contract 2.7). */
import { LIST_PARAMS, listOf } from '../../databases/query/listing.ts';
import { internalFields, type QuerySchema } from '../../databases/query/schema.ts';
import { AppwriteError } from '../../http/errors.ts';
import {
  boolean,
  customId,
  list,
  optional,
  permissionList,
  range,
  required,
  text,
  uid,
  whitelist,
} from '../../http/params.ts';
import { type Route, route } from '../../http/route.ts';
import { now } from '../../identifiers.ts';
import { CONTAINER_ACTIONS } from '../../permissions.ts';
import { bucketEvent } from '../files/events.ts';
import { openBucket } from '../rights.ts';
import type { StorageService } from '../service.ts';
import { BUCKETS, type BucketRecord, bucketModel } from './bucket.ts';

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created_at', updatedAt: 'updated_at' }),
    ['enabled', { type: 'boolean', column: 'enabled' }],
    ['name', { type: 'string', column: 'name' }],
    ['fileSecurity', { type: 'boolean', column: 'file_security' }],
    ['maximumFileSize', { type: 'integer', column: 'maximum_file_size' }],
    ['encryption', { type: 'boolean', column: 'encryption' }],
    ['antivirus', { type: 'boolean', column: 'antivirus' }],
    ['transformations', { type: 'boolean', column: 'transformations' }],
  ]),
};

/** Parameters shared by create and update; the fallbacks of permissions and size differ. */
function settings(storageLimit: number) {
  return {
    name: required(text(128)),
    permissions: optional(permissionList({ actions: CONTAINER_ACTIONS }), undefined),
    fileSecurity: optional(boolean(), false),
    enabled: optional(boolean(), true),
    maximumFileSize: optional(range(1, storageLimit), undefined),
    allowedFileExtensions: optional(list(text(64)), []),
    compression: optional(whitelist(['none', 'gzip', 'zstd']), 'none'),
    encryption: optional(boolean(), true),
    antivirus: optional(boolean(), true),
    transformations: optional(boolean(), true),
  };
}

export function bucketRoutes(service: StorageService): Route[] {
  const { store, events } = service.kernel;
  const common = settings(service.storageLimit);
  const id = { bucketId: required(uid()) };

  function modelOf(bucketId: string): Record<string, unknown> {
    return bucketModel(store, BUCKETS.get(store, { id: bucketId }) as BucketRecord);
  }

  const createBucket = route({
    method: 'POST',
    path: '/storage/buckets',
    scope: 'buckets.write',
    params: { bucketId: required(customId()), ...common },
    async handle({ params: { bucketId, permissions, maximumFileSize, ...rest }, caller }) {
      const createdAt = now();
      await store.write(() => {
        if (BUCKETS.get(store, { id: bucketId })) throw new AppwriteError('storage_bucket_already_exists');
        BUCKETS.insert(store, {
          ...rest,
          id: bucketId,
          permissions: permissions ?? [],
          maximumFileSize: maximumFileSize ?? service.storageLimit,
          createdAt,
          updatedAt: createdAt,
        });
      });
      const body = modelOf(bucketId);
      events.emit(bucketEvent('create', bucketId, body, caller));
      return { status: 201, body };
    },
  });

  const listBuckets = route({
    method: 'GET',
    path: '/storage/buckets',
    scope: 'buckets.read',
    params: LIST_PARAMS,
    handle({ params }) {
      const { rows, total } = listOf(store, { from: 'buckets', columns: '*', schema: SCHEMA, noun: 'Bucket' }, params);
      return { status: 200, body: { total, buckets: rows.map((row) => bucketModel(store, BUCKETS.fromRow(row))) } };
    },
  });

  const getBucket = route({
    method: 'GET',
    path: '/storage/buckets/:bucketId',
    scope: 'buckets.read',
    params: id,
    handle({ params, caller }) {
      return { status: 200, body: bucketModel(store, openBucket(store, caller, params.bucketId)) };
    },
  });

  const changeBucket = route({
    method: 'PUT',
    path: '/storage/buckets/:bucketId',
    scope: 'buckets.write',
    params: { ...id, ...common },
    async handle({ params: { bucketId, permissions, maximumFileSize, ...rest }, caller }) {
      await store.write(() => {
        const bucket = openBucket(store, caller, bucketId);
        const { sequence } = bucket;
        BUCKETS.update(
          store,
          { sequence },
          {
            ...rest,
            permissions: permissions ?? bucket.permissions,
            maximumFileSize: maximumFileSize ?? service.storageLimit,
            updatedAt: now(),
          },
        );
      });
      const body = modelOf(bucketId);
      events.emit(bucketEvent('update', bucketId, body, caller));
      return { status: 200, body };
    },
  });

  const deleteBucket = route({
    method: 'DELETE',
    path: '/storage/buckets/:bucketId',
    scope: 'buckets.write',
    params: id,
    async handle({ params: { bucketId }, caller }) {
      const { body, blobs } = await store.writeThoughFull(() => {
        const bucket = openBucket(store, caller, bucketId);
        const model = bucketModel(store, bucket);
        const rows = store.prepare('SELECT blob FROM files WHERE bucket_sequence = ?').all(bucket.sequence);
        BUCKETS.delete(store, { sequence: bucket.sequence });
        return { body: model, blobs: rows.map((row) => row.blob as string) };
      });
      events.emit(bucketEvent('delete', bucketId, body, caller));
      for (const blob of blobs) await service.dispose({ blob });
      return { status: 204 };
    },
  });

  return [createBucket, listBuckets, getBucket, changeBucket, deleteBucket];
}

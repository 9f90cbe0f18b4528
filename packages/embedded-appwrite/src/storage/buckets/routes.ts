import type { Caller } from '../../caller.ts';
import { LIST_PARAMS, listAnswer } from '../../databases/query/listing.ts';
import { internalFields, type QuerySchema } from '../../databases/query/schema.ts';
import { eventNames } from '../../event-names.ts';
import type { BackendEvent } from '../../events.ts';
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
import { created, endpoint, NO_CONTENT, ok, type Route } from '../../http/route.ts';
import { now } from '../../identifiers.ts';
import { CONTAINER_ACTIONS } from '../../permissions.ts';
import type { FileAction } from '../files/events.ts';
import { FILES } from '../files/file.ts';
import { openBucket } from '../rights.ts';
import { LARGEST_FILE_BYTES, type StorageService } from '../service.ts';
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

const SETTINGS = {
  name: required(text(128)),
  permissions: optional(permissionList({ actions: CONTAINER_ACTIONS }), undefined),
  fileSecurity: optional(boolean(), false),
  enabled: optional(boolean(), true),
  maximumFileSize: optional(range(1, LARGEST_FILE_BYTES), LARGEST_FILE_BYTES),
  allowedFileExtensions: optional(list(text(64)), []),
  compression: optional(whitelist(['none', 'gzip', 'zstd']), 'none'),
  encryption: optional(boolean(), true),
  antivirus: optional(boolean(), true),
  transformations: optional(boolean(), true),
};
const PATH = { bucketId: required(uid()) };

export function bucketRoutes(service: StorageService): Route[] {
  const { store, events } = service.kernel;

  const modelOf = (id: string) => bucketModel(store, BUCKETS.get(store, { id }) as BucketRecord);

  /** Emits a bucket's event. It has no channel, so only webhooks receive it. */
  function tell(action: FileAction, bucketId: string, payload: BackendEvent['payload'], caller: Caller): void {
    events.emit({
      events: eventNames([['buckets', bucketId]], action),
      channels: [],
      roles: [],
      payload,
      timestamp: now(),
      ...(caller.user && { userId: caller.user.id }),
    });
  }

  return [
    endpoint(
      'POST /storage/buckets',
      'buckets.write',
      { bucketId: required(customId()), ...SETTINGS },
      async ({ params: { bucketId: id, permissions = [], ...settings }, caller }) => {
        const moment = now();
        await store.write(() => {
          if (BUCKETS.get(store, { id })) throw new AppwriteError('storage_bucket_already_exists');
          BUCKETS.insert(store, { ...settings, id, permissions, createdAt: moment, updatedAt: moment });
        });
        const body = modelOf(id);
        tell('create', id, body, caller);
        return created(body);
      },
    ),
    endpoint('GET /storage/buckets', 'buckets.read', LIST_PARAMS, ({ params }) =>
      listAnswer(store, { from: 'buckets', columns: '*', schema: SCHEMA, noun: 'Bucket' }, params, 'buckets', (row) =>
        bucketModel(store, BUCKETS.fromRow(row)),
      ),
    ),
    endpoint('GET /storage/buckets/:bucketId', 'buckets.read', PATH, ({ params, caller }) =>
      ok(bucketModel(store, openBucket(store, caller, params.bucketId))),
    ),
    endpoint(
      'PUT /storage/buckets/:bucketId',
      'buckets.write',
      { ...PATH, ...SETTINGS },
      async ({ params: { bucketId, permissions, ...settings }, caller }) => {
        await store.write(() => {
          const old = openBucket(store, caller, bucketId);
          const changes = { ...settings, permissions: permissions ?? old.permissions, updatedAt: now() };
          BUCKETS.update(store, { sequence: old.sequence }, changes);
        });
        const body = modelOf(bucketId);
        tell('update', bucketId, body, caller);
        return ok(body);
      },
    ),
    endpoint('DELETE /storage/buckets/:bucketId', 'buckets.write', PATH, async ({ params: { bucketId }, caller }) => {
      const { body, files } = await store.writeThoughFull(() => {
        const bucket = openBucket(store, caller, bucketId);
        const { sequence } = bucket;
        const found = { body: bucketModel(store, bucket), files: FILES.list(store, { bucketSequence: sequence }) };
        BUCKETS.delete(store, { sequence });
        return found;
      });
      tell('delete', bucketId, body, caller);
      for (const file of files) await service.dispose(file);
      return NO_CONTENT;
    }),
  ];
}

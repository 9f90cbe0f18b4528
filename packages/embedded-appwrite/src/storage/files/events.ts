/** Events of buckets and files (contract 2.6, 2.7). */

import type { Caller } from '../../caller.ts';
import type { BackendEvent } from '../../events.ts';
import { now } from '../../identifiers.ts';
import { rolesFor } from '../../permissions.ts';
import type { BucketRecord } from '../buckets/bucket.ts';
import { type FileRecord, fileModel } from './file.ts';

export type Change = 'create' | 'update' | 'delete';

/** Returns a file's event, for the bucket's readers and, with file security, the file's. */
export function fileEvent(change: Change, bucket: BucketRecord, file: FileRecord, caller: Caller): BackendEvent {
  const subjects = [
    `buckets.${bucket.id}.files.${file.id}`,
    'buckets.*.files.*',
    `buckets.*.files.${file.id}`,
    `buckets.${bucket.id}.files.*`,
  ];
  const channels = ['files', `buckets.${bucket.id}.files`, `buckets.${bucket.id}.files.${file.id}`];
  const roles = rolesFor('read', bucket.permissions);
  if (bucket.fileSecurity) roles.push(...rolesFor('read', file.permissions));
  return {
    events: [...subjects.map((subject) => `${subject}.${change}`), ...subjects, `buckets.${bucket.id}`, 'buckets.*'],
    channels: [...channels, ...channels.map((channel) => `${channel}.${change}`)],
    roles: [...new Set(roles)],
    payload: fileModel(bucket, file),
    timestamp: now(),
    ...(caller.user && { userId: caller.user.id }),
  };
}

/** Returns a bucket's event. It has no channel: only webhooks receive it. */
export function bucketEvent(
  change: Change,
  bucketId: string,
  payload: Record<string, unknown>,
  caller: Caller,
): BackendEvent {
  return {
    events: [`buckets.${bucketId}.${change}`, `buckets.*.${change}`, `buckets.${bucketId}`, 'buckets.*'],
    channels: [],
    roles: [],
    payload,
    timestamp: now(),
    ...(caller.user && { userId: caller.user.id }),
  };
}

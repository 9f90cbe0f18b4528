import type { Caller } from '../../caller.ts';
import { eventNames } from '../../event-names.ts';
import type { BackendEvent } from '../../events.ts';
import { now } from '../../identifiers.ts';
import { rolesFor } from '../../permissions.ts';
import type { BucketRecord } from '../buckets/bucket.ts';
import { type FileRecord, fileModel } from './file.ts';

export type FileAction = 'create' | 'update' | 'delete';

/** Returns a file's event for the bucket's readers and, with file security, for the file's readers. */
export function fileEvent(action: FileAction, bucket: BucketRecord, file: FileRecord, caller: Caller): BackendEvent {
  const all = `buckets.${bucket.id}.files`;
  const channels = ['files', all, `${all}.${file.id}`];
  const roles = rolesFor('read', bucket.permissions);
  if (bucket.fileSecurity) roles.push(...rolesFor('read', file.permissions));
  return {
    events: eventNames(
      [
        ['buckets', bucket.id],
        ['files', file.id],
      ],
      action,
    ),
    channels: [...channels, ...channels.map((channel) => `${channel}.${action}`)],
    roles: [...new Set(roles)],
    payload: fileModel(bucket, file),
    timestamp: now(),
    ...(caller.user && { userId: caller.user.id }),
  };
}

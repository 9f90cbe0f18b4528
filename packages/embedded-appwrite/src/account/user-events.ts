/** Events for users, their sessions and tokens (contract 2.6; part 2, section 7). */

import type { Caller } from '../caller.ts';
import { eventNames } from '../event-names.ts';
import type { BackendEvent, EventBus } from '../events.ts';
import { now } from '../identifiers.ts';

export interface UserResource {
  readonly kind: 'sessions' | 'recovery' | 'verification' | 'tokens' | 'challenges';
  readonly id: string;
}

const VERBS: readonly string[] = ['create', 'update', 'delete'];

function channels(userId: string, resource: UserResource | undefined, action: string): string[] {
  const plain = ['account', `account.${userId}`];
  const verb = action.split('.')[0] as string;
  return resource || !VERBS.includes(verb) ? plain : [...plain, ...plain.map((channel) => `${channel}.${verb}`)];
}

export interface UserChange {
  readonly userId: string;
  readonly resource?: UserResource;
  /** For example `create` or `update.name`; `sessions.delete` means that all sessions were removed. */
  readonly action: string;
  readonly payload: BackendEvent['payload'];
  readonly webhookPayload?: BackendEvent['payload'];
  readonly author?: string | undefined;
}

/** Emits an event for a change to a user. Call it after the commit. */
export function emitUserChange(events: EventBus, caller: Caller, change: UserChange): void {
  const { userId, resource, action, payload, webhookPayload, author = caller.user?.id } = change;
  events.emit({
    events: eventNames([['users', userId], ...(resource ? [[resource.kind, resource.id] as const] : [])], action),
    channels: channels(userId, resource, action),
    roles: [`user:${userId}`],
    payload,
    ...(webhookPayload && { webhookPayload }),
    ...(author === undefined ? {} : { userId: author }),
    timestamp: now(),
  });
}

/** What listeners are told of users and what is theirs (contract 2.6; part 2, 7): names with their wildcards, channels, roles. */

import type { Caller } from '../caller.ts';
import { eventNames } from '../event-names.ts';
import type { BackendEvent, EventBus } from '../events.ts';
import { now } from '../identifiers.ts';

/** Something of a user's that a change is about. */
export interface UserResource {
  readonly kind: 'sessions' | 'recovery' | 'verification' | 'tokens';
  readonly id: string;
}

/** What may stand behind a channel's name. */
const VERBS: readonly string[] = ['create', 'update', 'delete'];

function channels(userId: string, resource: UserResource | undefined, action: string): string[] {
  const plain = ['account', `account.${userId}`];
  const verb = action.split('.')[0] as string;
  return resource || !VERBS.includes(verb) ? plain : [...plain, ...plain.map((channel) => `${channel}.${verb}`)];
}

export interface UserChange {
  readonly userId: string;
  /** Given when the change is one of a session or token. */
  readonly resource?: UserResource;
  /** `create`, `update.name`, `delete`, `sessions.delete` for all of them … */
  readonly action: string;
  readonly payload: BackendEvent['payload'];
  readonly webhookPayload?: BackendEvent['payload'];
  /** Whose doing it is, where that is not the caller who is signed in already. */
  readonly author?: string | undefined;
}

/** Tells the bus; call it once the change is committed. */
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

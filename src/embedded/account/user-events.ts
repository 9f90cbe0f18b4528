/** What listeners are told of users and sessions (contract 2.6): names with their wildcards, channels, roles. */
import type { BackendEvent, EventBus } from '../events.ts';
import type { Caller } from '../http/caller.ts';
import { now } from '../identifiers.ts';

/** Concrete name first, then all wildcards, then the mixtures. */
function resourceNames(userId: string, sessionId: string | undefined): string[] {
  const users = [`users.${userId}`, 'users.*'];
  if (sessionId === undefined) return users;
  return [
    `users.${userId}.sessions.${sessionId}`,
    'users.*.sessions.*',
    `users.${userId}.sessions.*`,
    `users.*.sessions.${sessionId}`,
    ...users,
  ];
}

function names(userId: string, sessionId: string | undefined, action: string): string[] {
  const resources = resourceNames(userId, sessionId);
  const own = sessionId === undefined ? resources : resources.slice(0, 4);
  // `update.name` is told as `update` too.
  const verb = action.split('.')[0] as string;
  const actions = verb === action ? [action] : [action, verb];
  return [...actions.flatMap((named) => own.map((name) => `${name}.${named}`)), ...resources];
}

function channels(userId: string, sessionId: string | undefined, action: string): string[] {
  const plain = ['account', `account.${userId}`];
  if (sessionId !== undefined) return plain;
  const verb = action.split('.')[0] as string;
  return [...plain, ...plain.map((channel) => `${channel}.${verb}`)];
}

export interface UserChange {
  readonly userId: string;
  /** Given when the change is one of a session. */
  readonly sessionId?: string;
  /** `create`, `update.name`, `delete` … */
  readonly action: string;
  readonly payload: BackendEvent['payload'];
}

/** Tells the bus; call it once the change is committed. */
export function emitUserChange(
  events: EventBus,
  caller: Caller,
  { userId, sessionId, action, payload }: UserChange,
): void {
  const author = caller.user?.id;
  events.emit({
    events: names(userId, sessionId, action),
    channels: channels(userId, sessionId, action),
    roles: [`user:${userId}`],
    payload,
    ...(author === undefined ? {} : { userId: author }),
    timestamp: now(),
  });
}

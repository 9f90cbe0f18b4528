/** Permissions such as `read("any")` (contract 2.3). `write` is stored as the actions it covers. */
import type { Caller } from './caller.ts';
import { AppwriteError } from './http/errors.ts';
import { idRule, isId } from './identifiers.ts';

export type Action = 'create' | 'read' | 'update' | 'delete';

/** Actions that can be granted on documents and files. */
export const RESOURCE_ACTIONS: readonly Action[] = ['read', 'update', 'delete'];
/** Actions that can be granted on collections and buckets. */
export const CONTAINER_ACTIONS: readonly Action[] = ['create', 'read', 'update', 'delete'];

export interface Permission {
  readonly action: Action | 'write';
  /** For example `any`, `guests`, `users/verified`, `user:<id>`, `team:<id>/<role>` or `label:<name>`. */
  readonly role: string;
}

const PERMISSION = /^([a-z]+)\("([^"]*)"\)$/;
const ROLES = ['any', 'guests', 'users', 'user', 'team', 'member', 'label'];
const VERIFICATIONS = ['verified', 'unverified'];
const LABEL = /^[A-Za-z0-9]{1,36}$/;
const TEAM_ROLE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,80}$/;

const LABEL_TEXT = 'Value must be a valid string between 1 and 36 chars containing only alphanumeric chars';

function dimensionFault(kind: string, dimension: string): string | undefined {
  if (kind !== 'team' && kind !== 'user' && kind !== 'users') return `Role "${kind}" can not have a dimension value.`;
  if (dimension === '') return 'Dimension must not be empty';
  if (kind === 'team') {
    if (TEAM_ROLE.test(dimension)) return undefined;
    return `Role "team" dimension value is invalid: ${idRule(81)}`;
  }
  if (VERIFICATIONS.includes(dimension)) return undefined;
  return `Role "${kind}" dimension value is invalid. Must be one of: ${VERIFICATIONS.join(', ')}.`;
}

function roleFault(role: string): string | undefined {
  const [name = '', dimension, ...further] = role.split('/');
  if (further.length > 0) return 'Only one dimension can be provided';
  const colon = name.indexOf(':');
  const kind = colon < 0 ? name : name.slice(0, colon);
  const id = colon < 0 ? undefined : name.slice(colon + 1);
  if (!ROLES.includes(kind)) return `Role "${kind}" is not allowed. Must be one of: ${ROLES.join(', ')}.`;
  const takesId = kind === 'user' || kind === 'team' || kind === 'member' || kind === 'label';
  if (takesId && !id) return `Role "${kind}" must have an ID value.`;
  if (!takesId && id !== undefined) return `Role "${kind}" can not have an ID value.`;
  if (id && (kind === 'label' ? !LABEL.test(id) : !isId(id))) {
    return `Role "${kind}" identifier value is invalid: ${kind === 'label' ? LABEL_TEXT : idRule(36)}`;
  }
  return dimension === undefined ? undefined : dimensionFault(kind, dimension);
}

function parsePermission(text: string): Permission | undefined {
  const [, action, role = ''] = PERMISSION.exec(text) ?? [];
  return action === undefined ? undefined : { action: action as Permission['action'], role };
}

export function permissionFault(text: string, actions: readonly Action[]): string | undefined {
  const permission = parsePermission(text);
  if (!permission) return `Invalid permission string format: "${text}".`;
  const allowed: readonly string[] = [...actions, 'write'];
  if (!allowed.includes(permission.action)) {
    return `Permission "${permission.action}" is not allowed. Must be one of: ${allowed.join(', ')}.`;
  }
  return roleFault(permission.role);
}

/** Replaces `write` with the `actions` other than `read`, and removes duplicates. */
export function expandPermissions(permissions: readonly string[], actions: readonly Action[]): string[] {
  const expanded = new Set<string>();
  for (const text of permissions) {
    const permission = parsePermission(text);
    if (permission?.action !== 'write') expanded.add(text);
    else for (const action of actions) if (action !== 'read') expanded.add(`${action}("${permission.role}")`);
  }
  return [...expanded];
}

const FEW_ROLES = 16;
const setsOfRoles = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Returns true if `roles` includes `role`. `roles` must never be mutated, because large lists are cached as sets. */
export function holds(roles: readonly string[], role: string): boolean {
  if (roles.length <= FEW_ROLES) return roles.includes(role);
  let set = setsOfRoles.get(roles);
  if (!set) {
    set = new Set(roles);
    setsOfRoles.set(roles, set);
  }
  return set.has(role);
}

export function rolesFor(action: Action, permissions: readonly string[]): string[] {
  const prefix = `${action}("`;
  const roles: string[] = [];
  for (const text of permissions) if (text.startsWith(prefix)) roles.push(text.slice(prefix.length, -2));
  return roles;
}

/**
 * Returns true if the expanded `permissions` allow the caller to perform `action`. Callers with a server key may
 * perform any action.
 */
export function authorise(caller: Caller, action: Action, permissions: readonly string[]): boolean {
  if (caller.privileged) return true;
  const start = action.length + 2;
  for (const text of permissions) {
    if (text.startsWith(action) && holds(caller.roles, text.slice(start, -2))) return true;
  }
  return false;
}

/**
 * Throws 401 `user_unauthorized` if the caller may not perform `action`, with the message that the contract specifies
 * for `create` (2.3).
 */
export function requirePermission(caller: Caller, action: Action, permissions: readonly string[]): void {
  if (authorise(caller, action, permissions)) return;
  const granted = rolesFor(action, permissions);
  const last = granted.at(-1);
  if (last === undefined)
    throw new AppwriteError('user_unauthorized', `No permissions provided for action '${action}'`);
  throw new AppwriteError(
    'user_unauthorized',
    `Missing "${action}" permission for role "${last}". Only "${JSON.stringify(caller.roles)}" scopes are allowed and "${JSON.stringify(granted)}" was given.`,
  );
}

/** Returns true if the caller has a server key or holds every role named in `permissions`. */
export function mayGrant(caller: Caller, permissions: readonly string[]): boolean {
  if (caller.privileged) return true;
  return permissions.every((text) => {
    const permission = parsePermission(text);
    return permission !== undefined && holds(caller.roles, permission.role);
  });
}

/** Throws 401 `user_unauthorized` unless `mayGrant` returns true. */
export function requireGrantable(caller: Caller, permissions: readonly string[]): void {
  if (mayGrant(caller, permissions)) return;
  throw new AppwriteError('user_unauthorized', `Permissions must be one of: (${caller.roles.join(', ')})`);
}

export function defaultPermissions(caller: Caller): string[] {
  if (caller.privileged || !caller.user) return [];
  return RESOURCE_ACTIONS.map((action) => `${action}("user:${caller.user?.id}")`);
}

/** Permissions of a document: by the collection's permissions or, under document security, by its own (2.3). */
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { type Action, authorise, rolesFor } from '../../permissions.ts';
import type { Collection } from '../catalogue/model.ts';

/** @param own the document's permissions; only asked for if they matter */
export function mayDo(collection: Collection, caller: Caller, action: Action, own: () => readonly string[]): boolean {
  if (authorise(caller, action, collection.permissions)) return true;
  return collection.documentSecurity && authorise(caller, action, own());
}

/** Throws 401 unless the caller may; reading is not needed for changing. */
export function requireRight(
  collection: Collection,
  caller: Caller,
  action: Exclude<Action, 'create'>,
  own: readonly string[],
): void {
  if (!mayDo(collection, caller, action, () => own)) throw new AppwriteError('user_unauthorized');
}

/** Roles that may read a document of the collection. */
export function readersOf(collection: Collection, own: readonly string[]): string[] {
  const roles = rolesFor('read', collection.permissions);
  return collection.documentSecurity ? [...new Set([...roles, ...rolesFor('read', own)])] : roles;
}

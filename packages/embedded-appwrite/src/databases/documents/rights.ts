/** Permissions on a document: the collection's and, with document security, the document's own (contract 2.3). */
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { type Action, authorise, rolesFor } from '../../permissions.ts';
import type { Collection } from '../catalogue/model.ts';

/** @param own returns the document's permissions; called only if those of the collection do not allow the action */
export function mayDo(collection: Collection, caller: Caller, action: Action, own: () => readonly string[]): boolean {
  if (authorise(caller, action, collection.permissions)) return true;
  return collection.documentSecurity && authorise(caller, action, own());
}

/** Throws 401 if the caller may not perform `action`. Updates and deletions do not require read permission. */
export function requireRight(
  collection: Collection,
  caller: Caller,
  action: Exclude<Action, 'create'>,
  own: readonly string[],
): void {
  if (!mayDo(collection, caller, action, () => own)) throw new AppwriteError('user_unauthorized');
}

export function readersOf(collection: Collection, own: readonly string[]): string[] {
  const roles = rolesFor('read', collection.permissions);
  return collection.documentSecurity ? [...new Set([...roles, ...rolesFor('read', own)])] : roles;
}

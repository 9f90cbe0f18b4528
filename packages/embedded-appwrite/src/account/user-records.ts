/** The users table. Methods that write must run inside `store.write`. */
import { AppwriteError, type ErrorType } from '../http/errors.ts';
import { now, uniqueId } from '../identifiers.ts';
import { refuseTaken } from '../sqlite/constraint.ts';
import type { Store } from '../sqlite/store.ts';
import { USERS, type UserRecord } from './user.ts';

type NewUser = Pick<UserRecord, 'id'> & Partial<Pick<UserRecord, 'name' | 'email' | 'phone' | 'password'>>;

export type UserChanges = Partial<Omit<UserRecord, 'sequence' | 'id' | 'createdAt' | 'updatedAt' | 'targetId'>>;

export type UserRecords = ReturnType<typeof createUserRecords>;

/** @param onChange called with the id of every user that changes or is removed */
export function createUserRecords(store: Store, onChange: (userId: string) => void) {
  const former = store.database.prepare('SELECT 1 FROM former_users WHERE id = ?');
  const byId = (id: string): UserRecord | undefined => USERS.get(store, { id });

  function require(id: string): UserRecord {
    const user = byId(id);
    if (!user) throw new AppwriteError('user_not_found');
    return user;
  }

  return {
    byId,
    require,
    /** @param email lower-case */
    byEmail: (email: string): UserRecord | undefined => USERS.get(store, { email }),
    /** Throws 401 `user_invalid_credentials` if the stored password differs or the user is gone, 403 if blocked. */
    requireUnchanged({ id, password }: UserRecord): void {
      const user = byId(id);
      if (user?.password !== password) throw new AppwriteError('user_invalid_credentials');
      if (!user.status) throw new AppwriteError('user_blocked');
    },
    /**
     * Adds a user. Throws 409 `user_already_exists` when the id, email or phone is taken. A deleted user's id counts as
     * taken unless `again` is set, which is reserved for callers with a server key.
     */
    insert({ id, name = '', email = '', phone = '', password = '' }: NewUser, { again = false } = {}): UserRecord {
      if (!again && former.get(id)) throw new AppwriteError('user_already_exists');
      const moment = now();
      const user = {
        ...{ id, name, email, phone, password },
        ...{ createdAt: moment, updatedAt: moment, registration: moment, accessedAt: moment },
        passwordUpdate: password === '' ? '' : moment,
        targetId: email === '' ? '' : uniqueId(),
      };
      refuseTaken(
        () => USERS.insert(store, user),
        () => new AppwriteError('user_already_exists'),
      );
      return byId(id) as UserRecord;
    },
    /** Changes a user. Throws 404 when the user was deleted, 409 `conflict` when the email or phone is taken. */
    change(id: string, changes: UserChanges, conflict: ErrorType = 'user_already_exists'): UserRecord {
      const { email, targetId } = { ...require(id), ...changes };
      const target = email === '' ? '' : targetId || uniqueId();
      refuseTaken(
        () => USERS.update(store, { id }, { ...changes, updatedAt: now(), targetId: target }),
        () => new AppwriteError(conflict),
      );
      onChange(id);
      return byId(id) as UserRecord;
    },
    remove(id: string): boolean {
      onChange(id);
      return USERS.delete(store, { id }) > 0;
    },
  };
}

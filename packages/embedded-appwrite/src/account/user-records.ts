/** The users table. Everything that writes runs inside `store.write`. */
import type { SQLOutputValue } from 'node:sqlite';
import { AppwriteError, type ErrorType } from '../http/errors.ts';
import { exactText, parseExact } from '../http/exact-json.ts';
import { now, uniqueId } from '../identifiers.ts';
import { violatedColumn } from '../sqlite/constraint.ts';
import type { Store } from '../sqlite/store.ts';
import type { UserRecord } from './user.ts';

export interface NewUser {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  /** PHC string. */
  readonly password?: string;
  /** Allows the id of a deleted user; only for server keys. */
  readonly again?: boolean;
}

export type UserChanges = Partial<Omit<UserRecord, 'sequence' | 'id' | 'createdAt' | 'updatedAt' | 'targetId'>>;

export interface UserRecords {
  byId(id: string): UserRecord | undefined;
  /** @param email lower-case. */
  byEmail(email: string): UserRecord | undefined;
  /**
   * Comparing a password takes its time. Throws 401 `user_invalid_credentials` when it is not the user's any more, 403 when
   * the user is blocked meanwhile.
   */
  requireUnchanged(compared: UserRecord): void;
  /** Throws 409 `user_already_exists` when id, e-mail or phone are taken, and for a deleted user's id unless `again`. */
  insert(user: NewUser): UserRecord;
  /**
   * Changes fields; `updatedAt` moves on. Throws 404 when the user is gone, 409 `conflict` when e-mail or phone are taken.
   */
  change(id: string, changes: UserChanges, conflict?: ErrorType): UserRecord;
  /** With sessions and tokens. False when there was none. */
  remove(id: string): boolean;
}

type Row = Record<string, SQLOutputValue>;

/** A row of the users table as a record. */
export function userFromRow(row: Row): UserRecord {
  return {
    sequence: row.sequence as number,
    id: row.id as string,
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
    name: row.name as string,
    email: (row.email as string | null) ?? '',
    phone: (row.phone as string | null) ?? '',
    emailVerification: row.email_verification === 1,
    phoneVerification: row.phone_verification === 1,
    status: row.status === 1,
    mfa: row.mfa === 1,
    labels: JSON.parse(row.labels as string),
    prefs: parseExact(row.prefs as string) as UserRecord['prefs'],
    password: row.password as string,
    passwordUpdate: row.password_update as string,
    registration: row.registration as string,
    accessedAt: row.accessed_at as string,
    targetId: row.target_id as string,
  };
}

/** @param onChange told the id of each user that was changed or removed. */
export function createUserRecords(store: Store, onChange: (userId: string) => void): UserRecords {
  const selectById = store.database.prepare('SELECT * FROM users WHERE id = ?');
  const selectByEmail = store.database.prepare('SELECT * FROM users WHERE email = ?');
  const insert = store.database.prepare(`
    INSERT INTO users (id, created_at, updated_at, name, email, phone, password, password_update, registration,
                       accessed_at, target_id)
    VALUES (:id, :now, :now, :name, :email, :phone, :password, :passwordUpdate, :now, :now, :targetId)`);
  const update = store.database.prepare(`
    UPDATE users SET updated_at = :updatedAt, name = :name, email = :email, phone = :phone,
      email_verification = :emailVerification, phone_verification = :phoneVerification, status = :status, mfa = :mfa,
      labels = :labels, prefs = :prefs, password = :password, password_update = :passwordUpdate,
      registration = :registration, accessed_at = :accessedAt, target_id = :targetId
    WHERE id = :id`);
  const remove = store.database.prepare('DELETE FROM users WHERE id = ?');
  const former = store.database.prepare('SELECT 1 FROM former_users WHERE id = ?');

  function byId(id: string): UserRecord | undefined {
    const row = selectById.get(id);
    return row && userFromRow(row);
  }

  return {
    byId,
    byEmail(email) {
      const row = selectByEmail.get(email);
      return row && userFromRow(row);
    },
    requireUnchanged({ id, password }) {
      const user = byId(id);
      if (user?.password !== password) throw new AppwriteError('user_invalid_credentials');
      if (!user.status) throw new AppwriteError('user_blocked');
    },
    insert({ id, name = '', email = '', phone = '', password = '', again = false }) {
      if (!again && former.get(id)) throw new AppwriteError('user_already_exists');
      const moment = now();
      try {
        insert.run({
          id,
          now: moment,
          name,
          email: email || null,
          phone: phone || null,
          password,
          passwordUpdate: password === '' ? '' : moment,
          targetId: email === '' ? '' : uniqueId(),
        });
      } catch (error) {
        throw violatedColumn(error) ? new AppwriteError('user_already_exists') : error;
      }
      return byId(id) as UserRecord;
    },
    change(id, changes, conflict = 'user_already_exists') {
      const before = byId(id);
      if (!before) throw new AppwriteError('user_not_found');
      const after: UserRecord = { ...before, ...changes };
      const { sequence: _, createdAt: __, ...columns } = after;
      try {
        update.run({
          ...columns,
          updatedAt: now(),
          email: after.email || null,
          phone: after.phone || null,
          emailVerification: Number(after.emailVerification),
          phoneVerification: Number(after.phoneVerification),
          status: Number(after.status),
          mfa: Number(after.mfa),
          labels: JSON.stringify(after.labels),
          prefs: exactText(after.prefs),
          targetId: after.email === '' ? '' : after.targetId || uniqueId(),
        });
      } catch (error) {
        throw violatedColumn(error) ? new AppwriteError(conflict) : error;
      }
      onChange(id);
      return byId(id) as UserRecord;
    },
    remove(id) {
      onChange(id);
      return remove.run(id).changes > 0;
    },
  };
}

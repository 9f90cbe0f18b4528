import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import { owesFactor } from '../mfa/factors.ts';
import { createMfaRecords } from '../mfa/records.ts';
import { factorKey, sealPlainFactors } from '../mfa/sealed-column.ts';
import { derivedKey } from '../seal.ts';
import { createTeamRoles } from '../teams/roles.ts';
import { KnownAddresses } from './known-addresses.ts';
import { createPasswords } from './passwords/password.ts';
import type { SessionRecord } from './sessions/session.ts';
import { createSessionRecords } from './sessions/session-records.ts';
import { createSignIns, type SignedInAccount } from './sessions/sign-ins.ts';
import { createTokenRecords } from './tokens/token-records.ts';
import { rolesOf, type UserRecord } from './user.ts';
import { createUserRecords } from './user-records.ts';

const YEAR = 31_536_000;
const DAY = 86_400_000;
const PASSWORD_MINIMUM = 6;
const MOST_SESSIONS = 500;

export type Accounts = ReturnType<typeof createAccounts>;

/**
 * Returns a callback that updates a user's `accessedAt` at most once a day (contract 3). The request does not wait for
 * the update.
 */
function accessClock({ store, options }: Kernel, forget: (userId: string) => void): (found: SignedInAccount) => void {
  const update = store.database.prepare('UPDATE users SET accessed_at = ? WHERE id = ?');
  const writing = new Set<string>();
  return ({ user: { id, accessedAt } }) => {
    if (Date.now() - Date.parse(accessedAt) < DAY || writing.has(id) || !store.hasRoom) return;
    writing.add(id);
    store
      .write(() => {
        update.run(now(), id);
        forget(id);
      })
      .catch((error) => options.log?.('warn', 'Could not record the time of a user’s visit.', error))
      .finally(() => writing.delete(id));
  };
}

export function createAccounts(kernel: Kernel) {
  const { store, options } = kernel;
  const jwtKey = derivedKey(options, 'JWTs').toString('hex');
  const sealingKey = factorKey(options);
  sealPlainFactors(store, sealingKey, options.log);
  const forget = (userId: string): void => signIns.forget(userId);
  const users = createUserRecords(store, forget);
  const rules = { duration: options.sessionDuration ?? YEAR, most: options.maxSessions || MOST_SESSIONS };
  const sessions = createSessionRecords(store, rules, forget);
  const tokens = createTokenRecords(store, derivedKey(options, 'codes by mail'));
  const mfa = createMfaRecords(store, sealingKey, forget);
  const teamRoles = createTeamRoles(store);
  const roles = (user: UserRecord): readonly string[] => rolesOf(user, teamRoles(user.id));
  const owes = (user: UserRecord, session: SessionRecord): boolean => owesFactor(mfa, user, session);
  const onUse = accessClock(kernel, forget);
  const signIns = createSignIns({ users, sessions, rolesOf: roles, owesFactor: owes, jwtKey, onUse });
  /**
   * Revokes the user's one-time tokens and emailed invitation links, and ends all of the user's sessions except
   * `keepSession`. Call within a write.
   */
  function signOut(userId: string, keepSession?: string): void {
    sessions.removeAll(userId, keepSession);
    tokens.removeEvery(userId);
  }
  return {
    users,
    sessions,
    tokens,
    signOut,
    /**
     * Does nothing if the user's address is already verified. Otherwise marks it as verified, calls `signOut`, and
     * removes the password and second factors, because an attacker may have created the account. Call within a write.
     */
    proveAddress(userId: string, keepSession?: string): void {
      if (users.byId(userId)?.emailVerification) return;
      signOut(userId, keepSession);
      mfa.removeEvery(userId);
      users.change(userId, { emailVerification: true, mfa: false, password: '', passwordUpdate: '' });
    },
    signIns,
    mfa,
    rolesOf: roles,
    passwords: createPasswords(options.passwordCost),
    knownAddresses: new KnownAddresses(),
    jwtKey,
    passwordMinimum: options.passwordMinimum ?? PASSWORD_MINIMUM,
  };
}

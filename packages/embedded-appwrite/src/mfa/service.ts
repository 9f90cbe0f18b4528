import type { Accounts } from '../account/accounts.ts';
import { signedInUser } from '../account/profile-routes.ts';
import type { SessionRecord } from '../account/sessions/session.ts';
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import type { Kernel } from '../kernel.ts';
import type { MfaRecords } from './records.ts';

export interface MfaService {
  readonly kernel: Kernel;
  readonly accounts: Accounts;
  readonly records: MfaRecords;
}

export function createMfa(kernel: Kernel, accounts: Accounts): MfaService {
  return { kernel, accounts, records: accounts.mfa };
}

/** Returns the caller's session as stored. Throws 404 for a JWT. */
export function ownSession({ accounts: { sessions } }: MfaService, caller: Caller): SessionRecord {
  const session = caller.sessionId === undefined ? undefined : sessions.find(signedInUser(caller).id, caller.sessionId);
  if (!session) throw new AppwriteError('user_session_not_found');
  return session;
}

/** Milliseconds. */
const FRESH = 300_000;

/** Throws 401 `user_challenge_required` unless this session passed a challenge in the last five minutes. */
export function requireFreshChallenge({ accounts: { sessions } }: MfaService, caller: Caller): void {
  const { id } = signedInUser(caller);
  const met = caller.sessionId === undefined ? '' : (sessions.find(id, caller.sessionId)?.mfaUpdatedAt ?? '');
  if (met === '' || Date.now() - Date.parse(met) > FRESH) throw new AppwriteError('user_challenge_required');
}

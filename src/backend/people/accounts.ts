/** Reads and changes users' accounts with the server key, because Appwrite's users cannot manage each other. */

import { randomBytes } from 'node:crypto';
import { Account, AuthenticatorType, ID, type Models, Query, type Teams } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { cannotMail } from '#blog/mail-fault.ts';
import { PEOPLE_PER_PAGE, type PeoplePage, type Person, SITE_TEAM, type SiteRole } from '#blog/people.ts';
import { filesOf, keyedBackend } from '../keyed-backend.ts';
import { openPasskeyStore } from '../passkeys/stored-passkeys.ts';
import { ownerOf } from '../sweep/exposed.ts';
import { guestClient, type ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { clientOfCaller } from '../verify-session.ts';
import { items } from '../walk.ts';
import { withoutLink } from './sealed-link.ts';
import { everyMember, giveRole, type Member } from './site-team.ts';

const FILES_PAGE = 500;
const SECRET_LENGTH = 64;

const usersOf = (target: ServerTarget) => keyedBackend(target).users;

/** Returns accounts, newest first; with `search`, those whose name or email address matches. `page` starts at 1. */
export async function listPeople(
  target: ServerTarget,
  { search, page }: { readonly search: string; readonly page: number },
): Promise<PeoplePage> {
  const queries = [
    Query.orderDesc('$createdAt'),
    Query.limit(PEOPLE_PER_PAGE),
    Query.offset((page - 1) * PEOPLE_PER_PAGE),
  ];
  const [{ users, total }, members] = await Promise.all([
    usersOf(target).list({ queries, ...(search && { search }) }),
    everyMember(target),
  ]);
  const byUser = new Map(members.map((member) => [member.userId, member]));
  const withPasskeys = await openPasskeyStore(target).owners(users.map(({ $id }) => $id));
  const people = await Promise.all(
    users.map((user) => personOf(target, user, byUser.get(user.$id), withPasskeys.has(user.$id))),
  );
  return { people, total };
}

/** Returns users' names by id. Omits deleted users. */
export async function namesOf(target: ServerTarget, ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const queries = [Query.equal('$id', [...ids]), Query.limit(ids.length)];
  const { users } = await usersOf(target).list({ queries, total: false });
  return Object.fromEntries(users.map(({ $id, name }) => [$id, name]));
}

async function personOf(
  target: ServerTarget,
  user: Models.User,
  member: Member | undefined,
  hasPasskey: boolean,
): Promise<Person> {
  return {
    id: user.$id,
    name: user.name,
    email: user.email,
    role: member?.role,
    // Invited users have an account without a password or passkeys until they accept.
    hasJoined: member?.hasJoined !== false && (user.passwordUpdate !== '' || user.emailVerification || hasPasskey),
    isBlocked: !user.status,
    lastSeen: user.accessedAt,
    posts: await publishedBy(target, user.$id),
  };
}

/** Counts no drafts, because owners and editors may not learn of them. */
async function publishedBy(target: ServerTarget, userId: string): Promise<number> {
  const { databases, articles } = keyedBackend(target);
  const queries = [
    Query.equal('userId', userId),
    Query.equal('status', 'active'),
    Query.select(['$id']),
    Query.limit(1),
  ];
  return (await databases.listDocuments({ ...articles, queries })).total;
}

export async function emailOf(target: ServerTarget, userId: string): Promise<string | undefined> {
  return (await usersOf(target).get({ userId })).email || undefined;
}

export async function userByEmail(target: ServerTarget, email: string): Promise<Models.User | undefined> {
  const { users } = await usersOf(target).list({
    queries: [Query.equal('email', email.toLowerCase()), Query.limit(1)],
  });
  return users[0];
}

export async function accountOf(target: ServerTarget, email: string): Promise<Models.User> {
  return (await userByEmail(target, email)) ?? usersOf(target).create({ userId: ID.unique(), email });
}

/**
 * Creates a secret that signs the user in once, within `seconds` (60 to 31,536,000).
 * @throws the SDK's error for a deleted user
 */
export async function oneTimeSecret(target: ServerTarget, userId: string, seconds: number): Promise<string> {
  const { secret } = await usersOf(target).createToken({ userId, length: SECRET_LENGTH, expire: seconds });
  return secret;
}

/**
 * Emails an invitation on behalf of the owner whose session `teams` uses. `email` must not belong to a member who has
 * already joined. Returns false if the backend sends no mail.
 */
export async function inviteByMail(
  target: ServerTarget,
  teams: Teams,
  { email, role, url }: { readonly email: string; readonly role: SiteRole; readonly url: string },
): Promise<boolean> {
  try {
    const known = await userByEmail(target, email);
    // Removes an open invitation, because the backend would not email a second one.
    if (known) await giveRole(target, known.$id, undefined);
    await teams.createMembership({ teamId: SITE_TEAM, email, roles: [role], url });
    return true;
  } catch (error) {
    if (cannotMail(error)) return false;
    throw error;
  }
}

export async function block(target: ServerTarget, userId: string, isBlocked: boolean): Promise<void> {
  await setBlocked(target, userId, isBlocked);
  // Appwrite leaves a blocked user's sockets open. Ending the sessions keeps the user from opening new sockets.
  if (isBlocked) await endSessions(target, userId);
}

/** Blocks or unblocks the user without ending sessions, which work again once the user is unblocked. */
export async function setBlocked(target: ServerTarget, userId: string, isBlocked: boolean): Promise<void> {
  await usersOf(target).updateStatus({ userId, status: !isBlocked });
}

export async function endSessions(target: ServerTarget, userId: string): Promise<void> {
  const users = usersOf(target);
  await users.deleteSessions({ userId });
  const { labels } = await users.get({ userId });
  const others = withoutLink(labels);
  if (others.length < labels.length) await users.updateLabels({ userId, labels: others });
}

/** Returns true if the user can sign in but has not verified the address, so anyone may have created the account. */
export async function isUnproven(target: ServerTarget, user: Models.User): Promise<boolean> {
  const { $id, emailVerification, passwordUpdate } = user;
  if (emailVerification) return false;
  return passwordUpdate !== '' || (await openPasskeyStore(target).owners([$id])).size > 0;
}

/**
 * Sets a random password, deletes passkeys, ends sessions and removes the second factor. One-time links and recovery
 * emails still work.
 */
export async function endAccess(target: ServerTarget, userId: string): Promise<void> {
  const users = usersOf(target);
  await users.updatePassword({ userId, password: randomBytes(32).toString('base64url') });
  await openPasskeyStore(target).forget(userId);
  await endSessions(target, userId);
  await users.updateMFA({ userId, mfa: false });
  await unless(404, users.deleteMFAAuthenticator({ userId, type: AuthenticatorType.Totp }));
}

/** Time after opening a one-time link during which the user may set a password without entering the old one. */
const LINK_COUNTS_MS = 15 * 60_000;

/**
 * Sets the password of a caller whose session was recently opened by a one-time link. Returns false for any other
 * caller, who must enter the old password.
 */
export async function setPasswordAfterLink(target: ServerTarget, headers: Headers, password: string): Promise<boolean> {
  const users = usersOf(target);
  const { userId, sessionId } = await sessionOfCaller(target, headers);
  const { sessions } = await users.listSessions({ userId });
  const session = sessions.find(({ $id }) => $id === sessionId);
  const isByLink = session !== undefined && BY_LINK.has(session.factors[0] ?? '');
  if (!isByLink || Date.now() - Date.parse(session.$createdAt) > LINK_COUNTS_MS) return false;
  await users.updatePassword({ userId, password });
  // Appwrite may be configured to keep sessions when the password changes.
  await users.deleteSessions({ userId });
  return true;
}

/**
 * First factors of sessions that were opened with a link or a code. A session's `provider` does not show this,
 * because it is `email` for passwords, too.
 */
const BY_LINK: ReadonlySet<string> = new Set(['token', 'email']);

/** Returns the total size in bytes of each user's pictures, by user id. Lists every file in the bucket. */
export async function storageByPerson(target: ServerTarget): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {};
  for await (const file of items(filesOf(keyedBackend(target)), FILES_PAGE)) {
    const owner = ownerOf(file);
    if (owner !== undefined) bytes[owner] = (bytes[owner] ?? 0) + file.sizeOriginal;
  }
  return bytes;
}

/** Returns the ids of the user and session in a caller's headers. @throws the SDK's error without a valid session */
export async function sessionOfCaller(
  target: ServerTarget,
  headers: Headers,
): Promise<{ readonly userId: string; readonly sessionId: string }> {
  const account = new Account(clientOfCaller(target, headers));
  const jwt = headers.get('x-appwrite-jwt');
  if (jwt === null) {
    const { userId, $id } = await account.getSession({ sessionId: 'current' });
    return { userId, sessionId: $id };
  }
  // Only the JWT's payload names its session. The payload is safe to use, because `account.get` has verified the JWT.
  const { $id } = await account.get();
  const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { sessionId?: unknown };
  return { userId: $id, sessionId: String(claims.sessionId) };
}

/** Checks a password by signing in, which counts as a login attempt, and ends the new session immediately. */
export async function isPasswordOf(target: ServerTarget, userId: string, password: string): Promise<boolean> {
  const { email } = await usersOf(target).get({ userId });
  try {
    const opened = await new Account(guestClient(target)).createEmailPasswordSession({ email, password });
    await usersOf(target).deleteSession({ userId, sessionId: opened.$id });
    return true;
  } catch (error) {
    const { type, code } = faultOf(error);
    // If the password is too short, the backend responds with 400 without comparing it.
    if (type === 'user_invalid_credentials' || code === 400) return false;
    throw error;
  }
}

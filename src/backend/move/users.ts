/** Moves accounts with their password hashes, so that users keep their passwords. */
import { type Models, Query } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { accountsOf, type KeyedBackend } from '../keyed-backend.ts';
import { PAGE, pairs } from './pairs.ts';
import type { MoveOptions, StageReport } from './report.ts';

type User = Models.User;

/** Returns the name of the first moved field that differs. Ignores a password that cannot be moved. */
export function differingIn(a: User, b: User): string | undefined {
  const [one, other] = [movedOf(a), movedOf(b)];
  const names = Object.keys(one).filter((name) => name !== 'password' || one[name] !== '');
  return names.find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

/** Returns the hash if it is argon2, which `createArgon2User` accepts; otherwise ''. */
const passwordOf = ({ password = '', hash }: User): string => (hash === 'argon2' ? password : '');

/** Returns the fields to compare. Leaves out the password of an account that has no email address to sign in with. */
function movedOf(user: User) {
  const { email, phone, name, status, emailVerification, labels, prefs } = user;
  const moved: Record<string, unknown> = {
    email,
    phone,
    password: (email && passwordOf(user)) || '',
    status,
    emailVerification,
    labels: [...labels].sort(),
    prefs,
    name,
  };
  return moved;
}

/** Returns true if only the name differs and the destination's account was updated later. */
const isRenamed = (user: User, other: User): boolean =>
  differingIn(user, other) === 'name' && Date.parse(other.$updatedAt) > Date.parse(user.$updatedAt);

async function create({ users }: KeyedBackend, user: User): Promise<void> {
  const { $id: userId, email, phone, name } = user;
  const password = passwordOf(user);
  if (password && email) await users.createArgon2User({ userId, email, password, name });
  else await users.create({ userId, ...(email && { email }), ...(phone && { phone }), name });
  if (password && phone) await users.updatePhone({ userId, number: phone });
  await complete({ users }, user);
}

async function complete({ users }: Pick<KeyedBackend, 'users'>, user: User): Promise<void> {
  const { $id: userId } = user;
  if (user.labels.length > 0) await users.updateLabels({ userId, labels: user.labels });
  if (Object.keys(user.prefs).length > 0) await users.updatePrefs({ userId, prefs: user.prefs });
  if (user.phoneVerification) await users.updatePhoneVerification({ userId, phoneVerification: true });
  if (user.emailVerification) await users.updateEmailVerification({ userId, emailVerification: true });
  if (!user.status) await users.updateStatus({ userId, status: false });
}

/** Returns true if `user` has a different argon2 hash, which only a recreated account can be given. */
const isReplaced = (user: User, other: User): boolean =>
  passwordOf(user) !== '' && passwordOf(user) !== passwordOf(other);

/** Deletes the account and recreates it with the same id and teams, but without sessions and second factors. */
async function replace(to: KeyedBackend, user: User): Promise<void> {
  const { $id: userId } = user;
  const { memberships } = await to.users.listMemberships({ userId, queries: [Query.limit(PAGE)] });
  await to.users.delete({ userId });
  await create(to, user);
  for (const { teamId, roles, confirm } of memberships) {
    if (confirm) await to.teams.createMembership({ teamId, userId, roles });
  }
}

async function update(to: KeyedBackend, user: User, other: User): Promise<void> {
  const { $id: userId, email, name, labels, prefs, status, emailVerification } = user;
  if (isReplaced(user, other)) return replace(to, user);
  if (user.phone !== other.phone) await to.users.updatePhone({ userId, number: user.phone });
  if (email !== other.email) await to.users.updateEmail({ userId, email });
  if (name !== other.name) await to.users.updateName({ userId, name });
  await to.users.updateLabels({ userId, labels });
  await to.users.updatePrefs({ userId, prefs });
  await to.users.updateEmailVerification({ userId, emailVerification });
  await to.users.updateStatus({ userId, status });
}

export async function moveUsers(
  from: KeyedBackend,
  to: KeyedBackend,
  report: StageReport,
  options: MoveOptions,
): Promise<void> {
  let done = 0;
  for await (const page of pairs(accountsOf(from), accountsOf(to))) {
    for (const [user, other] of page) {
      if (user.password && passwordOf(user) === '') {
        report.withoutPassword.push(`${user.email || user.$id} (${user.hash})`);
      }
      if (user.mfa && !other?.mfa) report.withoutSecondFactor.push(user.email || user.$id);
      try {
        if (!other) {
          if (!options.dryRun) await create(to, user);
          report.created += 1;
        } else if (differingIn(user, other) === undefined) {
          report.unchanged += 1;
        } else if (Date.parse(other.passwordUpdate) > Date.parse(user.passwordUpdate) && isReplaced(user, other)) {
          // A move sets `passwordUpdate` as well, so a later time alone does not mean that the user changed the
          // password; the hash must differ, too.
          report.kept.set(user.$id, `${user.email}: the password is newer at the destination`);
        } else if (isRenamed(user, other)) {
          report.kept.set(user.$id, `${user.email || user.$id}: the name was changed at the destination`);
        } else {
          if (!options.dryRun) await update(to, user, other);
          if (other.mfa && isReplaced(user, other)) report.withoutSecondFactor.push(user.email || user.$id);
          report.updated += 1;
        }
      } catch (error) {
        report.failed.push(`User ${user.email || user.$id}: ${faultOf(error).message}`);
      }
      options.onProgress?.('users', ++done);
    }
  }
}

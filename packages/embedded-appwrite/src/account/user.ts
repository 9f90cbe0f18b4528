import { flag, integer, json, type RecordOf, table, text, textOrEmpty } from '../sqlite/table.ts';
import { describeHash } from './passwords/password.ts';

const COLUMNS = {
  sequence: integer,
  id: text,
  createdAt: text,
  updatedAt: text,
  name: text,
  /** Lower-case; empty for anonymous users. */
  email: textOrEmpty,
  phone: textOrEmpty,
  emailVerification: flag,
  phoneVerification: flag,
  status: flag,
  /** True if the user turned on MFA. Sessions then need a second factor, provided the user has one. */
  mfa: flag,
  labels: json<readonly string[]>(),
  prefs: json<Readonly<Record<string, unknown>>>(),
  /** PHC string; empty when the user has no password. */
  password: text,
  /** Date in the contract's format; empty if the user has no password. */
  passwordUpdate: text,
  registration: text,
  accessedAt: text,
  /** Id of the user's email target (Appwrite's record of a message recipient); empty if the user has no address. */
  targetId: text,
};

export const USERS = table('users', COLUMNS);
export type UserRecord = RecordOf<typeof COLUMNS>;

type Json = Record<string, unknown>;

/** Returns an email address in canonical form (contract 2.1): without the `+` tag. */
function canonicalEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const plus = email.indexOf('+');
  return plus > 0 && plus < at ? email.slice(0, plus) + email.slice(at) : email;
}

function emailTarget(user: UserRecord): Json {
  return {
    $id: user.targetId,
    $createdAt: user.createdAt,
    $updatedAt: user.updatedAt,
    name: '',
    userId: user.id,
    providerId: null,
    providerType: 'email',
    identifier: user.email,
    expired: false,
  };
}

export function accountJson(user: UserRecord): Json {
  return describe(user, {});
}

/** Returns a user as the users service shows it to callers with a server key, including the password hash. */
export function userJson(user: UserRecord): Json {
  return describe(user, { password: user.password, hash: 'argon2', hashOptions: describeHash(user.password) });
}

function describe(user: UserRecord, secrets: Json): Json {
  const canonical = canonicalEmail(user.email);
  return {
    $id: user.id,
    $createdAt: user.createdAt,
    $updatedAt: user.updatedAt,
    name: user.name,
    ...secrets,
    registration: user.registration,
    status: user.status,
    labels: user.labels,
    passwordUpdate: user.passwordUpdate,
    email: user.email,
    phone: user.phone,
    emailVerification: user.emailVerification,
    emailCanonical: user.email === '' ? null : canonical,
    // Always null, because classifying addresses would need lists of mail providers, which go out of date.
    emailIsFree: null,
    emailIsDisposable: null,
    emailIsCorporate: null,
    emailIsCanonical: user.email === '' ? null : canonical === user.email,
    phoneVerification: user.phoneVerification,
    mfa: user.mfa,
    prefs: user.prefs,
    targets: user.email === '' ? [] : [emailTarget(user)],
    accessedAt: user.accessedAt,
    impersonator: false,
    impersonatorUserId: null,
  };
}

/** Returns the user's roles (contract 1.8). */
export function rolesOf(user: UserRecord, teamRoles: readonly string[]): string[] {
  const standing = user.emailVerification || user.phoneVerification ? 'verified' : 'unverified';
  return [
    'any',
    'users',
    `users/${standing}`,
    `user:${user.id}`,
    `user:${user.id}/${standing}`,
    ...teamRoles,
    ...user.labels.map((label) => `label:${label}`),
  ];
}

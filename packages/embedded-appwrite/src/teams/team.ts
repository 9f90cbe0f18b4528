import { flag, integer, json, type RecordOf, rowReader, table, text, textOrEmpty } from '../sqlite/table.ts';

const TEAM_COLUMNS = {
  id: text,
  createdAt: text,
  updatedAt: text,
  name: text,
  prefs: json<Readonly<Record<string, unknown>>>(),
  total: integer,
  /** The creator: `user:<id>`, or `key`. */
  owner: text,
  /** Bytes counted towards the creator's quota. */
  bytes: integer,
};

export const TEAMS = table('teams', TEAM_COLUMNS);
export type TeamRecord = RecordOf<typeof TEAM_COLUMNS>;

export function teamJson({ id, createdAt, updatedAt, name, total, prefs }: TeamRecord): Record<string, unknown> {
  return { $id: id, $createdAt: createdAt, $updatedAt: updatedAt, name, total, prefs };
}

const MEMBERSHIP_COLUMNS = {
  id: text,
  createdAt: text,
  updatedAt: text,
  userId: text,
  teamId: text,
  invited: text,
  /** Empty while the invitation is open. */
  joined: text,
  confirmed: flag,
  roles: json<readonly string[]>(),
  /** SHA-256 of the invitation's secret, in hex; empty if no link was emailed or the link was revoked. */
  secret: text,
};

export const MEMBERSHIPS = table('memberships', MEMBERSHIP_COLUMNS);

export const membershipFromRow = rowReader({
  ...MEMBERSHIP_COLUMNS,
  userName: text,
  userEmail: textOrEmpty,
  userPhone: textOrEmpty,
  userAccessedAt: text,
  /** True if the user has enabled multi-factor authentication and has a second factor. */
  mfa: flag,
  teamName: text,
});
export type MembershipRecord = ReturnType<typeof membershipFromRow>;

export const MEMBERSHIP_SELECT = `m.*, u.name AS user_name, u.email AS user_email, u.phone AS user_phone,
  u.accessed_at AS user_accessed_at, t.name AS team_name,
  (u.mfa AND (u.email_verification AND u.email IS NOT NULL
    OR u.phone_verification AND u.phone IS NOT NULL
    OR EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = u.id AND a.verified))) AS mfa`;
export const MEMBERSHIP_TABLES = `memberships m CROSS JOIN users u ON u.id = m.user_id
  CROSS JOIN teams t ON t.id = m.team_id`;

/** Fields that the project may hide from other members (sent as '' or false; contract part 2, section 6.4). */
const PRIVATE_FIELDS = ['userId', 'userEmail', 'userPhone', 'userName', 'userMFA', 'userAccessedAt'] as const;
type PrivateField = (typeof PRIVATE_FIELDS)[number];
export type MembershipPrivacy = Readonly<Record<PrivateField, boolean>>;

export const ofEachField = <T>(value: T) =>
  Object.fromEntries(PRIVATE_FIELDS.map((field) => [field, value])) as Record<PrivateField, T>;

const EVERYTHING: MembershipPrivacy = ofEachField(true);
/** The fields in responses to a change: all except the date of the user's last visit. */
export const CHANGED: MembershipPrivacy = { ...EVERYTHING, userAccessedAt: false };

export function membershipJson(membership: MembershipRecord, shown = EVERYTHING): Record<string, unknown> {
  const { id, createdAt, updatedAt, userId, userName, userEmail, userPhone, userAccessedAt, mfa } = membership;
  return {
    $id: id,
    $createdAt: createdAt,
    $updatedAt: updatedAt,
    userId: shown.userId ? userId : '',
    userName: shown.userName ? userName : '',
    userEmail: shown.userEmail ? userEmail : '',
    userPhone: shown.userPhone ? userPhone : '',
    teamId: membership.teamId,
    teamName: membership.teamName,
    invited: membership.invited,
    joined: membership.joined,
    confirm: membership.confirmed,
    mfa: shown.userMFA && mfa,
    userAccessedAt: shown.userAccessedAt ? userAccessedAt : '',
    roles: membership.roles,
  };
}

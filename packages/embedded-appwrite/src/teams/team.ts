/** Teams and memberships as stored, and the JSON that the teams service answers with (contract, part 2, 6). */
import type { Row } from '../databases/query/list.ts';
import { parseExact } from '../http/exact-json.ts';

export interface TeamRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly prefs: Readonly<Record<string, unknown>>;
  /** Confirmed members. */
  readonly total: number;
  /** Names the maker: `user:<id>`, or `key`. */
  readonly owner: string;
}

export function teamFromRow(row: Row): TeamRecord {
  return {
    id: row.id as string,
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
    name: row.name as string,
    prefs: parseExact(row.prefs as string) as TeamRecord['prefs'],
    total: Number(row.total),
    owner: row.owner as string,
  };
}

export function teamJson({ id, createdAt, updatedAt, name, total, prefs }: TeamRecord): Record<string, unknown> {
  return { $id: id, $createdAt: createdAt, $updatedAt: updatedAt, name, total, prefs };
}

/** A membership with what its answers tell of the user and the team. */
export interface MembershipRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly userId: string;
  readonly userName: string;
  readonly userEmail: string;
  readonly userPhone: string;
  readonly userAccessedAt: string;
  /** Second factors are on, and there is one. */
  readonly mfa: boolean;
  readonly teamId: string;
  readonly teamName: string;
  readonly invited: string;
  /** Empty while the invitation is open. */
  readonly joined: string;
  readonly confirmed: boolean;
  readonly roles: readonly string[];
  /** SHA-256 of the invitation's secret. */
  readonly secret: string;
}

export function membershipFromRow(row: Row): MembershipRecord {
  const text = (column: string): string => (row[column] as string | null) ?? '';
  return {
    id: text('id'),
    createdAt: text('created_at'),
    updatedAt: text('updated_at'),
    userId: text('user_id'),
    userName: text('user_name'),
    userEmail: text('user_email'),
    userPhone: text('user_phone'),
    userAccessedAt: text('user_accessed_at'),
    mfa: row.mfa === 1,
    teamId: text('team_id'),
    teamName: text('team_name'),
    invited: text('invited'),
    joined: text('joined'),
    confirmed: row.confirmed === 1,
    roles: JSON.parse(text('roles')),
    secret: text('secret'),
  };
}

/** What a project shows its members of each other; a field is blank unless it says true (contract, part 2, 6.4). */
export interface MembershipPrivacy {
  readonly userId: boolean;
  readonly userEmail: boolean;
  readonly userPhone: boolean;
  readonly userName: boolean;
  readonly userMFA: boolean;
  readonly userAccessedAt: boolean;
}

const EVERYTHING: MembershipPrivacy = {
  userId: true,
  userEmail: true,
  userPhone: true,
  userName: true,
  userMFA: true,
  userAccessedAt: true,
};
/** The answers to a change tell everything but the last visit. */
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

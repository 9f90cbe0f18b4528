import * as z from 'zod/mini';
import { emailField, nameField, passwordsMatch, signupPassword } from './forms/sign-in-forms.ts';
import { POST_FIELDS } from './post.ts';

export const SITE_TEAM = 'site';

/** Most powerful first. Owners manage people, editors all posts, writers their own posts. */
export const SITE_ROLES = ['owner', 'editor', 'writer'] as const;
export type SiteRole = (typeof SITE_ROLES)[number];

/** Allowed writers: `everyone` with an account, or only `members` of the site's team. */
export const WRITERS = ['everyone', 'members'] as const;
export type Writers = (typeof WRITERS)[number];

/** Returns the highest role of a membership. Every member is at least a writer. */
export const roleIn = (roles: readonly string[]): SiteRole =>
  SITE_ROLES.find((role) => roles.includes(role)) ?? 'writer';

export const isModerator = (role: SiteRole | undefined): boolean => role === 'owner' || role === 'editor';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: SiteRole | undefined;
  /** False while an invitation is open, or while the account has neither a password nor a verified address. */
  readonly hasJoined: boolean;
  readonly isBlocked: boolean;
  readonly lastSeen: string;
  /** Number of published posts. */
  readonly posts: number;
}

export const PEOPLE_PER_PAGE = 25;
export interface PeoplePage {
  readonly people: readonly Person[];
  readonly total: number;
}

export interface SiteState {
  readonly writers: Writers;
  /** True if the operator's configuration decides who may write, so the owners cannot change it. */
  readonly isWritersFixed: boolean;
  readonly role: SiteRole | undefined;
  readonly mayWrite: boolean;
}

const userId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/));
const slug = z.string().check(z.minLength(1), z.maxLength(36));
const role = z.enum(SITE_ROLES);

export const invitationSchema = z.object({ email: emailField, role });

export const peopleActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('invite'), email: emailField, role, by: z.enum(['mail', 'link']) }),
  z.object({ action: z.literal('role'), userId, role: z.nullable(role) }),
  z.object({ action: z.literal('block'), userId, isBlocked: z.boolean() }),
  z.object({ action: z.literal('end-sessions'), userId }),
  z.object({ action: z.literal('link'), userId }),
  z.object({ action: z.literal('delete'), userId, posts: z.enum(['delete', 'hand-over']) }),
]);
export type PeopleAction = z.infer<typeof peopleActionSchema>;

export interface PeopleOutcome {
  readonly link?: string;
  readonly isMailed?: boolean;
  /** True if the address belonged to an unverified account, whose password, passkeys and sessions no longer work. */
  readonly isRenewed?: boolean;
}

export const moderationSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('take-back'), slug }),
  z.object({ action: z.literal('delete'), slug }),
  z.object({ action: z.literal('hand-over'), slug, userId }),
  // `slug` identifies the tag to rename. Giving it another tag's name merges the two tags.
  z.object({
    action: z.literal('rename-tag'),
    slug,
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(POST_FIELDS.tags.size)),
  }),
]);
export type Moderation = z.infer<typeof moderationSchema>;

export const writersSchema = z.object({ writers: z.enum(WRITERS) });

export const welcomeSchema = z.object({ name: nameField, ...signupPassword }).check(passwordsMatch);
export type WelcomeForm = z.infer<typeof welcomeSchema>;

/** The parts of a one-time link: its user, and a string that only the server can decrypt. */
export const oneTimeLinkSchema = z.object({ userId, sealed: z.string().check(z.regex(/^[\w-]{40,1000}$/)) });

export const claimSchema = z.object({ token: z.string().check(z.minLength(16), z.maxLength(200)) });
export const newPasswordSchema = z.object({ password: signupPassword.password });

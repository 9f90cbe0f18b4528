/** The people of a site: what each may do, and what is asked of the server about them. */

import * as z from 'zod/mini';
import { emailField, nameField, passwordsMatch, signupPassword } from './forms/sign-in-forms.ts';
import { POST_FIELDS } from './post.ts';

/** The id of the team whose members run the site. */
export const SITE_TEAM = 'site';

/** From most to least. Owners decide about people, editors about everybody's posts, writers about their own. */
export const SITE_ROLES = ['owner', 'editor', 'writer'] as const;
export type SiteRole = (typeof SITE_ROLES)[number];

/** Who may create posts: everybody who has an account, or members of the site's team alone. */
export const WRITERS = ['everyone', 'members'] as const;
export type Writers = (typeof WRITERS)[number];

/** The most that the roles of a membership allow. A member is a writer at least. */
export const roleIn = (roles: readonly string[]): SiteRole =>
  SITE_ROLES.find((role) => roles.includes(role)) ?? 'writer';

/** Whether the role is about other people's posts. */
export const isModerator = (role: SiteRole | undefined): boolean => role === 'owner' || role === 'editor';

/** Somebody with an account, as the people's page shows them. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Undefined for somebody who is no member of the team. */
  readonly role: SiteRole | undefined;
  /** False for somebody who was invited and never signed in. */
  readonly hasJoined: boolean;
  readonly isBlocked: boolean;
  /** ISO date of the last use, by the day; empty when there was none. */
  readonly lastSeen: string;
  readonly posts: number;
}

export interface PeoplePage {
  readonly people: readonly Person[];
  readonly total: number;
}

/** What the server says of the site to whoever asks. */
export interface SiteState {
  readonly writers: Writers;
  /** True when the operator's setting decides who writes, and no screen can. */
  readonly isWritersFixed: boolean;
  /** Of the caller. */
  readonly role: SiteRole | undefined;
  readonly mayWrite: boolean;
}

const userId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/));
const slug = z.string().check(z.minLength(1), z.maxLength(36));
const role = z.enum(SITE_ROLES);

export const invitationSchema = z.object({ email: emailField, role });
export type InvitationForm = z.infer<typeof invitationSchema>;

/** What an owner does to somebody's account. */
export const peopleActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('invite'), email: emailField, role, by: z.enum(['mail', 'link']) }),
  z.object({ action: z.literal('role'), userId, role: z.nullable(role) }),
  z.object({ action: z.literal('block'), userId, isBlocked: z.boolean() }),
  z.object({ action: z.literal('end-sessions'), userId }),
  z.object({ action: z.literal('link'), userId }),
  z.object({ action: z.literal('delete'), userId, posts: z.enum(['delete', 'hand-over']) }),
]);
export type PeopleAction = z.infer<typeof peopleActionSchema>;

/** What comes of it. */
export interface PeopleOutcome {
  /** A one-time link to hand over. */
  readonly link?: string;
  /** True when a mail with it is on its way. */
  readonly isMailed?: boolean;
  /** True when the address had an unconfirmed account, whose access from before was ended. */
  readonly isRenewed?: boolean;
}

/** What an editor does to somebody's post, or to a tag in everybody's posts. */
export const moderationSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('take-back'), slug }),
  z.object({ action: z.literal('delete'), slug }),
  z.object({ action: z.literal('hand-over'), slug, userId }),
  // The slug is the tag's. A name that another tag has makes the two one.
  z.object({
    action: z.literal('rename-tag'),
    slug,
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(POST_FIELDS.tags.size)),
  }),
]);
export type Moderation = z.infer<typeof moderationSchema>;

export const writersSchema = z.object({ writers: z.enum(WRITERS) });

/** Of somebody who came by a one-time link. */
export const welcomeSchema = z.object({ name: nameField, ...signupPassword }).check(passwordsMatch);
export type WelcomeForm = z.infer<typeof welcomeSchema>;

/** The parts of a one-time link: its user, and a text that only the server can open. */
export const oneTimeLinkSchema = z.object({ userId, sealed: z.string().check(z.regex(/^[\w-]{40,1000}$/)) });

export const claimSchema = z.object({ token: z.string().check(z.minLength(16), z.maxLength(200)) });
export const newPasswordSchema = z.object({ password: signupPassword.password });

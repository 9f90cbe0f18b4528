/**
 * Invitation routes. Users added with a server key become members at once; all others must accept an emailed link
 * (contract part 2, sections 6.1 and 6.2).
 */
import { timingSafeEqual } from 'node:crypto';
import type { Accounts } from '../account/accounts.ts';
import { phone as phoneNumber, redirectUrl } from '../account/params.ts';
import { openSession } from '../account/sessions/open-session.ts';
import { WRONG_SECRETS } from '../account/tokens/guess-limits.ts';
import { requireMail } from '../account/tokens/mailed-tokens.ts';
import { digestOf, LONG_SECRET, tokenSecret } from '../account/tokens/secret.ts';
import type { UserRecord } from '../account/user.ts';
import type { Caller } from '../caller.ts';
import { header } from '../http/access/credentials.ts';
import { AppwriteError } from '../http/errors.ts';
import { email as emailAddress, optional, required, text, uid } from '../http/params.ts';
import { created, ok, type Route, type RouteContext, route } from '../http/route.ts';
import { uniqueId } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import { type Mail, mailLink } from '../mail/mail.ts';
import { type MailLanguage, mailLanguage } from '../mail/texts.ts';
import { requireFewMembers } from './bounds.ts';
import { membershipEvent } from './events.ts';
import type { TeamRecords } from './records.ts';
import { openTeam, requireOwner, teamRoles } from './rights.ts';
import { CHANGED, type MembershipRecord, membershipJson, type TeamRecord } from './team.ts';

interface Invitee {
  readonly userId: string;
  readonly email: string;
  readonly phone: string;
  readonly name: string;
}

interface Invitation {
  readonly team: TeamRecord;
  readonly invitee: Invitee;
  readonly roles: readonly string[];
  readonly url: string;
  readonly language: MailLanguage;
}

interface Acceptance {
  readonly teamId: string;
  readonly membershipId: string;
  readonly userId: string;
  readonly secret: string;
}

function isSecretOf({ secret: digest }: MembershipRecord, secret: string): boolean {
  const given = digestOf(secret);
  return digest.length === given.length && timingSafeEqual(Buffer.from(digest), Buffer.from(given));
}

export function invitationRoutes(kernel: Kernel, accounts: Accounts, records: TeamRecords): Route[] {
  const { store, events } = kernel;
  const { users, proveAddress } = accounts;
  const teamId = required(uid());

  function byPhone(phone: string): UserRecord | undefined {
    const row = store.prepare('SELECT id FROM users WHERE phone = ?').get(phone);
    return row && users.byId(row.id as string);
  }

  /** Returns the user, if known. Throws 404 for an unknown id, 409 if the id does not match the email or phone. */
  function find({ userId, email, phone }: Invitee): UserRecord | undefined {
    if (userId === '') return email === '' ? byPhone(phone) : users.byEmail(email);
    const user = users.byId(userId);
    if (!user) throw new AppwriteError('user_not_found', "User with given userId doesn't exist.");
    const differs = email !== '' && email !== user.email ? 'email' : phone !== '' && phone !== user.phone && 'phone';
    if (differs) throw new AppwriteError('user_already_exists', `Given userId and ${differs} doesn't match`);
    return user;
  }

  function findOrMake(invitee: Invitee): UserRecord {
    const { email, phone, name } = invitee;
    const found = find(invitee);
    if (found) return found;
    const made = users.insert({ id: uniqueId(), email, phone, name: name || email || phone });
    return users.change(made.id, { accessedAt: '' });
  }

  /** Adds the user as a confirmed member or, with `enqueue`, emails the user an invitation. Call within a write. */
  function invited(caller: Caller, of: Invitation, enqueue?: (mail: Mail) => void): MembershipRecord {
    const { team, roles, url, language } = of;
    const user = findOrMake(of.invitee);
    if (enqueue && user.email === '') throw new AppwriteError('general_phone_disabled');
    const open = records.membershipOf(team.id, user.id);
    if (open?.confirmed) throw new AppwriteError('membership_already_confirmed');
    const member = { teamId: team.id, userId: user.id, roles };
    if (!enqueue) return open ? records.confirm(open.id) : records.insertMembership({ ...member, confirmed: true });
    if (!open) requireFewMembers(store, caller, team);
    const secret = tokenSecret(LONG_SECRET);
    const digest = digestOf(secret);
    const membership = open
      ? records.inviteAgain(open.id, digest)
      : records.insertMembership({ ...member, confirmed: false, secret: digest });
    const parameters = { membershipId: membership.id, userId: user.id, secret, teamId: team.id, teamName: team.name };
    const to = { address: user.email, name: user.name };
    enqueue({ kind: 'invitation', language, to, link: mailLink(url, parameters), team: team.name });
    return membership;
  }

  /** Returns the invitation. Checks it in the order that the contract specifies and throws the first error. */
  function invitationOf({ params, caller }: RouteContext<Acceptance>): MembershipRecord {
    const membership = records.membership(params.membershipId);
    if (!membership) throw new AppwriteError('membership_not_found');
    if (!records.team(params.teamId)) throw new AppwriteError('team_not_found');
    if (membership.teamId !== params.teamId) throw new AppwriteError('team_membership_mismatch');
    if (!isSecretOf(membership, params.secret)) throw new AppwriteError('team_invalid_secret');
    const isForeign = caller.user !== undefined && caller.user.id !== membership.userId;
    if (params.userId !== membership.userId || isForeign) {
      const who = caller.user?.email ?? '';
      throw new AppwriteError('team_invite_mismatch', `Invite does not belong to current user (${who})`);
    }
    if (membership.confirmed) throw new AppwriteError('membership_already_confirmed');
    return membership;
  }

  const invite = route({
    method: 'POST',
    path: '/teams/:teamId/memberships',
    scope: 'teams.write',
    // The second limit counts a user's emails across all networks.
    limits: [{ limit: 10 }, { limit: 10, key: ({ ip, userId }) => userId || ip, quiet: true }],
    params: {
      teamId,
      email: optional(emailAddress({ allowEmpty: true }), ''),
      userId: optional(uid(), ''),
      phone: optional(phoneNumber({ allowEmpty: true }), ''),
      roles: required(teamRoles(81)),
      url: optional(redirectUrl(kernel), ''),
      name: optional(text(128), ''),
    },
    async handle({ params, caller, request }) {
      const { userId, email, phone, name, roles, url } = params;
      const isClient = !caller.privileged;
      if (isClient && url === '') throw new AppwriteError('general_argument_invalid', 'URL is required');
      if (userId === '' && email === '' && phone === '') {
        throw new AppwriteError('general_argument_invalid', 'At least one of userId, email, or phone is required');
      }
      if (isClient) requireMail(kernel, 'SMTP is disabled on your Appwrite instance.');
      const team = openTeam(records, caller, params.teamId);
      requireOwner(caller, team.id, 'User is not allowed to send invitations for this team');
      const language = mailLanguage(header(request, 'x-appwrite-locale') ?? kernel.options.mailLocale?.());
      const invitation = { team, roles, url, language, invitee: { userId, email, phone, name } };
      if (isClient && userId === '' && email === '') throw new AppwriteError('general_phone_disabled');
      const membership = await (isClient
        ? requireMail(kernel).write((enqueue) => invited(caller, invitation, enqueue))
        : store.write(() => invited(caller, invitation)));
      events.emit(membershipEvent('create', membership, caller.user?.id));
      return created(membershipJson(membership, CHANGED));
    },
  });

  const accept = route({
    method: 'PATCH',
    path: '/teams/:teamId/memberships/:membershipId/status',
    scope: 'public',
    limits: [WRONG_SECRETS],
    params: { teamId, membershipId: teamId, userId: teamId, secret: required(text(256)) },
    async handle(context) {
      const { id, userId } = invitationOf(context);
      if (!users.byId(userId)?.status) throw new AppwriteError('user_blocked');
      const membership = await store.write(() => {
        invitationOf(context);
        const accepted = records.confirm(id);
        proveAddress(userId, context.caller.sessionId);
        return accepted;
      });
      if (!context.caller.user) {
        const { userEmail: providerUid } = membership;
        const proof = { userId, provider: 'email', providerUid, factors: ['email'] } as const;
        await openSession(kernel, accounts, context, () => proof);
      }
      events.emit(membershipEvent('update.status', membership, userId));
      return ok(membershipJson(membership, CHANGED));
    },
  });

  return [invite, accept];
}

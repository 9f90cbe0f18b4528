/** Invites a user to a team: a key confirms at once, a member's invitation goes by mail (contract, part 2, 6.1). */

import { phone as phoneNumber, redirectUrl } from '../account/params.ts';
import { requireMail } from '../account/tokens/mailed-tokens.ts';
import { digestOf, LONG_SECRET, tokenSecret } from '../account/tokens/secret.ts';
import type { UserRecord } from '../account/user.ts';
import type { Caller } from '../caller.ts';
import { header } from '../http/access/credentials.ts';
import { AppwriteError } from '../http/errors.ts';
import { email as emailAddress, optional, required, text, uid } from '../http/params.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { uniqueId } from '../identifiers.ts';
import { mailLink } from '../mail/link.ts';
import { type MailLanguage, mailLanguage } from '../mail/texts.ts';
import { requireFewMembers } from './bounds.ts';
import { membershipEvent } from './events.ts';
import { teamRoles } from './params.ts';
import { openTeam, requireOwner } from './rights.ts';
import type { TeamsService } from './service.ts';
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
}

export function inviteRoute({ kernel, accounts, records }: TeamsService): Route {
  const { store, events } = kernel;
  const { users } = accounts;
  const alreadyMember = () => new AppwriteError('membership_already_confirmed');

  function byPhone(phone: string): UserRecord | undefined {
    const row = store.prepare('SELECT id FROM users WHERE phone = ?').get(phone);
    return row && users.byId(row.id as string);
  }

  /**
   * Returns the invited user, if they exist. Throws 404 for an unknown id, 409 when id and address belong to different
   * users.
   */
  function find({ userId, email, phone }: Invitee): UserRecord | undefined {
    if (userId === '') return email === '' ? byPhone(phone) : users.byEmail(email);
    const user = users.byId(userId);
    if (!user) throw new AppwriteError('user_not_found', "User with given userId doesn't exist.");
    const differs = email !== '' && email !== user.email ? 'email' : phone !== '' && phone !== user.phone && 'phone';
    if (differs) throw new AppwriteError('user_already_exists', `Given userId and ${differs} doesn't match`);
    return user;
  }

  /** Returns the invited user, or creates one without a password. Call within a write. */
  function findOrMake(invitee: Invitee): UserRecord {
    const { email, phone, name } = invitee;
    const found = find(invitee);
    if (found) return found;
    const made = users.insert({ id: uniqueId(), email, phone, name: name || email || phone });
    return users.change(made.id, { accessedAt: '' });
  }

  function confirmedByKey({ team, invitee, roles }: Invitation): Promise<MembershipRecord> {
    return store.write(() => {
      const user = findOrMake(invitee);
      const open = records.membershipOf(team.id, user.id);
      if (open?.confirmed) throw alreadyMember();
      if (open) return records.confirm(open.id);
      return records.insertMembership({ teamId: team.id, userId: user.id, roles, confirmed: true });
    });
  }

  function mailed(
    { team, invitee, roles }: Invitation,
    caller: Caller,
    url: string,
    language: MailLanguage,
  ): Promise<MembershipRecord> {
    const secret = tokenSecret(LONG_SECRET);
    const digest = digestOf(secret);
    return requireMail(kernel).write((enqueue) => {
      const user = findOrMake(invitee);
      if (user.email === '') throw new AppwriteError('general_phone_disabled');
      const open = records.membershipOf(team.id, user.id);
      if (open?.confirmed) throw alreadyMember();
      if (!open) requireFewMembers(kernel.store, caller, team);
      const membership = open
        ? records.inviteAgain(open.id, digest)
        : records.insertMembership({ teamId: team.id, userId: user.id, roles, confirmed: false, secret: digest });
      const parameters = { membershipId: membership.id, userId: user.id, secret, teamId: team.id, teamName: team.name };
      enqueue({
        kind: 'invitation',
        language,
        to: { address: user.email, name: user.name },
        link: mailLink(url, parameters),
        team: team.name,
      });
      return membership;
    });
  }

  return route({
    method: 'POST',
    path: '/teams/:teamId/memberships',
    scope: 'teams.write',
    // Counts a user's mails across all networks.
    limits: [{ limit: 10 }, { limit: 10, key: ({ ip, userId }) => userId || ip, quiet: true }],
    params: {
      teamId: required(uid()),
      email: optional(emailAddress({ allowEmpty: true }), ''),
      userId: optional(uid(), ''),
      phone: optional(phoneNumber({ allowEmpty: true }), ''),
      roles: required(teamRoles(81)),
      url: optional(redirectUrl(kernel), ''),
      name: optional(text(128), ''),
    },
    async handle({ params, caller, request }): Promise<Answer> {
      const { userId, email, phone, name, roles, url } = params;
      const isClient = !caller.privileged;
      if (isClient && url === '') throw new AppwriteError('general_argument_invalid', 'URL is required');
      if (userId === '' && email === '' && phone === '') {
        throw new AppwriteError('general_argument_invalid', 'At least one of userId, email, or phone is required');
      }
      if (isClient) requireMail(kernel, 'SMTP is disabled on your Appwrite instance.');
      const team = openTeam(records, caller, params.teamId);
      requireOwner(caller, team.id, 'User is not allowed to send invitations for this team');
      const invitation = { team, roles, invitee: { userId, email, phone, name } };
      if (isClient && userId === '' && email === '') throw new AppwriteError('general_phone_disabled');
      const membership = isClient
        ? await mailed(invitation, caller, url, mailLanguage(header(request, 'x-appwrite-locale')))
        : await confirmedByKey(invitation);
      events.emit(membershipEvent('create', membership, caller.user?.id));
      return { status: 201, body: membershipJson(membership, CHANGED) };
    },
  });
}

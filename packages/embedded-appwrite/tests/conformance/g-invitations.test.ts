/** G: invitations by mail (contract, part 2, 6.1 and 6.2). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { MISSING_SCOPE, refused } from './expect.ts';
import { mailServer } from './facilities.ts';
import { Http } from './http.ts';
import { line } from './line.ts';
import { freshEmail } from './names.ts';
import { admin, guest, type Person, person } from './people.ts';
import { invited, joined, NOT_FOUND, NOT_OWNER, PAGE, type Team, teamOf } from './teams.ts';

const CONFIRMED = { code: 409, type: 'membership_already_confirmed' };
const MISSING = { code: 404, type: 'membership_not_found' };
const BAD_SECRET = { code: 401, type: 'team_invalid_secret' };
const MISMATCH = { code: 401, type: 'team_invite_mismatch' };

const accept = (by: Http, team: Team, membershipId: string, body: Record<string, unknown>) =>
  by.patch(`${team.membership(membershipId)}/status`, body);

const totalOf = async (team: Team, by: Person) => (await by.http.get(team.path)).is(200).json<Models.Team>().total;

line('G09', 'an owner’s invitation goes by mail and waits', async (context) => {
  const where = await mailServer(context);
  const [u, v, w] = [await person(where), await person(where), await person(where)];
  const team = await teamOf(where, u, { name: 'Röd & blå' });
  const url = `${PAGE}?from=mail#top`;
  const { membership, parameters, link } = await invited(team, u, v.email.toUpperCase(), { url });
  expect(membership).toMatchObject({ userId: v.id, userEmail: v.email, confirm: false, joined: '', roles: ['editor'] });
  expect(parameters).toEqual({
    from: 'mail',
    membershipId: membership.$id,
    userId: v.id,
    secret: expect.stringMatching(/^[0-9a-f]{256}$/),
    teamId: team.id,
    teamName: 'Röd & blå',
  });
  expect(link.href.endsWith('#top')).toBe(true);
  expect(await totalOf(team, u)).toBe(1);
  const body = { email: w.email, roles: [], url: PAGE };
  await refused(
    { code: 400, type: 'general_argument_invalid', message: 'URL is required' },
    u.http.post(team.memberships, { email: w.email, roles: [] }),
  );
  await refused(NOT_FOUND, w.http.post(team.memberships, body), v.http.post(team.memberships, body));
  await joined(where, team, w);
  await refused(
    { ...NOT_OWNER, message: 'User is not allowed to send invitations for this team' },
    w.http.post(team.memberships, { ...body, email: freshEmail() }),
  );
  await refused(
    CONFIRMED,
    u.http.post(team.memberships, body),
    u.http.post(team.memberships, { ...body, email: u.email }),
  );
});

line('G10', 'an open invitation gives no rights; a second one replaces its secret', async (context) => {
  const where = await mailServer(context);
  const [u, v] = [await person(where), await person(where)];
  const team = await teamOf(where, u);
  const first = await invited(team, u, v.email);
  await refused(NOT_FOUND, v.http.get(team.path), v.http.get(team.memberships));
  expect((await v.http.get('/teams')).is(200).json()).toMatchObject({ total: 0 });
  const listed = (await u.http.get(team.memberships)).is(200).json<Models.MembershipList>();
  expect(listed.memberships.map(({ $id, confirm }) => [$id, confirm])).toContainEqual([first.membership.$id, false]);
  const second = await invited(team, u, v.email, { roles: ['other'] });
  expect(second.membership).toMatchObject({ $id: first.membership.$id, roles: ['editor'], confirm: false });
  const body = (secret: string | undefined) => ({ userId: v.id, secret });
  await refused(BAD_SECRET, accept(v.http, team, first.membership.$id, body(first.parameters.secret)));
  (await accept(v.http, team, first.membership.$id, body(second.parameters.secret))).is(200);
  (await v.http.get(team.path)).is(200);
});

line('G11', 'an invitation is accepted by whom it is for, once', async (context) => {
  const where = await mailServer(context);
  const [u, v, w] = [await person(where), await person(where), await person(where)];
  const [team, other] = [await teamOf(where, u), await teamOf(where, u)];
  const { membership, parameters } = await invited(team, u, v.email);
  const id = membership.$id;
  const good = { userId: v.id, secret: parameters.secret };
  await refused(MISSING, accept(v.http, team, 'unknown', good));
  await refused(NOT_FOUND, v.http.patch(`/teams/unknown/memberships/${id}/status`, good));
  await refused({ code: 404, type: 'team_membership_mismatch' }, accept(v.http, other, id, good));
  await refused(BAD_SECRET, accept(v.http, team, id, { ...good, secret: 'wrong' }));
  await refused(
    { ...MISMATCH, message: `Invite does not belong to current user (${v.email})` },
    accept(v.http, team, id, { ...good, userId: w.id }),
  );
  await refused(MISMATCH, accept(w.http, team, id, good));
  await refused(MISSING_SCOPE, accept(admin(where).http, team, id, good));
  const answer = (await accept(v.http, team, id, good)).is(200);
  expect(answer.json()).toMatchObject({ $id: id, userId: v.id, confirm: true, roles: ['editor'] });
  expect(answer.cookies).toEqual([]);
  expect(await totalOf(team, u)).toBe(2);
  expect((await v.http.get('/account')).is(200).json()).toMatchObject({ emailVerification: true });
  await refused(CONFIRMED, accept(v.http, team, id, good));
});

line('G12', 'a guest who accepts is signed in', async (context) => {
  const where = await mailServer(context);
  const u = await person(where);
  const team = await teamOf(where, u);
  const email = freshEmail();
  const { membership, parameters } = await invited(team, u, email, { name: 'Nan' });
  later(() => admin(where).http.delete(`/users/${membership.userId}`));
  const body = { userId: membership.userId, secret: parameters.secret };
  const answer = (await accept(guest(where).http, team, membership.$id, body)).is(200);
  expect(answer.json()).toMatchObject({ confirm: true, userName: 'Nan', userEmail: email });
  const name = `a_session_${where.projectId}`;
  const cookie = answer.cookie(name)?.value ?? '';
  expect(answer.cookie(`${name}_legacy`)?.value).toBe(cookie);
  expect(answer.header('x-fallback-cookies')).toContain(name);
  const own = Http.to(where, { cookie: `${name}=${cookie}` });
  expect((await own.get('/account')).is(200).json()).toMatchObject({ name: 'Nan', emailVerification: true });
  const session = (await own.get('/account/sessions/current')).is(200).json<Models.Session>();
  expect(session).toMatchObject({ provider: 'email', factors: ['email'], current: true });
});

line('G13', 'an invitation can be revoked, and confirmed by key', async (context) => {
  const where = await mailServer(context);
  const [u, v, w] = [await person(where), await person(where), await person(where)];
  const team = await teamOf(where, u);
  const revoked = await invited(team, u, v.email);
  (await u.http.delete(team.membership(revoked.membership.$id))).is(204);
  const body = { userId: v.id, secret: revoked.parameters.secret };
  await refused(MISSING, accept(v.http, team, revoked.membership.$id, body));
  expect(await totalOf(team, u)).toBe(1);
  const open = await invited(team, u, w.email, { roles: ['asked'] });
  const confirmed = await joined(where, team, w, ['given']);
  expect(confirmed).toMatchObject({ $id: open.membership.$id, confirm: true, roles: ['asked'] });
  (await w.http.get(team.path)).is(200);
});

import type { Teams } from 'appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { refused } from './expect.ts';
import { line } from './line.ts';
import { linkOf, mailTo, parameter } from './mailbox.ts';
import { fresh } from './names.ts';
import { admin, type Person, person } from './people.ts';
import { browser27 } from './sdk.ts';
import type { Server } from './server.ts';
import { mailServerIfAny, NOT_FOUND, PAGE } from './teams.ts';

/** Both SDK generations have these methods; only their private members differ, which the compiler rejects. */
function teamsOf(where: Server, { web, session }: Person, generation: number): Teams {
  return generation === 28 ? web.teams : (browser27(where, { session }).teams as unknown as Teams);
}

line('G28', 'both SDKs and the server’s live with a team from beginning to end', async () => {
  const { where, sendsMail } = mailServerIfAny();
  const { node, http } = admin(where);
  const [u, v] = [await person(where), await person(where)];
  for (const generation of [27, 28]) {
    const [owner, member] = [u, v].map((who) => teamsOf(where, who, generation)) as [Teams, Teams];
    const teamId = fresh('team');
    later(() => http.delete(`/teams/${teamId}`));
    expect(await owner.create({ teamId, name: 'Crew', roles: ['lead'] })).toMatchObject({ $id: teamId, total: 1 });
    expect((await owner.list({ search: teamId })).total).toBe(1);
    expect(await owner.updateName({ teamId, name: 'Band' })).toMatchObject({ name: 'Band' });
    expect(await owner.updatePrefs({ teamId, prefs: { colour: 'red' } })).toEqual({ colour: 'red' });
    let membershipId: string;
    if (!sendsMail) {
      ({ $id: membershipId } = await node.teams.createMembership({ teamId, userId: v.id, roles: ['dev'] }));
    } else {
      const open = await owner.createMembership({ teamId, email: v.email, roles: ['dev'], url: PAGE });
      membershipId = open.$id;
      const link = linkOf(await mailTo(v.email));
      const [userId, secret] = [parameter(link, 'userId'), parameter(link, 'secret')];
      const accepted = await member.updateMembershipStatus({ teamId, membershipId, userId, secret });
      expect(accepted).toMatchObject({ confirm: true, roles: ['dev'] });
    }
    expect(await member.get({ teamId })).toMatchObject({ total: 2 });
    expect(await member.getPrefs({ teamId })).toEqual({ colour: 'red' });
    expect((await member.listMemberships({ teamId })).total).toBe(2);
    expect(await owner.updateMembership({ teamId, membershipId, roles: ['ops'] })).toMatchObject({ roles: ['ops'] });
    expect(await node.teams.getMembership({ teamId, membershipId })).toMatchObject({ userId: v.id, roles: ['ops'] });
    expect((await node.users.listMemberships({ userId: v.id })).memberships).toMatchObject([{ teamId }]);
    await member.deleteMembership({ teamId, membershipId });
    await refused(NOT_FOUND, member.get({ teamId }));
    await owner.delete({ teamId });
    await refused(NOT_FOUND, node.teams.get({ teamId }));
  }
});

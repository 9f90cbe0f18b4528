/** M: webhook events of users and their factors (contract, part 2, 7). */
import { expect } from 'vitest';
import { anotherSession, challenge } from './factors.ts';
import { line, server } from './line.ts';
import { admin, person } from './people.ts';
import { hook, receiver } from './webhook-receiver.ts';

line('M13', 'webhooks hear of factors, challenges, labels, status, sessions and the end', async (context) => {
  const target = await receiver();
  const { http } = admin(server());
  const u = await person(server());
  const other = await anotherSession(server(), u);
  await hook(context, target.url, ['users.*']);
  const told = async () => {
    const { headers, body } = await target.next();
    const names = String(headers['x-appwrite-webhook-events']).split(',');
    return { names, body: JSON.parse(body.toString()), user: headers['x-appwrite-webhook-user-id'] ?? '' };
  };
  const user = `users.${u.id}`;
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  const turned = await told();
  const names = [`${user}.update`, `${user}.update.mfa`, 'users.*.update.mfa', user, 'users.*'];
  expect(turned.names).toEqual(expect.arrayContaining(names));
  expect(turned).toMatchObject({ body: { $id: u.id, mfa: true }, user: u.id });
  const id = await challenge(u.http, 'totp');
  const asked = await told();
  expect(asked.names[0]).toBe(`${user}.challenges.${id}.create`);
  expect(asked.names).toHaveLength(10);
  expect(asked).toMatchObject({ body: { $id: id, userId: u.id }, user: u.id });
  (await http.put(`/users/${u.id}/labels`, { labels: ['vip'] })).is(200);
  expect((await told()).names).toContain(`${user}.update.labels`);
  (await http.patch(`/users/${u.id}/status`, { status: false })).is(200);
  const blocked = await told();
  expect(blocked.names).toContain(`${user}.update.status`);
  expect(blocked).toMatchObject({ body: { status: false }, user: '' });
  (await http.delete(`/users/${u.id}/sessions/${other.sessionId}`)).is(204);
  expect((await told()).names[0]).toBe(`${user}.sessions.${other.sessionId}.delete`);
  (await http.delete(`/users/${u.id}`)).is(204);
  const gone = await told();
  expect(gone.names[0]).toBe(`${user}.delete`);
  expect(gone.body).toMatchObject({ $id: u.id });
});

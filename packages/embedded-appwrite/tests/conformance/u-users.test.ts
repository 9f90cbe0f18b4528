/** U: the users API for keys (contract 2.2). */
import { type Models, Query } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { GUEST_WITHOUT_ACCOUNT, invalid, MISSING_SCOPE, refused } from './expect.ts';
import { line, server } from './line.ts';
import { fresh, freshEmail } from './names.ts';
import { admin, guest, PASSWORD, person, signIn } from './people.ts';
import { collection, database, document } from './schema.ts';
import { node } from './sdk.ts';

const UNKNOWN = { code: 404, type: 'user_not_found', message: 'User with the requested ID could not be found.' };

line('U01', 'a user can be made from an id alone; his e-mail is empty', async () => {
  const { http, node } = admin(server());
  const [raw, sdk] = [fresh('user'), fresh('user')];
  for (const id of [raw, sdk]) later(() => http.delete(`/users/${id}`));
  const expected = { email: '', phone: '', name: '', status: true, labels: [], prefs: {}, targets: [] };
  expect((await http.post('/users', { userId: raw })).is(201).json()).toMatchObject({ $id: raw, ...expected });
  expect(await node.users.create({ userId: sdk })).toMatchObject({ $id: sdk, ...expected });
});

line('U02', 'users are listed with a total, by queries and by search', async () => {
  const { http, node } = admin(server());
  const [first, second] = [await person(server()), await person(server())];
  const all = (await http.get('/users')).is(200).json<Models.UserList>();
  expect(all.total).toBeGreaterThanOrEqual(2);
  expect(all.users.length).toBeGreaterThanOrEqual(2);
  const query = JSON.stringify({ method: 'equal', attribute: 'email', values: [first.email, second.email] });
  const two = (await http.get('/users', { query: { queries: [query] } })).is(200).json<Models.UserList>();
  expect(two.total).toBe(2);
  expect(two.users.map(({ $id }) => $id).sort()).toEqual([first.id, second.id].sort());
  const one = await node.users.list({ queries: [Query.equal('email', [first.email])] });
  expect(one).toMatchObject({ total: 1, users: [{ $id: first.id }] });
  const found = await node.users.list({ search: second.email });
  expect(found.users.map(({ $id }) => $id)).toContain(second.id);
  const [word, third] = [fresh('word').replaceAll('-', ''), fresh('user')];
  later(() => http.delete(`/users/${third}`));
  (await http.post('/users', { userId: third, email: `${word}@example.com` })).is(201);
  const any = await node.users.list({ search: `nobodyelse ${word}` });
  expect(any.users.map(({ $id }) => $id)).toEqual([third]);
  expect((await node.users.list({ search: word.slice(1) })).users).toEqual([]);
  await refused(
    { ...invalid('queries'), message: /^Invalid `queries` param: Invalid query: Attribute not found in schema: zzz/ },
    http.get('/users', { query: { queries: ['{"method":"equal","attribute":"zzz","values":["x"]}'] } }),
    node.users.list({ queries: [Query.equal('zzz', ['x'])] }),
  );
});

line('U03', 'an unknown user is 404; guests and users may not ask at all', async () => {
  const { http, node } = admin(server());
  const { id, http: own } = await person(server());
  await refused(UNKNOWN, http.get('/users/nobody'), node.users.get({ userId: 'nobody' }));
  await refused(MISSING_SCOPE, own.get(`/users/${id}`), own.get('/users'), guest(server()).http.get(`/users/${id}`));
  await refused({ ...MISSING_SCOPE, message: /role: guests/ }, guest(server()).node.users.list());
  await refused({ ...MISSING_SCOPE, message: /role: users/ }, own.post('/users', { userId: fresh('user') }));
});

line('U05', 'a status of false blocks; true makes the old session work again', async () => {
  const { http, node } = admin(server());
  const { id, http: own } = await person(server());
  const blocked = (await http.patch(`/users/${id}/status`, { status: false })).is(200).json<Models.User>();
  expect(blocked.status).toBe(false);
  await refused({ code: 403, type: 'user_blocked' }, own.get('/account'), own.get('/account/prefs'));
  expect((await node.users.updateStatus({ userId: id, status: true })).status).toBe(true);
  (await own.get('/account')).is(200);
});

line('U06', 'a label gives a role that permissions can name; labels are alphanumeric', async () => {
  const { http, node } = admin(server());
  const [vip, other] = [await person(server()), await person(server())];
  const body = { labels: ['vip', 'vip', 'b2'] };
  const user = (await http.put(`/users/${vip.id}/labels`, body)).is(200).json<Models.User>();
  expect(user.labels).toEqual(['vip', 'b2']);
  expect((await node.users.updateLabels({ userId: vip.id, labels: ['vip'] })).labels).toEqual(['vip']);
  const lounge = await collection(server(), await database(server()), { permissions: ['read("label:vip")'] });
  const { $id } = await document(server(), lounge);
  (await vip.http.get(lounge.document($id))).is(200);
  await vip.web.databases.getDocument({ ...lounge.ids, documentId: $id });
  await refused({ code: 404, type: 'document_not_found' }, other.http.get(lounge.document($id)));
  await refused(
    invalid('labels'),
    http.put(`/users/${vip.id}/labels`, { labels: ['v-ip'] }),
    node.users.updateLabels({ userId: vip.id, labels: ['v-ip'] }),
  );
});

line('U07', 'a key opens a session for a user and sees its secret', async () => {
  const { http, node: sdk } = admin(server());
  const { id } = await person(server());
  const raw = (await http.post(`/users/${id}/sessions`)).is(201).json<Models.Session>();
  for (const session of [raw, await sdk.users.createSession({ userId: id })]) {
    expect(session).toMatchObject({ userId: id, provider: 'server' });
    expect((await node(server(), { session: session.secret }).account.get()).$id).toBe(id);
  }
  expect((await sdk.users.listSessions({ userId: id })).total).toBe(3);
});

line('U08', 'deleting a user makes his sessions a guest’s', async () => {
  const { http, node } = admin(server());
  const [first, second] = [await person(server()), await person(server())];
  (await http.delete(`/users/${first.id}`)).is(204);
  await node.users.delete({ userId: second.id });
  await refused(GUEST_WITHOUT_ACCOUNT, first.http.get('/account'), second.web.account.get());
  await refused(UNKNOWN, http.get(`/users/${first.id}`), http.delete(`/users/${second.id}`));
});

line('U09', 'a key sees the argon2id hash of a password, the user himself does not', async () => {
  const { http, node } = admin(server());
  const who = { id: fresh('user'), email: freshEmail(), password: PASSWORD };
  later(() => http.delete(`/users/${who.id}`));
  const { id: userId, email, password } = who;
  const seen = [(await http.post('/users', { userId, email, password })).is(201).json<Models.User>()];
  seen.push((await http.get(`/users/${who.id}`)).is(200).json<Models.User>());
  seen.push(await node.users.get({ userId: who.id }));
  for (const user of seen) {
    expect(user.password).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/);
    expect(user.hash).toBe('argon2');
    expect(user.hashOptions).toBeTypeOf('object');
  }
  const { http: own } = await signIn(server(), who);
  const answer = (await own.get('/account')).is(200);
  for (const field of ['password', 'hash', 'hashOptions']) expect(answer.json()).not.toHaveProperty(field);
  const name = freshEmail();
  expect((await own.patch('/account/name', { name })).is(200).text).not.toContain('$argon2');
});

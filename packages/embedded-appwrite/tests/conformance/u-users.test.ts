/** U: the users API, which requires a server key (contract 2.2). */
import { type Models, Query } from 'node-appwrite';
import { invalid, MISSING_SCOPE, NO_USER, refused } from './expect.ts';
import { expect, test } from './kit.ts';
import { fresh, freshEmail } from './names.ts';
import { forget, logIn, PASSWORD, server, signedIn } from './people.ts';
import { node as sdkOf } from './sdk.ts';

test('U01 a user can be made from an id alone; his e-mail is empty', async ({ key: { http, node } }) => {
  const [raw, sdk] = [fresh('user'), fresh('user')];
  for (const id of [raw, sdk]) forget(id);
  const expected = { email: '', phone: '', name: '', status: true, labels: [], prefs: {}, targets: [] };
  expect(await http.post('/users', { userId: raw }).json(201)).toMatchObject({ $id: raw, ...expected });
  expect(await node.users.create({ userId: sdk })).toMatchObject({ $id: sdk, ...expected });
});

test('U02 users are listed with a total, by queries and by search', async ({ ann, bob, key: { http, node } }) => {
  const ids = ({ users }: Models.UserList) => users.map(({ $id }) => $id);
  const list = (query?: string) => http.get('/users', query ? { query: { queries: [query] } } : {});
  const all = await list().json<Models.UserList>();
  expect(Math.min(all.total, all.users.length)).toBeGreaterThanOrEqual(2);
  const two = await list(Query.equal('email', [ann.email, bob.email])).json<Models.UserList>();
  expect([two.total, ...ids(two).sort()]).toEqual([2, ...[ann.id, bob.id].sort()]);
  const one = await node.users.list({ queries: [Query.equal('email', [ann.email])] });
  expect(one).toMatchObject({ total: 1, users: [{ $id: ann.id }] });
  const search = async (search: string) => ids(await node.users.list({ search }));
  expect(await search(bob.email)).toContain(bob.id);
  const [word, third] = [fresh('word').replaceAll('-', ''), fresh('user')];
  forget(third);
  await http.post('/users', { userId: third, email: `${word}@example.com` }).is(201);
  expect(await search(`nobodyelse ${word}`)).toEqual([third]);
  expect(await search(word.slice(1))).toEqual([]);
  await refused(invalid('queries', /Attribute not found in schema: zzz/), list(Query.equal('zzz', ['x'])));
});

test('U03 an unknown user is 404; guests and users may not ask at all', async ({ ann, guest, key }) => {
  await refused(NO_USER, key.http.get('/users/nobody'), key.node.users.get({ userId: 'nobody' }));
  const own = `/users/${ann.id}`;
  const byUser = [ann.http.get(own), ann.http.get('/users'), ann.http.post('/users', { userId: fresh('user') })];
  await refused({ ...MISSING_SCOPE, message: /role: users/ }, ...byUser);
  await refused({ ...MISSING_SCOPE, message: /role: guests/ }, guest.http.get(own), guest.http.get('/users'));
});

test('U07 a key opens a session for a user and sees its secret', async ({ ann: { id }, key: { http, node } }) => {
  const raw = await http.post(`/users/${id}/sessions`).json<Models.Session>(201);
  for (const session of [raw, await node.users.createSession({ userId: id })]) {
    expect(session).toMatchObject({ userId: id, provider: 'server' });
    expect((await sdkOf(server(), { session: session.secret }).account.get()).$id).toBe(id);
  }
  expect((await node.users.listSessions({ userId: id })).total).toBe(3);
});

test('U09 a key sees the argon2id hash of a password, the user himself does not', async ({ key: { http, node } }) => {
  const [userId, email] = [fresh('user'), freshEmail()];
  forget(userId);
  const made = await http.post('/users', { userId, email, password: PASSWORD }).json<Models.User>(201);
  const read = await http.get(`/users/${userId}`).json<Models.User>();
  for (const user of [made, read, await node.users.get({ userId })]) {
    expect(user.password).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/);
    expect(user.hash).toBe('argon2');
    expect(user.hashOptions).toBeTypeOf('object');
  }
  const own = signedIn(await logIn(email, PASSWORD).is(201));
  const seen = await own.get('/account').json();
  for (const field of ['password', 'hash', 'hashOptions']) expect(seen).not.toHaveProperty(field);
  expect((await own.patch('/account/name', { name: 'Ann' }).is(200)).text).not.toContain('$argon2');
});

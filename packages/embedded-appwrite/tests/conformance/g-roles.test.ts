/** G: roles from teams and labels (contract, part 2, 6.3). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { invalid, refused } from './expect.ts';
import { bucket, stored, upload } from './files.ts';
import { Http } from './http.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { document, type Row, schema } from './schema.ts';
import { joined, listeningAs, NOT_FOUND, teamOf } from './teams.ts';

const db = once(() => schema(server()));
const UNSEEN = { code: 404, type: 'document_not_found' };

line('G18', 'a membership opens what its roles may read, and no longer than it lasts', async () => {
  const { sec } = await db();
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const { http } = admin(server());
  const { jwt } = (await v.http.post('/account/jwts')).is(201).json<Models.Jwt>();
  const byJwt = Http.to(server(), { 'x-appwrite-jwt': jwt });
  const mark = Math.floor(Math.random() * 1e9);
  const ofTeam = await document(server(), sec, { n: mark }, [`read("team:${team.id}")`]);
  const ofRole = await document(server(), sec, { n: mark }, [`read("team:${team.id}/dev")`]);
  await document(server(), sec, { n: mark }, [`read("team:${team.id}/other")`]);
  const query = { queries: [JSON.stringify({ method: 'equal', attribute: 'n', values: [mark] })] };
  const listed = async (by: Http) => {
    const { total, documents } = (await by.get(sec.documents, { query })).is(200).json<Models.DocumentList>();
    expect(total).toBe(documents.length);
    return documents.map(({ $id }) => $id);
  };
  for (const by of [v.http, byJwt]) expect(await listed(by)).toEqual([]);
  const membership = await joined(server(), team, v, ['dev']);
  const ofMember = await document(server(), sec, { n: mark }, [`read("member:${membership.$id}")`]);
  const open = [ofTeam.$id, ofRole.$id, ofMember.$id];
  for (const by of [v.http, byJwt]) {
    expect(await listed(by)).toEqual(open);
    for (const id of open) (await by.get(sec.document(id))).is(200);
  }
  expect(await listed(u.http)).toEqual([ofTeam.$id]);
  (await u.http.patch(team.membership(membership.$id), { roles: [] })).is(200);
  expect(await listed(v.http)).toEqual([ofTeam.$id, ofMember.$id]);
  (await http.delete(team.membership(membership.$id))).is(204);
  for (const by of [v.http, byJwt]) {
    expect(await listed(by)).toEqual([]);
    await refused(UNSEEN, by.get(sec.document(ofTeam.$id)), by.get(sec.document(ofMember.$id)));
  }
});

line('G19', 'a user grants the roles he holds, and only roles that there can be', async () => {
  const { sec } = await db();
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const { $id } = await joined(server(), team, v, ['dev']);
  const write = (by: Http, role: string) =>
    by.post(sec.documents, { documentId: fresh('doc'), data: { title: 'x' }, permissions: [`read("${role}")`] });
  for (const role of [`team:${team.id}`, `team:${team.id}/dev`, `member:${$id}`]) {
    (await write(v.http, role)).is(201);
  }
  await refused(
    { code: 401, type: 'user_unauthorized', message: /^Permissions must be one of: \(any, users, / },
    write(v.http, `team:${team.id}/owner`),
    write(v.http, 'team:other'),
    write(v.http, 'member:other'),
    write(v.http, 'label:vip'),
  );
  await refused({ code: 401, type: 'user_unauthorized' }, write(guest(server()).http, `team:${team.id}`));
  const faults: [string, RegExp][] = [
    ['team', /Role "team" must have an ID value\.(?: or null)?$/],
    ['team:', /Role "team" must have an ID value\.(?: or null)?$/],
    [`team:${'x'.repeat(37)}`, /Role "team" identifier value is invalid: /],
    ['team:t/-x', /Role "team" dimension value is invalid: Parameter must contain at most 81 chars/],
    [`team:t/${'x'.repeat(82)}`, /Role "team" dimension value is invalid: Parameter must contain at most 81 chars/],
    ['team:t/', /Dimension must not be empty(?: or null)?$/],
    ['team:t/a/b', /Only one dimension can be provided(?: or null)?$/],
    ['member:m/x', /Role "member" can not have a dimension value\.(?: or null)?$/],
    ['label:v-ip', /Role "label" identifier value is invalid: Value must be a valid string between 1 and 36 chars/],
    ['label', /Role "label" must have an ID value\.(?: or null)?$/],
  ];
  for (const [role, text] of faults) {
    const rule = invalid('permissions');
    const { http } = admin(server());
    await refused({ ...rule, message: text }, write(http, role));
  }
  (await write(admin(server()).http, 'team:nobody/knows')).is(201);
});

line('G20', 'team roles open files, and buckets', async () => {
  const [u, v, w] = [await person(server()), await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  await joined(server(), team, v, ['dev']);
  const { http } = admin(server());
  const where = await bucket(server(), { fileSecurity: true, permissions: [`create("team:${team.id}/dev")`] });
  const file = await stored(http, where, { permissions: [`read("team:${team.id}")`] });
  const path = `${where.files}/${file.$id}`;
  for (const who of [u, v]) {
    for (const part of ['', '/view', '/download']) (await who.http.get(path + part)).is(200);
    expect((await who.http.get(where.files)).is(200).json()).toMatchObject({ total: 1 });
  }
  for (const by of [w.http, guest(server()).http]) {
    const hidden = { code: 404, type: 'storage_file_not_found' };
    await refused(hidden, by.get(path), by.get(`${path}/view`), by.get(`${path}/download`));
    expect((await by.get(where.files)).is(200).json()).toMatchObject({ total: 0 });
  }
  (await upload(v.http, where, { permissions: [`read("team:${team.id}/dev")`] })).is(201);
  await refused({ code: 401, type: 'user_unauthorized' }, upload(w.http, where), upload(u.http, where));
});

line('G21', 'a deleted team takes its rights along', async () => {
  const { sec } = await db();
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const { $id } = await joined(server(), team, v);
  const row = await document(server(), sec, {}, [`read("team:${team.id}")`, `read("member:${$id}")`]);
  (await v.http.get(sec.document(row.$id))).is(200);
  (await u.http.delete(team.path)).is(204);
  await refused(UNSEEN, v.http.get(sec.document(row.$id)), u.http.get(sec.document(row.$id)));
  const { http } = admin(server());
  for (const { id } of [u, v]) {
    expect((await http.get(`/users/${id}/memberships`)).is(200).json()).toMatchObject({ total: 0 });
  }
  await refused(NOT_FOUND, u.http.delete(team.path), http.delete(team.path), http.get(team.memberships));
});

line('G27', 'labels of 36 characters count on the next request, on sockets opened later', async () => {
  const { sec } = await db();
  const v = await person(server());
  const { http } = admin(server());
  const label = (labels: readonly string[]) => http.put(`/users/${v.id}/labels`, { labels });
  const [longest, thousand] = ['x'.repeat(36), Array.from({ length: 1000 }, (_, i) => `l${i}`)];
  expect((await label([longest])).is(200).json<Models.User>().labels).toEqual([longest]);
  await refused(invalid('labels'), label([...thousand, 'more']), label(['x'.repeat(37)]));
  const row = await document(server(), sec, {}, ['read("label:vip")', 'update("label:vip")']);
  await refused(UNSEEN, v.http.get(sec.document(row.$id)));
  (await label(['vip'])).is(200);
  (await v.http.get(sec.document(row.$id))).is(200);
  const socket = await listeningAs(server(), v, 'documents');
  const changed = (await http.patch(sec.document(row.$id), { data: { n: 1 } })).is(200).json<Row>();
  expect((await socket.event()).payload).toEqual(changed);
  (await label([])).is(200);
  await refused(UNSEEN, v.http.get(sec.document(row.$id)));
  const without = await listeningAs(server(), v, 'documents');
  (await http.patch(sec.document(row.$id), { data: { n: 2 } })).is(200);
  await without.quiet();
});

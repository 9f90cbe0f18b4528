/** R: events, their recipients and their payloads (contract 2.6). */
import { Query } from 'appwrite';
import { DATE } from './expect.ts';
import { bucket, CHUNK, chunkHeaders, noise, stored } from './files.ts';
import { expect, test } from './kit.ts';
import { fresh } from './names.ts';
import { type Collection, collection, document, owner, type Row } from './schema.ts';
import { channelOf, type Fault, Socket } from './sockets.ts';

const listening = (where: Collection, queries?: readonly string[]) => Socket.on([channelOf(where)], undefined, queries);

test('R07 R10 R11 a guest hears of a document that anyone may read, by all its channels and names', async ({ pub }) => {
  const socket = await listening(pub);
  const row = await document(pub);
  const event = await socket.event();
  expect(event).toMatchObject({ payload: row, subscriptions: ['s'], timestamp: DATE });
  const { $id } = row;
  const { databaseId: d, collectionId: c } = pub;
  const lists = [channelOf(pub), `databases.${d}.tables.${c}.rows`, `tablesdb.${d}.tables.${c}.rows`];
  const channels = ['documents', 'rows', ...lists, ...lists.map((channel) => `${channel}.${$id}`)];
  expect([...event.channels].sort()).toEqual(channels.flatMap((channel) => [channel, `${channel}.create`]).sort());
  expect(event.events[0]).toBe(`${channelOf(pub)}.${$id}.create`);
  const documents = [$id, '*'].flatMap((id) => [id, `${id}.create`]);
  const inside = [c, '*'].flatMap((id) => [
    ...[`collections.${id}`, ...documents.map((name) => `collections.${id}.documents.${name}`)],
    ...[`tables.${id}`, ...documents.map((name) => `tables.${id}.rows.${name}`)],
  ]);
  const names = [d, '*'].flatMap((id) => [`databases.${id}`, ...inside.map((name) => `databases.${id}.${name}`)]);
  expect([...event.events].sort()).toEqual(names.sort());
});

test('R08 of a private document only its reader hears', async ({ ann, bob, sec }) => {
  const [anns, bobs] = [await Socket.on([channelOf(sec)], ann), await Socket.on([channelOf(sec)], bob)];
  const guests = await listening(sec);
  const row = await document(sec, {}, owner(ann.id));
  expect((await anns.event()).payload.$id).toBe(row.$id);
  await Promise.all([bobs.quiet(), guests.quiet()]);
});

test('R09 a channel can name one document, and one kind of change', async ({ key: { http }, pub }) => {
  const [watched, other] = [await document(pub), await document(pub)];
  const socket = await Socket.of();
  await socket.subscribe(
    { subscriptionId: 'one', channels: [`${channelOf(pub)}.${watched.$id}`] },
    { subscriptionId: 'updates', channels: [`${channelOf(pub)}.update`] },
  );
  for (const { $id } of [other, watched]) {
    await http.patch(pub.document($id), { data: { n: 1 } }).is(200);
    const event = await socket.event();
    const heard = [event.payload.$id, ...[...event.subscriptions].sort()];
    expect(heard).toEqual($id === other.$id ? [$id, 'updates'] : [$id, 'one', 'updates']);
  }
  await http.delete(pub.document(other.$id)).is(204);
  await http.delete(pub.document(watched.$id)).is(204);
  expect(await socket.event()).toMatchObject({ payload: { $id: watched.$id }, subscriptions: ['one'] });
  await document(pub);
  await socket.quiet();
});

test('R12 the payload is the answer to the change, and the last state of what was deleted', async ({ key, pub }) => {
  const { $id } = await document(pub);
  const socket = await listening(pub);
  const payload = await key.http.patch(pub.document($id), { data: { n: 5 } }).json<Row>();
  await key.http.delete(pub.document($id)).is(204);
  for (const change of ['update', 'delete']) {
    const event = await socket.event();
    expect([event.events[0], event.payload]).toEqual([`${channelOf(pub)}.${$id}.${change}`, payload]);
  }
});

test('R13 PUT is an upsert, whether it creates or updates', async ({ key, pub }) => {
  const socket = await listening(pub);
  const id = fresh('doc');
  for (const title of ['First', 'Second']) {
    await key.http.put(pub.document(id), { data: { title } }).is(200);
    const { events, payload } = await socket.event();
    expect([events[0], payload.title]).toEqual([`${channelOf(pub)}.${id}.upsert`, title]);
  }
});

test('R14 two subscriptions that match are told in one frame', async ({ pub }) => {
  const socket = await Socket.of();
  await socket.subscribe(
    { subscriptionId: 'a', channels: ['documents'] },
    { subscriptionId: 'b', channels: [channelOf(pub), `${channelOf(pub)}.create`] },
  );
  await document(pub);
  expect([...(await socket.event()).subscriptions].sort()).toEqual(['a', 'b']);
  await socket.quiet();
});

test('R15 queries filter by the payload; search is none of them', async ({ pub }) => {
  const socket = await listening(pub, [Query.equal('st', ['a'])]);
  await document(pub, { st: 'b' });
  const wanted = await document(pub, { st: 'a' });
  expect((await socket.event()).payload.$id).toBe(wanted.$id);
  await socket.quiet();
  const queries = [Query.search('title', 'x')];
  socket.send({ type: 'subscribe', data: [{ subscriptionId: 't', channels: ['documents'], queries }] });
  const text =
    /^(Invalid query: Query method 'search' is not supported in Realtime queries\. Allowed: .+|Error: Server Error)$/;
  const error = { code: 1003, message: expect.stringMatching(text) };
  expect((await socket.next<Fault>('error')).data).toMatchObject(error);
});

test('R16 after unsubscribing no event comes; unsubscribing again removes nothing', async ({ pub }) => {
  const socket = await listening(pub);
  for (const removed of [true, false]) {
    const told = { to: 'unsubscribe', success: true, subscriptions: [{ subscriptionId: 's', removed }] };
    expect(await socket.ask('unsubscribe', [{ subscriptionId: 's' }])).toEqual(told);
  }
  await document(pub);
  await socket.quiet();
});

test('R20 the account channel is the own account, and no other', async ({ ann, bob }) => {
  const socket = await Socket.of(ann);
  const data = [{ subscriptionId: 's', channels: ['account', `account.${bob.id}`], queries: [] }];
  const answer = await socket.ask<{ subscriptions: { channels: string[] }[] }>('subscribe', data);
  expect(answer.subscriptions[0]?.channels).not.toContain(`account.${bob.id}`);
  await bob.http.patch('/account/name', { name: 'Bob' }).is(200);
  await ann.http.patch('/account/name', { name: 'Ann' }).is(200);
  const channels = expect.arrayContaining([`account.${ann.id}`]);
  expect(await socket.event()).toMatchObject({ payload: { $id: ann.id, name: 'Ann' }, channels });
  await socket.quiet();
});

test('R21 a file is told once, when its upload is finished', async ({ key: { http } }) => {
  const where = await bucket({ permissions: ['read("any")'] });
  const socket = await Socket.on([`buckets.${where.bucketId}.files`]);
  const small = await stored(http, where);
  const { events, payload } = await socket.event();
  expect([events[0], payload]).toEqual([`buckets.${where.bucketId}.files.${small.$id}.create`, small]);
  const [fileId, bytes] = [fresh('file'), noise(CHUNK + 10)];
  const part = (start: number, id?: string) =>
    stored(http, where, {
      ...{ fileId, name: 'big.bin', bytes: bytes.subarray(start, start + CHUNK) },
      headers: chunkHeaders(start, bytes.length, id),
    });
  await part(0);
  await socket.quiet();
  const whole = await part(CHUNK, fileId);
  expect((await socket.event()).payload).toEqual(whole);
  await socket.quiet();
});

test('R25 without document security the permissions of a document open nothing', async ({ db, prv, pub }) => {
  const users = await collection({ permissions: ['read("users")'] }, db.databaseId);
  const socket = await Socket.on(['documents']);
  for (const closed of [prv, users]) await document(closed, {}, ['read("any")']);
  const row = await document(pub);
  expect((await socket.event()).payload.$id).toBe(row.$id);
  await socket.quiet();
});

/** R: events, their recipients and their payloads (contract 2.6). */
import { Query } from 'appwrite';
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { DATE } from './expect.ts';
import { bucket, CHUNK, chunkHeaders, noise, stored } from './files.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, type Person, person } from './people.ts';
import { type Collection, collection, document, owner, type Row, schema } from './schema.ts';
import { Socket } from './sockets.ts';

const db = once(() => schema(server()));

const channelOf = ({ databaseId, collectionId }: Collection) =>
  `databases.${databaseId}.collections.${collectionId}.documents`;

function socketOf(who: Person): Promise<Socket> {
  return Socket.connected(server(), {
    cookie: `a_session_${server().projectId}=${encodeURIComponent(who.session)}`,
  });
}

/** Opens a guest's socket subscribed to every document of the collection, as subscription `s`. */
async function listening(where: Collection, queries: readonly string[] = []): Promise<Socket> {
  const socket = await Socket.connected(server());
  await socket.subscribe({ subscriptionId: 's', channels: [channelOf(where)], queries });
  return socket;
}

line('R07', 'a guest hears of a document that anyone may read', async () => {
  const { pub } = await db();
  const socket = await listening(pub);
  const row = await document(server(), pub);
  const event = await socket.event();
  expect(event.payload).toEqual(row);
  expect(event.subscriptions).toEqual(['s']);
  expect(event.channels).toContain(channelOf(pub));
  expect(event.events).toContain(`${channelOf(pub)}.${row.$id}.create`);
  expect(event.timestamp).toMatch(DATE);
});

line('R08', 'of a private document only its reader hears', async () => {
  const { sec } = await db();
  const [ann, bob] = [await person(server()), await person(server())];
  const sockets = [await socketOf(ann), await socketOf(bob), await Socket.connected(server())] as const;
  for (const socket of sockets) await socket.subscribe({ channels: [channelOf(sec)] });
  const row = await document(server(), sec, {}, owner(ann.id));
  expect((await sockets[0].event()).payload.$id).toBe(row.$id);
  await Promise.all([sockets[1].quiet(), sockets[2].quiet()]);
});

line('R09', 'a channel can name one document, and one kind of change', async () => {
  const { pub } = await db();
  const [watched, other] = [await document(server(), pub), await document(server(), pub)];
  const socket = await Socket.connected(server());
  await socket.subscribe(
    { subscriptionId: 'one', channels: [`${channelOf(pub)}.${watched.$id}`] },
    { subscriptionId: 'updates', channels: [`${channelOf(pub)}.update`] },
  );
  const { http } = admin(server());
  (await http.patch(pub.document(other.$id), { data: { n: 1 } })).is(200);
  expect(await socket.event()).toMatchObject({ payload: { $id: other.$id }, subscriptions: ['updates'] });
  (await http.patch(pub.document(watched.$id), { data: { n: 1 } })).is(200);
  expect([...(await socket.event()).subscriptions].sort()).toEqual(['one', 'updates']);
  (await http.delete(pub.document(other.$id))).is(204);
  (await http.delete(pub.document(watched.$id))).is(204);
  expect(await socket.event()).toMatchObject({ payload: { $id: watched.$id }, subscriptions: ['one'] });
  await document(server(), pub);
  await socket.quiet();
});

line('R10', 'an event of a document is told on sixteen channels', async () => {
  const { pub } = await db();
  const socket = await listening(pub);
  const { $id } = await document(server(), pub);
  const [rows, tables] = [`databases.${pub.databaseId}.tables`, `tablesdb.${pub.databaseId}.tables`];
  const channels = [
    ...['documents', channelOf(pub), `${channelOf(pub)}.${$id}`],
    ...['rows', `${rows}.${pub.collectionId}.rows`, `${rows}.${pub.collectionId}.rows.${$id}`],
    ...[`${tables}.${pub.collectionId}.rows`, `${tables}.${pub.collectionId}.rows.${$id}`],
  ];
  const told = [...(await socket.event()).channels].sort();
  expect(told).toEqual([...channels, ...channels.map((channel) => `${channel}.create`)].sort());
  expect(told).toHaveLength(16);
});

line('R11', 'the first event name is the concrete one; wildcards and rows follow', async () => {
  const { pub } = await db();
  const socket = await listening(pub);
  const { $id } = await document(server(), pub);
  const { databaseId: d, collectionId: c } = pub;
  const { events } = await socket.event();
  expect(events[0]).toBe(`databases.${d}.collections.${c}.documents.${$id}.create`);
  expect(events).toEqual(
    expect.arrayContaining([
      ...[`databases.${d}.tables.${c}.rows.${$id}.create`, `databases.${d}.collections.${c}.documents.*.create`],
      ...['databases.*.collections.*.documents.*.create', 'databases.*.collections.*.documents.*'],
      ...[`databases.*.tables.*.rows.${$id}.create`, 'databases.*.tables.*.rows.*', `databases.${d}`, 'databases.*'],
      ...[
        `databases.${d}.collections.${c}`,
        `databases.${d}.tables.*`,
        `databases.${d}.collections.${c}.documents.${$id}`,
      ],
    ]),
  );
  expect(new Set(events).size).toBe(events.length);
});

line('R12', 'the payload is the answer to the change, and the last state of what was deleted', async () => {
  const { pub } = await db();
  const made = await document(server(), pub);
  const socket = await listening(pub);
  const { http } = admin(server());
  const answer = (await http.patch(pub.document(made.$id), { data: { n: 5 } })).is(200).json<Row>();
  const updated = await socket.event();
  expect(updated.events[0]).toBe(`${channelOf(pub)}.${made.$id}.update`);
  expect(updated.payload).toEqual(answer);
  (await http.delete(pub.document(made.$id))).is(204);
  const deleted = await socket.event();
  expect(deleted.events[0]).toBe(`${channelOf(pub)}.${made.$id}.delete`);
  expect(deleted.payload).toEqual(answer);
});

line('R13', 'PUT is an upsert, whether it creates or updates', async () => {
  const { pub } = await db();
  const socket = await listening(pub);
  const id = fresh('doc');
  for (const title of ['First', 'Second']) {
    (await admin(server()).http.put(pub.document(id), { data: { title } })).is(200);
    const { events, payload } = await socket.event();
    expect(events[0]).toBe(`${channelOf(pub)}.${id}.upsert`);
    expect(payload.title).toBe(title);
  }
});

line('R14', 'two subscriptions that match are told in one frame', async () => {
  const { pub } = await db();
  const socket = await Socket.connected(server());
  await socket.subscribe(
    { subscriptionId: 'a', channels: ['documents'] },
    { subscriptionId: 'b', channels: [channelOf(pub), `${channelOf(pub)}.create`] },
  );
  await document(server(), pub);
  expect([...(await socket.event()).subscriptions].sort()).toEqual(['a', 'b']);
  await socket.quiet();
});

line('R15', 'queries filter by the payload; search is none of them', async () => {
  const { pub } = await db();
  const socket = await listening(pub, [Query.equal('st', ['a'])]);
  await document(server(), pub, { st: 'b' });
  const wanted = await document(server(), pub, { st: 'a' });
  expect((await socket.event()).payload.$id).toBe(wanted.$id);
  await socket.quiet();
  const query = Query.search('title', 'x');
  socket.send({ type: 'subscribe', data: [{ subscriptionId: 't', channels: ['documents'], queries: [query] }] });
  const { data } = await socket.next<{ code: number; message: string }>('error');
  expect(data.code).toBe(1003);
  expect(data.message).toMatch(
    /^(Invalid query: Query method 'search' is not supported in Realtime queries\. Allowed: .+|Error: Server Error)$/,
  );
});

line('R16', 'after unsubscribing no event comes; unsubscribing again removes nothing', async () => {
  const { pub } = await db();
  const socket = await listening(pub);
  const told = (removed: boolean) => ({
    to: 'unsubscribe',
    success: true,
    subscriptions: [{ subscriptionId: 's', removed }],
  });
  expect(await socket.ask('unsubscribe', [{ subscriptionId: 's' }])).toEqual(told(true));
  expect(await socket.ask('unsubscribe', [{ subscriptionId: 's' }])).toEqual(told(false));
  await document(server(), pub);
  await socket.quiet();
});

line('R20', 'the account channel is the own account, and no other', async () => {
  const [ann, bob] = [await person(server()), await person(server())];
  const socket = await socketOf(ann);
  const data = [{ subscriptionId: 's', channels: ['account', `account.${bob.id}`], queries: [] }];
  const answer = await socket.ask<{ subscriptions: { channels: string[] }[] }>('subscribe', data);
  expect(answer.subscriptions[0]?.channels).not.toContain(`account.${bob.id}`);
  (await bob.http.patch('/account/name', { name: 'Bob' })).is(200);
  (await ann.http.patch('/account/name', { name: 'Ann' })).is(200);
  const { payload, channels } = await socket.event();
  expect(payload).toMatchObject({ $id: ann.id, name: 'Ann' });
  expect(channels).toContain(`account.${ann.id}`);
  await socket.quiet();
});

line('R21', 'a file is told once, when its upload is finished', async () => {
  const where = await bucket(server(), { permissions: ['read("any")'] });
  const { http } = admin(server());
  const socket = await Socket.connected(server());
  await socket.subscribe({ channels: [`buckets.${where.bucketId}.files`] });
  const small = await stored(http, where);
  const first = await socket.event();
  expect(first.events[0]).toBe(`buckets.${where.bucketId}.files.${small.$id}.create`);
  expect(first.payload).toEqual(small);
  const [fileId, bytes] = [fresh('file'), noise(CHUNK + 10)];
  const part = (start: number, id?: string): Promise<Models.File> =>
    stored(http, where, {
      fileId,
      name: 'big.bin',
      bytes: bytes.subarray(start, start + CHUNK),
      headers: chunkHeaders(start, bytes.length, id),
    });
  await part(0);
  await socket.quiet();
  const whole = await part(CHUNK, fileId);
  expect((await socket.event()).payload).toEqual(whole);
  await socket.quiet();
});

line('R25', 'without document security the permissions of a document open nothing', async () => {
  const { prv, pub, databaseId } = await db();
  const users = await collection(server(), databaseId, { permissions: ['read("users")'] });
  const socket = await Socket.connected(server());
  await socket.subscribe({ channels: ['documents'] });
  await document(server(), prv, {}, ['read("any")']);
  await document(server(), users, {}, ['read("any")']);
  const row = await document(server(), pub);
  expect((await socket.event()).payload.$id).toBe(row.$id);
  await socket.quiet();
});

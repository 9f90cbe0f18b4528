/** The official SDK's own Realtime class, unchanged, against the service. */
import { Channel, Client, Query, Realtime, type RealtimeResponseEvent } from 'appwrite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';

let backend: TestBackend;
let ann: { userId: string; cookies: string };
beforeAll(async () => {
  // The SDK expects a browser: its timers hang on `window`.
  vi.stubGlobal('window', globalThis);
  backend = await startTestBackend();
  ann = await backend.signUp('ann@example.com');
  const make = (path: string, body: object) => backend.request('POST', path, { asKey: true, body });
  await make('/databases', { databaseId: 'd', name: 'd' });
  await make('/databases/d/collections', {
    collectionId: 'c',
    name: 'c',
    permissions: ['create("users")'],
    documentSecurity: true,
  });
  await make('/databases/d/collections/c/attributes/string', { key: 'title', size: 128, required: false });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await backend.stop();
});

function realtime(): Realtime {
  const session = decodeURIComponent(/a_session_p1=([^;]+)/.exec(ann.cookies)?.[1] ?? '');
  return new Realtime(new Client().setEndpoint(`${backend.origin}/v1`).setProject('p1').setSession(session));
}

const write = (documentId: string, title: string) =>
  backend.request('POST', '/databases/d/collections/c/documents', {
    cookies: ann.cookies,
    body: { documentId, data: { title } },
  });

it('delivers private events to subscriptions, by channel and by query, until they end', async () => {
  const client = realtime();
  const events: RealtimeResponseEvent<{ $id: string; title: string }>[] = [];
  const filtered: string[] = [];
  const all = await client.subscribe(Channel.database('d').collection('c').document(), (event) =>
    events.push(event as (typeof events)[number]),
  );
  await client.subscribe<{ $id: string }>('documents', ({ payload }) => filtered.push(payload.$id), [
    Query.equal('title', ['yes']),
  ]);
  // The SDK does not wait for the server's answer to a subscription: write until both are there.
  let warm = 0;
  await vi.waitFor(
    async () => {
      await write(`warm-${warm++}`, 'yes');
      expect(events.length).toBeGreaterThan(0);
      expect(filtered.length).toBeGreaterThan(0);
    },
    { timeout: 10_000, interval: 100 },
  );
  await vi.waitFor(() => expect(filtered.at(-1)).toBe(`warm-${warm - 1}`), { timeout: 10_000 });
  await vi.waitFor(() => expect(events.at(-1)?.payload.$id).toBe(`warm-${warm - 1}`), { timeout: 10_000 });

  events.length = 0;
  filtered.length = 0;
  await write('one', 'no');
  await write('two', 'yes');
  await vi.waitFor(() => expect(events.map(({ payload }) => payload.$id)).toEqual(['one', 'two']), { timeout: 10_000 });
  await vi.waitFor(() => expect(filtered).toEqual(['two']), { timeout: 10_000 });
  expect(events[0]?.events[0]).toBe('databases.d.collections.c.documents.one.create');

  await all.unsubscribe();
  await write('three', 'yes');
  await vi.waitFor(() => expect(filtered).toEqual(['two', 'three']), { timeout: 10_000 });
  expect(events).toHaveLength(2);
  await client.disconnect();
});

/** W: webhooks (contract 2.8), posted to a receiver on this machine. */
import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, person } from './people.ts';
import { document, type Row, schema } from './schema.ts';
import { hook, pause, receiver, SECRET } from './webhook-receiver.ts';

const db = once(() => schema(server()));

/** Returns the event pattern of all document changes in `pub`. */
const ofPub = async (action = '') => {
  const { pub } = await db();
  return `databases.${pub.databaseId}.collections.${pub.collectionId}.documents.*${action}`;
};

line('W01', 'a new document is posted with the webhook’s headers', async (context) => {
  const { pub } = await db();
  const target = await receiver();
  const { $id } = await hook(context, target.url, [await ofPub('.create')]);
  const row = await document(server(), pub, { title: 'Grün / blau' });
  const { headers, body } = await target.next();
  expect(JSON.parse(body.toString())).toEqual(row);
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('application/json'),
    'user-agent': expect.stringMatching(/^Appwrite-Server/),
    'x-appwrite-webhook-id': $id,
    'x-appwrite-webhook-name': 'Conformance',
    'x-appwrite-webhook-project-id': server().projectId,
    'x-appwrite-webhook-events': expect.any(String),
    'x-appwrite-webhook-signature': expect.any(String),
  });
  await target.quiet();
});

line('W02', 'the signature is the HMAC-SHA1 of address and raw body', async (context) => {
  const { pub } = await db();
  const target = await receiver();
  await hook(context, target.url, [await ofPub('.create')]);
  await document(server(), pub, { title: 'Grün / blau' });
  const { headers, body } = await target.next();
  const signature = createHmac('sha1', SECRET).update(target.url).update(body).digest('base64');
  expect(headers['x-appwrite-webhook-signature']).toBe(signature);
});

line('W03', 'the events header has the concrete name and the wildcards', async (context) => {
  const { pub } = await db();
  const target = await receiver();
  await hook(context, target.url, [await ofPub('.create')]);
  const { $id } = await document(server(), pub);
  const events = String((await target.next()).headers['x-appwrite-webhook-events']).split(',');
  const { databaseId: d, collectionId: c } = pub;
  expect(events[0]).toBe(`databases.${d}.collections.${c}.documents.${$id}.create`);
  expect(events).toEqual(
    expect.arrayContaining(['databases.*.collections.*.documents.*.create', `databases.${d}`, 'databases.*']),
  );
});

line('W04', 'the user header names who wrote, and no one for a key', async (context) => {
  const { pub } = await db();
  const target = await receiver();
  await hook(context, target.url, [await ofPub('.create')]);
  await document(server(), pub);
  expect((await target.next()).headers['x-appwrite-webhook-user-id'] ?? '').toBe('');
  const { id, http } = await person(server());
  const body = { documentId: fresh('doc'), data: { title: 'By a user' } };
  (await http.post(pub.documents, body)).is(201);
  expect((await target.next()).headers['x-appwrite-webhook-user-id']).toBe(id);
});

line('W05', 'ten failures in a row disable a webhook; a success before that starts the count anew', async (context) => {
  const { pub } = await db();
  const target = await receiver();
  const { $id: webhookId } = await hook(context, target.url, [await ofPub('.create')]);
  const { webhooks } = admin(server()).node;
  const deliver = async (count: number, status: number) => {
    target.answer = (response) => void response.writeHead(status).end();
    for (let sent = 0; sent < count; sent += 1) {
      await document(server(), pub);
      await target.next();
    }
  };
  const settled = async (expected: { attempts: number; enabled: boolean }) => {
    for (let tries = 0; tries < 50; tries += 1) {
      const { attempts, enabled } = await webhooks.get({ webhookId });
      if (attempts === expected.attempts && enabled === expected.enabled) return;
      await pause(100);
    }
    expect(await webhooks.get({ webhookId })).toMatchObject(expected);
  };
  await deliver(9, 500);
  await settled({ attempts: 9, enabled: true });
  await deliver(1, 200);
  await settled({ attempts: 0, enabled: true });
  await deliver(10, 500);
  await settled({ attempts: 10, enabled: false });
  await document(server(), pub);
  await target.quiet();
});

line('W06', 'a pattern for creating does not fire on an update', async (context) => {
  const { pub } = await db();
  const target = await receiver();
  await hook(context, target.url, ['databases.*.collections.*.documents.*.create']);
  const row = await document(server(), pub);
  await target.next();
  (await admin(server()).http.patch(pub.document(row.$id), { data: { n: 1 } })).is(200).json<Row>();
  await target.quiet();
});

line('W07', 'a disabled webhook is not called; a slow target does not slow the API', async (context) => {
  const { pub } = await db();
  const [silent, slow] = [await receiver(), await receiver()];
  await hook(context, silent.url, [await ofPub('.create')], { enabled: false });
  await hook(context, slow.url, [await ofPub('.create')]);
  slow.answer = () => {};
  const began = Date.now();
  await document(server(), pub);
  await document(server(), pub);
  expect(Date.now() - began).toBeLessThan(5000);
  await slow.next();
  await silent.quiet();
});

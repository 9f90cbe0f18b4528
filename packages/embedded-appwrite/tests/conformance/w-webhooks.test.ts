/** W: webhooks (contract 2.8), posted to a receiver on this machine. */
import { createHmac } from 'node:crypto';
import { expect, test } from './kit.ts';
import { server } from './people.ts';
import { type Collection, document, draft } from './schema.ts';
import { channelOf } from './sockets.ts';
import { hook, SECRET } from './webhook-receiver.ts';

const creationsIn = (where: Collection) => [`${channelOf(where)}.*.create`];

test('W01 W02 W03 a new document is posted with its webhook’s headers, signed, with event names', async ({
  pub,
  skip,
}) => {
  const target = await hook(skip, creationsIn(pub));
  const row = await document(pub, { title: 'Grün / blau' });
  const { headers, payload, body, names } = await target.next();
  expect(payload).toEqual(row);
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('application/json'),
    'user-agent': expect.stringMatching(/^Appwrite-Server/),
    'x-appwrite-webhook-id': target.webhookId,
    'x-appwrite-webhook-name': 'Conformance',
    'x-appwrite-webhook-project-id': server().projectId,
    // Signs the webhook's URL followed by the raw body.
    'x-appwrite-webhook-signature': createHmac('sha1', SECRET).update(target.url).update(body).digest('base64'),
  });
  expect(names[0]).toBe(`${channelOf(pub)}.${row.$id}.create`);
  const wildcards = ['databases.*.collections.*.documents.*.create', `databases.${pub.databaseId}`, 'databases.*'];
  expect(names).toEqual(expect.arrayContaining(wildcards));
  await target.quiet();
});

test('W04 the user header names who wrote, and no one for a key', async ({ ann, pub, skip }) => {
  const target = await hook(skip, creationsIn(pub));
  await document(pub);
  expect((await target.next()).user).toBe('');
  await ann.http.post(pub.documents, draft()).is(201);
  expect((await target.next()).user).toBe(ann.id);
});

test('W05 ten failures in a row disable a webhook; a success starts the count anew', async ({ key, pub, skip }) => {
  const target = await hook(skip, creationsIn(pub));
  const deliver = async (count: number, status: number) => {
    target.answer = (response) => void response.writeHead(status).end();
    for (let sent = 0; sent < count; sent += 1) {
      await document(pub);
      await target.next();
    }
  };
  const settled = (attempts: number, enabled: boolean) =>
    expect.poll(() => key.node.webhooks.get({ webhookId: target.webhookId })).toMatchObject({ attempts, enabled });
  await deliver(9, 500);
  await settled(9, true);
  await deliver(1, 200);
  await settled(0, true);
  await deliver(10, 500);
  await settled(10, false);
  await document(pub);
  await target.quiet();
});

test('W06 a pattern for creating does not fire on an update', async ({ key, pub, skip }) => {
  const target = await hook(skip, ['databases.*.collections.*.documents.*.create']);
  const row = await document(pub);
  await target.next();
  await key.http.patch(pub.document(row.$id), { data: { n: 1 } }).is(200);
  await target.quiet();
});

test('W07 a disabled webhook is not called; a slow target does not slow the API', async ({ pub, skip }) => {
  const silent = await hook(skip, creationsIn(pub), { enabled: false });
  const slow = await hook(skip, creationsIn(pub));
  let isGivenUp = false;
  slow.answer = ({ socket }) => {
    socket?.once('end', () => {
      isGivenUp = true;
    });
  };
  await Promise.all([document(pub), document(pub)]);
  // A server that waited for the slow target would respond only after giving up on it, which takes 15 s.
  expect(isGivenUp).toBe(false);
  await slow.next();
  await silent.quiet();
});

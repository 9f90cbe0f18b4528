/** T: server keys (contract 1.2). */
import { MISSING_SCOPE, refused } from './expect.ts';
import { expiredKey, limitedKey } from './facilities.ts';
import { Http } from './http.ts';
import { line, server } from './line.ts';
import { node } from './sdk.ts';

line('T22', 'an unknown key is 401 user_unauthorized, an expired one 401 project_key_expired', async (context) => {
  const unknown = `standard_${'0'.repeat(64)}`;
  await refused(
    { code: 401, type: 'user_unauthorized' },
    Http.to(server(), { 'x-appwrite-key': unknown }).get('/users'),
    node(server(), { key: unknown }).users.list(),
  );
  const expired = await expiredKey(context);
  await refused(
    { code: 401, type: 'project_key_expired' },
    Http.to(server(), { 'x-appwrite-key': expired }).get('/users'),
    node(server(), { key: expired }).users.list(),
  );
});

line('T24', 'a key without the scope of a route is refused as an application', async (context) => {
  const limited = await limitedKey(context);
  await refused(
    { ...MISSING_SCOPE, message: /role: applications/ },
    Http.to(server(), { 'x-appwrite-key': limited }).get('/users'),
    node(server(), { key: limited }).users.list(),
  );
});

line('T25', 'a key without the project header is 403 project_id_missing', async () => {
  await refused(
    { code: 403, type: 'project_id_missing' },
    new Http(server().endpoint, { 'x-appwrite-key': server().key }).get('/users'),
  );
});

/** C: document limits (contract 1.8): 120 creates and 60 deletes a minute per user. */
import { refused } from './expect.ts';
import { limitsServer, roomInWindow } from './facilities.ts';
import { line } from './line.ts';
import { fresh } from './names.ts';
import { admin, person } from './people.ts';
import { type Row, schema } from './schema.ts';

const LIMITED = { code: 429, type: 'general_rate_limit_exceeded' };

line('C34', 'the 121st create and the 61st delete of a minute are 429 for a user, not for a key', async (context) => {
  const where = await limitsServer(context);
  const { sec } = await schema(where);
  const [ann, bob] = [await person(where), await person(where)];
  const body = () => ({ documentId: fresh('doc'), data: { title: 'A title' } });
  await roomInWindow(60, 10);
  const made: string[] = [];
  while (made.length < 120) {
    const batch = Array.from({ length: 10 }, () => ann.http.post(sec.documents, body()));
    for (const answer of await Promise.all(batch)) made.push(answer.is(201).json<Row>().$id);
  }
  await refused(
    LIMITED,
    ann.http.post(sec.documents, body()),
    ann.web.databases.createDocument({ ...sec.ids, ...body() }),
  );
  (await bob.http.post(sec.documents, body())).is(201);
  const key = admin(where);
  (await key.http.post(sec.documents, body())).is(201);
  await roomInWindow(60, 8);
  for (let from = 0; from < 60; from += 10) {
    const batch = made.slice(from, from + 10).map((id) => ann.http.delete(sec.document(id), {}));
    for (const answer of await Promise.all(batch)) answer.is(204);
  }
  const [next = ''] = made.slice(60);
  await refused(
    LIMITED,
    ann.http.delete(sec.document(next), {}),
    ann.web.databases.deleteDocument({ ...sec.ids, documentId: next }),
  );
  (await key.http.delete(sec.document(next), {})).is(204);
});

/** C: values that a collection's attributes accept (contract 2.3, structure errors). */
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { refused } from './expect.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { document, type Row, schema } from './schema.ts';

const db = once(() => schema(server()));

/** Expects this structure error from a raw create as a guest and from both SDKs. */
async function misfit(data: Record<string, unknown>, text: string | RegExp): Promise<void> {
  const { pub } = await db();
  const { http, web } = guest(server());
  const body = () => ({ documentId: fresh('doc'), data });
  await refused(
    {
      code: 400,
      type: 'document_invalid_structure',
      message: typeof text === 'string' ? `Invalid document structure: ${text}` : text,
    },
    http.post(pub.documents, body()),
    web.databases.createDocument({ ...pub.ids, ...body() }),
    admin(server()).node.databases.createDocument({ ...pub.ids, ...body() }),
  );
}

line('C08', 'empty data is 400', async () => {
  const { pub } = await db();
  const { http, web } = guest(server());
  await refused(
    { code: 400, type: 'document_missing_data' },
    http.post(pub.documents, { documentId: fresh('doc'), data: {} }),
    web.databases.createDocument({ ...pub.ids, documentId: fresh('doc'), data: {} }),
  );
  await refused(
    { code: 400, type: 'document_missing_data', message: 'Document ID is required when creating a single document.' },
    http.post(pub.documents, { data: { title: 'A title' } }),
  );
});

line('C09', 'a missing required and an unknown attribute are named', async () => {
  await misfit({ n: 1 }, 'Missing required attribute "title"');
  await misfit({ title: null }, 'Missing required attribute "title"');
  await misfit({ title: 'A title', zzz: 1 }, 'Unknown attribute: "zzz"');
  await misfit({ n: 'x', zzz: 1 }, 'Missing required attribute "title"');
  await misfit({ title: 'A title', n: 'x', zzz: 1 }, 'Unknown attribute: "zzz"');
});

line('C11', 'values are not coerced: wrong types and formats are 400, each with its text', async () => {
  const title = 'A title';
  const integer =
    /^Invalid document structure: Attribute "n" has invalid format\. Value must be a valid signed 64-bit integer between -9,223,372,036,854,775,808 and /;
  await misfit({ title, n: '5' }, integer);
  await misfit({ title, n: 1.5 }, integer);
  await misfit({ title, ok: 1 }, 'Attribute "ok" has invalid type. Value must be a valid boolean');
  await misfit({ title, ok: 'true' }, 'Attribute "ok" has invalid type. Value must be a valid boolean');
  await misfit(
    { title: 'x'.repeat(129) },
    'Attribute "title" has invalid type. Value must be a valid string and no longer than 128 chars',
  );
  await misfit({ title: 5 }, /Attribute "title" has invalid type\. Value must be a valid string/);
  await misfit({ title, st: 'x' }, 'Attribute "st" has invalid format. Value must be one of (a, b, c)');
  await misfit({ title, st: '' }, 'Attribute "st" has invalid format. Value must be one of (a, b, c)');
  const { pub } = await db();
  const fits = { title: 'ü'.repeat(128), n: -5, ok: false, st: 'c', at: null, u: null, m: null };
  expect(await document(server(), pub, fits)).toMatchObject(fits);
  expect(await document(server(), pub, { title: '' })).toMatchObject({ title: '' });
});

line('C13', 'urls and e-mail addresses are checked', async () => {
  const title = 'A title';
  await misfit({ title, u: 'nope' }, 'Attribute "u" has invalid format. Value must be a valid URL');
  await misfit({ title, u: '' }, /Attribute "u" has invalid format\./);
  await misfit({ title, m: 'nope' }, 'Attribute "m" has invalid format. Value must be a valid email address');
  await misfit({ title, m: '' }, /Attribute "m" has invalid format\./);
  const { pub } = await db();
  const fits = { u: 'https://example.com/a?b=c#d', m: 'ann@example.com' };
  expect(await document(server(), pub, fits)).toMatchObject(fits);
});

line('C14', 'a date with an offset comes back in UTC', async () => {
  const { pub } = await db();
  const dates: Record<string, string> = {
    '2026-01-01T10:00:00+02:00': '2026-01-01T08:00:00.000+00:00',
    '2026-01-01': '2026-01-01T00:00:00.000+00:00',
    '1999-12-31T23:59:59.5Z': '1999-12-31T23:59:59.500+00:00',
  };
  for (const [given, stored] of Object.entries(dates)) {
    const { $id, at } = await document(server(), pub, { at: given });
    expect(at).toBe(stored);
    const read = await guest(server()).web.databases.getDocument<Row>({ ...pub.ids, documentId: $id });
    expect(read.at).toBe(stored);
  }
  await misfit(
    { title: 'A title', at: 'yesterday-ish' },
    'Attribute "at" has invalid type. Value must be valid date between 1000-01-01 00:00:00 and 9999-12-31 23:59:59.',
  );
});

line('C28', 'a required attribute cannot be set to null', async () => {
  const { sec } = await db();
  const { http, web } = await person(server());
  const data = { title: 'A title' };
  const { $id } = (await http.post(sec.documents, { documentId: fresh('doc'), data })).is(201).json<Row>();
  await refused(
    {
      code: 400,
      type: 'document_invalid_structure',
      message: 'Invalid document structure: Missing required attribute "title"',
    },
    http.patch(sec.document($id), { data: { title: null } }),
    web.databases.updateDocument<Row>({ ...sec.ids, documentId: $id, data: { title: null as unknown as string } }),
  );
  expect((await http.get(sec.document($id))).is(200).json<Row>().title).toBe('A title');
});

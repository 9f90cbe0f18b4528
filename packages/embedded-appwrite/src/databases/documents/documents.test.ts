/** Documents over HTTP, all on one schema that has an attribute of each type: making it takes longer than a test. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queries, type Send, startBackend, type TestBackend } from '../../../tests/support/databases.ts';

const ATTRIBUTES = [
  { key: 'title', type: 'string', size: 128, required: true },
  { key: 'n', type: 'integer' },
  { key: 'x', type: 'double', min: 0, max: 10 },
  { key: 'st', type: 'string', format: 'enum', elements: ['a', 'b', 'c'] },
  { key: 'ok', type: 'boolean', default: false },
  { key: 'at', type: 'datetime' },
  { key: 'u', type: 'string', format: 'url' },
  { key: 'm', type: 'string', format: 'email' },
  { key: 'ip', type: 'string', format: 'ip' },
  { key: 'tags', type: 'string', size: 5, array: true },
  { key: 'nums', type: 'integer', array: true },
  { key: 'code', type: 'string', size: 20 },
];
const INDEXES = [{ key: 'code', type: 'unique', attributes: ['code'] }];

const PUB = '/databases/d/collections/pub/documents';
const SEC = '/databases/d/collections/sec/documents';
const PRV = '/databases/d/collections/prv/documents';
const ANN = ['read("user:ann")', 'update("user:ann")', 'delete("user:ann")'];

let backend: TestBackend;
let key: Send;
let guest: Send;
let ann: Send;
let bob: Send;
let count = 0;
const fresh = () => `doc${++count}`;

beforeAll(async () => {
  backend = await startBackend();
  ({ key, guest } = backend);
  await key('POST', '/databases', { databaseId: 'd', name: 'D' });
  const make = (collectionId: string, fields: object) =>
    key('POST', '/databases/d/collections', {
      collectionId,
      name: collectionId,
      attributes: ATTRIBUTES,
      indexes: INDEXES,
      ...fields,
    });
  await make('pub', { permissions: ['create("any")', 'read("any")'] });
  await make('sec', { permissions: ['create("users")'], documentSecurity: true });
  await make('prv', {});
  [ann, bob] = [await backend.user('ann'), await backend.user('bob')];
});
afterAll(() => backend.close());

const create = (send: Send, path: string, fields: object, id = fresh()) =>
  send('POST', path, { documentId: id, data: { title: 'T', ...fields } });

describe('creating', () => {
  it('answers the whole document, unset attributes as null, arrays as empty, defaults in place', async () => {
    const id = fresh();
    const { status, body } = await create(key, PUB, {}, id);
    expect(status).toBe(201);
    expect(body).toEqual({
      title: 'T',
      n: null,
      x: null,
      st: null,
      ok: false,
      at: null,
      u: null,
      m: null,
      ip: null,
      tags: [],
      nums: [],
      code: null,
      $id: id,
      $sequence: expect.stringMatching(/^\d+$/),
      $createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      $updatedAt: body.$createdAt,
      $permissions: [],
      $databaseId: 'd',
      $collectionId: 'pub',
    });
    expect((await guest('GET', `${PUB}/${id}`)).body).toEqual(body);
  });

  it('gives values back as they were', async () => {
    const data = {
      title: 'Zeichen: \u0000 "\\/ 😀 é',
      n: 42,
      x: 0.1,
      st: 'b',
      ok: true,
      u: 'http://localhost',
      m: 'A@example.com',
      ip: '::1',
      tags: ['a', '', '😀😀😀😀😀'],
      nums: [1, -1],
    };
    const { body } = await create(key, PUB, data);
    expect(body).toMatchObject(data);
    expect((await key('GET', `${PUB}/${body.$id}`)).body).toEqual(body);
  });

  it('keeps whole numbers of 64 bits', async () => {
    const id = fresh();
    const sent = `{"documentId":"${id}","data":{"title":"T","n":9007199254740993,"nums":[-9223372036854775808]}}`;
    const made = await key('POST', PUB, sent);
    expect(made.text).toContain('"n":9007199254740993');
    const got = await key('GET', `${PUB}/${id}`);
    expect(got.text).toContain('"n":9007199254740993');
    expect(got.text).toContain('"nums":[-9223372036854775808]');
    const stepped = await key('PATCH', `${PUB}/${id}/n/increment`, {});
    expect(stepped.text).toContain('"n":9007199254740994');
  });

  it('brings dates to UTC', async () => {
    const { body } = await create(key, PUB, { at: '2026-01-01T10:00:00+02:00' });
    expect(body.at).toBe('2026-01-01T08:00:00.000+00:00');
    expect((await create(key, PUB, { at: '2026-01-01' })).body.at).toBe('2026-01-01T00:00:00.000+00:00');
  });

  it.each<[object, string]>([
    [{ title: null }, 'Missing required attribute "title"'],
    [{ zzz: 1 }, 'Unknown attribute: "zzz"'],
    [
      { title: 'x'.repeat(129) },
      'Attribute "title" has invalid type. Value must be a valid string and no longer than 128 chars',
    ],
    [{ title: 5 }, 'Attribute "title" has invalid type. Value must be a valid string and no longer than 128 chars'],
    [
      { n: '5' },
      'Attribute "n" has invalid format. Value must be a valid signed 64-bit integer between -9,223,372,036,854,775,808 and 9,223,372,036,854,775,808',
    ],
    [
      { n: 1.5 },
      'Attribute "n" has invalid format. Value must be a valid signed 64-bit integer between -9,223,372,036,854,775,808 and 9,223,372,036,854,775,808',
    ],
    [{ x: 11 }, 'Attribute "x" has invalid format. Value must be a valid range between 0 and 10'],
    [{ ok: 1 }, 'Attribute "ok" has invalid type. Value must be a valid boolean'],
    [{ st: 'x' }, 'Attribute "st" has invalid format. Value must be one of (a, b, c)'],
    [{ st: '' }, 'Attribute "st" has invalid format. Value must be one of (a, b, c)'],
    [
      { at: 'soon' },
      'Attribute "at" has invalid type. Value must be valid date between 1000-01-01 00:00:00 and 9999-12-31 23:59:59.',
    ],
    [{ u: 'javascript:alert(1)' }, 'Attribute "u" has invalid format. Value must be a valid URL'],
    [{ m: 'nope' }, 'Attribute "m" has invalid format. Value must be a valid email address'],
    [{ ip: '1.2.3' }, 'Attribute "ip" has invalid format. Value must be a valid IP address'],
    [{ tags: 'a' }, 'Attribute "tags" must be an array'],
    [
      { tags: ['a', 'toolong'] },
      `Attribute "tags['1']" has invalid type. Value must be a valid string and no longer than 5 chars`,
    ],
    [{ zzz: 1, title: null }, 'Missing required attribute "title"'],
    [{ zzz: 1, n: 'x' }, 'Unknown attribute: "zzz"'],
  ])('refuses %j', async (fields, text) => {
    const { status, body } = await create(key, PUB, fields);
    expect({ status, ...body }).toMatchObject({
      status: 400,
      type: 'document_invalid_structure',
      message: `Invalid document structure: ${text}`,
    });
  });

  it('takes 128 characters, not bytes or UTF-16 units', async () => {
    expect((await create(key, PUB, { title: '😀'.repeat(128) })).status).toBe(201);
    expect((await create(key, PUB, { title: '😀'.repeat(129) })).status).toBe(400);
  });

  it('needs data and an id', async () => {
    expect((await key('POST', PUB, { documentId: 'x', data: {} })).body.type).toBe('document_missing_data');
    expect((await key('POST', PUB, { data: { title: 'T' } })).body).toMatchObject({
      type: 'document_missing_data',
      message: 'Document ID is required when creating a single document.',
    });
    expect((await create(key, PUB, {}, 'a'.repeat(36))).status).toBe(201);
    expect((await create(key, PUB, {}, 'a'.repeat(37))).body.type).toBe('general_argument_invalid');
    expect((await create(key, PUB, {}, 'unique()')).body.$id).toMatch(/^[0-9a-f]{20}$/);
  });

  it('refuses a taken id and a taken unique value', async () => {
    const id = fresh();
    await create(key, PUB, { code: id }, id);
    expect((await create(guest, PUB, {}, id)).body).toMatchObject({
      code: 409,
      type: 'document_already_exists',
      message: `Document with the requested ID '${id}' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.`,
    });
    expect((await create(key, PUB, { code: id })).status).toBe(409);
    expect((await create(key, PUB, { code: null })).status).toBe(201);
  });

  it('honours dates of a key and ignores those of others', async () => {
    const $createdAt = '2020-01-02T03:04:05.678+00:00';
    expect((await create(key, PUB, { $createdAt })).body.$createdAt).toBe($createdAt);
    expect((await create(guest, PUB, { $createdAt })).body.$createdAt).not.toBe($createdAt);
    expect((await create(key, PUB, { $createdAt: 'x' })).body.type).toBe('document_invalid_structure');
    expect((await create(key, PUB, { $id: 'other', $sequence: '1', $collectionId: 'x' })).body.$id).not.toBe('other');
    expect((await create(key, PUB, { $other: 1 })).body.message).toContain('Unknown attribute: "$other"');
  });

  it('refuses what names a transaction', async () => {
    const { body } = await key('POST', PUB, { documentId: 'x', data: { title: 'T' }, transactionId: 't1' });
    expect(body.type).toBe('general_feature_unsupported');
  });
});

describe('permissions', () => {
  it('are the creator’s by default, none for guests and keys, and none if he says so', async () => {
    expect((await create(ann, SEC, {})).body.$permissions).toEqual(ANN);
    expect((await create(ann, PUB, {})).body.$permissions).toEqual(ANN);
    expect((await create(guest, PUB, {})).body.$permissions).toEqual([]);
    expect((await create(key, SEC, {})).body.$permissions).toEqual([]);
    const none = await ann('POST', SEC, { documentId: fresh(), data: { title: 'T' }, permissions: [] });
    expect(none.body.$permissions).toEqual([]);
  });

  it('can only be granted by who holds the role', async () => {
    const grant = (permission: string) =>
      ann('POST', SEC, { documentId: fresh(), data: { title: 'T' }, permissions: [permission] });
    expect((await grant('read("any")')).status).toBe(201);
    expect((await grant('write("user:ann")')).body.$permissions).toEqual(['update("user:ann")', 'delete("user:ann")']);
    expect((await grant('read("user:bob")')).body).toMatchObject({
      code: 401,
      message: expect.stringMatching(/^Permissions must be one of: \(any, users/),
    });
    expect((await grant('create("any")')).body).toMatchObject({
      type: 'general_argument_invalid',
      message:
        'Invalid `permissions` param: Permission "create" is not allowed. Must be one of: read, update, delete, write.',
    });
  });

  it('decide who reads, changes and deletes under document security', async () => {
    const { body } = await create(ann, SEC, {});
    const path = `${SEC}/${body.$id}`;
    expect((await ann('GET', path)).status).toBe(200);
    expect((await bob('GET', path)).body).toMatchObject({ code: 404, type: 'document_not_found' });
    expect((await bob('PATCH', path, { data: { n: 1 } })).body).toMatchObject({
      code: 401,
      message: 'The current user is not authorized to perform the requested action.',
    });
    expect((await bob('PATCH', path, { data: { n: 'x' } })).status).toBe(401);
    expect((await bob('PUT', path, { data: { title: 'X' } })).status).toBe(401);
    expect((await bob('PATCH', `${path}/n/increment`, {})).status).toBe(401);
    expect((await bob('DELETE', path)).status).toBe(401);
    expect((await ann('DELETE', path)).status).toBe(204);
    expect((await ann('GET', path)).status).toBe(404);
  });

  it('can be changed, which takes effect at once, in lists too', async () => {
    const { body } = await create(ann, SEC, {});
    const path = `${SEC}/${body.$id}`;
    const listed = async () => {
      const query = queries({ method: 'equal', attribute: '$id', values: [body.$id] });
      return (await bob('GET', `${SEC}?${query}`)).body.total;
    };
    expect(await listed()).toBe(0);
    await ann('PATCH', path, { permissions: ['read("users")', ...ANN] });
    expect(await listed()).toBe(1);
    expect((await bob('GET', path)).status).toBe(200);
    await ann('PATCH', path, { permissions: ANN });
    expect(await listed()).toBe(0);
    expect((await bob('GET', path)).status).toBe(404);
  });

  it('of a document alone give nothing without document security', async () => {
    const { body } = await key('POST', PRV, {
      documentId: fresh(),
      data: { title: 'T' },
      permissions: ['read("any")'],
    });
    expect((await guest('GET', `${PRV}/${body.$id}`)).body.type).toBe('document_not_found');
    expect((await guest('GET', PRV)).body.type).toBe('user_unauthorized');
    expect((await create(ann, PRV, {})).body).toMatchObject({
      code: 401,
      type: 'user_unauthorized',
      message: "No permissions provided for action 'create'",
    });
  });

  it('let a caller change what he cannot read', async () => {
    const { body } = await key('POST', SEC, {
      documentId: fresh(),
      data: { title: 'T' },
      permissions: ['update("user:bob")'],
    });
    expect((await bob('PATCH', `${SEC}/${body.$id}`, { data: { n: 1 } })).status).toBe(200);
    expect((await bob('GET', `${SEC}/${body.$id}`)).status).toBe(404);
  });
});

describe('changing', () => {
  it('keeps what is not named, and moves $updatedAt on', async () => {
    const { body } = await create(key, PUB, { n: 1, tags: ['a'] });
    const path = `${PUB}/${body.$id}`;
    const changed = await key('PATCH', path, { data: { n: 2 } });
    expect(changed.body).toEqual({ ...body, n: 2, $updatedAt: changed.body.$updatedAt });
    expect(changed.body.$updatedAt > body.$updatedAt).toBe(true);
    expect((await key('GET', path)).body).toEqual(changed.body);
  });

  it('nothing leaves $updatedAt alone and needs the right to read only', async () => {
    const { body } = await create(key, PUB, { n: 1 });
    const same = await guest('PATCH', `${PUB}/${body.$id}`, { data: { n: 1 } });
    expect(same).toMatchObject({ status: 200, body });
    expect((await guest('PATCH', `${PUB}/${body.$id}`, { data: { n: 2 } })).status).toBe(401);
  });

  it('asks for something to change, something that is there, and required values', async () => {
    const { body } = await create(key, PUB, {});
    expect((await key('PATCH', `${PUB}/${body.$id}`, {})).body.type).toBe('document_missing_payload');
    expect((await key('PATCH', `${PUB}/nope`, { data: { n: 1 } })).status).toBe(404);
    expect((await key('DELETE', `${PUB}/nope`)).status).toBe(404);
    expect((await key('PATCH', `${PUB}/${body.$id}`, { data: { title: null } })).body.message).toContain(
      'Missing required',
    );
    expect((await key('PATCH', `${PUB}/${body.$id}`, { data: { n: null } })).status).toBe(200);
  });

  it('by PUT creates, then changes what is given; required values each time', async () => {
    const path = `${PUB}/${fresh()}`;
    expect((await guest('PUT', path, { data: { n: 1 } })).status).toBe(400);
    expect((await key('PUT', path, { data: { title: 'T', n: 1 } })).status).toBe(200);
    expect((await key('PUT', path, { data: { title: 'U' } })).body).toMatchObject({ title: 'U', n: 1 });
    expect((await key('PUT', path, { data: { n: 2 } })).body.message).toContain('Missing required attribute "title"');
  });

  it('refuses text that a real server would run as an operator, but stores it on create', async () => {
    const title = '{"method":"increment","values":[1]}';
    const { body } = await create(key, PUB, { title });
    expect(body.title).toBe(title);
    expect((await key('PATCH', `${PUB}/${body.$id}`, { data: { title: `${title} ` } })).body.type).toBe(
      'document_invalid_structure',
    );
    expect((await key('PATCH', `${PUB}/${body.$id}`, { data: { title: '{"method":"GET"}' } })).status).toBe(200);
  });

  it('stops before what the client has not seen', async () => {
    const { body } = await create(key, PUB, { n: 1 });
    const path = `${PUB}/${body.$id}`;
    const old = { 'x-appwrite-timestamp': '2020-01-01T00:00:00.000Z' };
    const seen = { 'x-appwrite-timestamp': body.$updatedAt };
    expect((await key('PATCH', path, { data: { n: 2 } }, old)).body).toMatchObject({
      code: 409,
      type: 'document_update_conflict',
      message: 'Remote document is newer than local.',
    });
    expect((await key('DELETE', path, {}, old)).status).toBe(409);
    expect((await key('PATCH', path, { data: { n: 2 } }, seen)).status).toBe(200);
    expect((await key('PATCH', path, { data: { n: 3 } }, { 'x-appwrite-timestamp': 'x' })).status).toBe(400);
  });

  it('steps numbers up to their limits, also all at once', async () => {
    const { body } = await create(key, PUB, { n: 5 });
    const path = `${PUB}/${body.$id}`;
    await Promise.all(Array.from({ length: 20 }, () => key('PATCH', `${path}/n/increment`, { value: 2 })));
    expect((await key('PATCH', `${path}/n/decrement`, {})).body.n).toBe(44);
    expect((await key('PATCH', `${path}/n/increment`, { max: 44 })).body.type).toBe('attribute_limit_exceeded');
    expect((await key('PATCH', `${path}/n/decrement`, { value: 44, min: 1 })).body.type).toBe(
      'attribute_limit_exceeded',
    );
    expect((await key('PATCH', `${path}/title/increment`, {})).body.type).toBe('attribute_type_invalid');
    expect((await key('PATCH', `${path}/nope/increment`, {})).body.type).toBe('attribute_not_found');
    expect((await key('PATCH', `${path}/x/increment`, { value: 2.5 })).body.x).toBe(2.5);
    expect((await key('PATCH', `${path}/x/increment`, { value: 9 })).body.type).toBe('document_invalid_structure');
    expect((await key('PATCH', `${path}/n/increment`, { value: 0 })).body.type).toBe('general_argument_invalid');
  });
});

describe('in bulk', () => {
  const bulk = [
    { $id: 'bulk1', title: 'A', code: 'bulk', n: 70 },
    { $id: 'bulk2', title: 'B', n: 70, $permissions: ['read("any")'] },
  ];

  it('is for keys', async () => {
    for (const method of ['POST', 'PUT']) expect((await ann(method, PUB, { documents: bulk })).status).toBe(401);
    expect((await ann('PATCH', PUB, { data: { n: 1 } })).status).toBe(401);
    expect((await ann('DELETE', PUB)).status).toBe(401);
  });

  it('creates all or none, changes, upserts and deletes what matches', async () => {
    const made = await key('POST', PUB, { documents: bulk });
    expect(made).toMatchObject({
      status: 201,
      body: { total: 2, documents: [{ $id: 'bulk1' }, { $permissions: ['read("any")'] }] },
    });
    const half = await key('POST', PUB, {
      documents: [
        { $id: 'bulk3', title: 'C' },
        { title: 'D', code: 'bulk' },
      ],
    });
    expect(half.status).toBe(409);
    expect((await key('GET', `${PUB}/bulk3`)).status).toBe(404);
    const matching = [JSON.stringify({ method: 'equal', attribute: 'n', values: [70] })];
    expect((await key('PATCH', PUB, { data: { n: 71 }, queries: matching })).body.total).toBe(2);
    const put = await key('PUT', PUB, {
      documents: [
        { $id: 'bulk1', title: 'A2' },
        { $id: 'bulk4', title: 'E', n: 71 },
      ],
    });
    expect(put).toMatchObject({ status: 201, body: { documents: [{ title: 'A2', n: 71 }, { title: 'E' }] } });
    const last = [JSON.stringify({ method: 'equal', attribute: 'n', values: [71] })];
    expect((await key('DELETE', PUB, { queries: last })).body.total).toBe(3);
    expect((await key('GET', `${PUB}/bulk1`)).status).toBe(404);
  });
});

describe('events', () => {
  const since = async (work: () => Promise<unknown>) => {
    backend.events.length = 0;
    await work();
    return backend.events.map(({ events, roles, payload, userId }) => ({ name: events[0], roles, payload, userId }));
  };

  it('tell each change once it is committed, with the answer as payload', async () => {
    const id = fresh();
    const name = `databases.d.collections.sec.documents.${id}`;
    let made: unknown;
    const told = await since(async () => {
      made = (await create(ann, SEC, {}, id)).body;
      await ann('PATCH', `${SEC}/${id}`, { data: { n: 1 } });
      await ann('PUT', `${SEC}/${id}`, { data: { title: 'U' } });
      await ann('DELETE', `${SEC}/${id}`);
    });
    expect(told.map((event) => event.name)).toEqual(
      ['create', 'update', 'upsert', 'delete'].map((act) => `${name}.${act}`),
    );
    expect(told[0]).toMatchObject({ payload: made, roles: ['user:ann'], userId: 'ann' });
    expect(told[3]?.payload).toMatchObject({ title: 'U', n: 1 });
  });

  it('name no author for a key, and only the collection’s readers without document security', async () => {
    const [event] = await since(() =>
      key('POST', PUB, { documentId: fresh(), data: { title: 'T' }, permissions: ['read("user:ann")'] }),
    );
    expect(event).toMatchObject({ roles: ['any'], userId: undefined });
  });

  it('name what an update changed, and nothing of what comes or goes', async () => {
    const id = fresh();
    backend.events.length = 0;
    await create(key, PUB, { n: 1 }, id);
    await key('PATCH', `${PUB}/${id}`, { data: { n: 2, title: 'T', ok: false, $createdAt: '2026-01-01' } });
    await key('PUT', `${PUB}/${id}`, { data: { title: 'U' }, permissions: ['read("user:ann")'] });
    await key('PATCH', `${PUB}/${id}/n/increment`, { value: 3 });
    const matching = [JSON.stringify({ method: 'equal', attribute: '$id', values: [id] })];
    await key('PATCH', PUB, { data: { tags: ['a'] }, queries: matching });
    await key('PATCH', PUB, { data: { tags: ['a'] }, queries: matching });
    await key('PATCH', `${PUB}/${id}`, { data: { $updatedAt: '2031-01-01' } });
    await key('PATCH', `${PUB}/${id}`, { data: { title: 'U' } });
    await key('DELETE', `${PUB}/${id}`);
    expect(backend.events.map(({ changed }) => changed)).toEqual([
      undefined,
      ['n', '$createdAt'],
      ['title', '$permissions'],
      ['n'],
      ['tags'],
      [],
      ['$updatedAt'],
      [],
      undefined,
    ]);
  });

  it('are silent about what failed', async () => {
    expect(await since(() => create(key, PUB, { zzz: 1 }))).toEqual([]);
  });
});

describe('lists', () => {
  it('show a disabled collection to keys alone', async () => {
    await key('POST', '/databases/d/collections', { collectionId: 'off', name: 'Off', permissions: ['read("any")'] });
    const path = '/databases/d/collections/off/documents';
    expect((await guest('GET', path)).body).toEqual({ total: 0, documents: [] });
    await key('PUT', '/databases/d/collections/off', { enabled: false });
    expect((await guest('GET', path)).body.type).toBe('collection_not_found');
    expect((await key('GET', path)).status).toBe(200);
  });

  it('select attributes, of one document too', async () => {
    const { body } = await create(key, PUB, { n: 5 });
    const select = queries({ method: 'select', values: ['n'] });
    const expected = [
      'n',
      '$id',
      '$sequence',
      '$createdAt',
      '$updatedAt',
      '$permissions',
      '$databaseId',
      '$collectionId',
    ];
    expect(Object.keys((await key('GET', `${PUB}/${body.$id}?${select}`)).body)).toEqual(expected);
    await key('PATCH', `${PUB}/${body.$id}`, { data: { n: 6 } });
    expect((await key('GET', `${PUB}/${body.$id}?${select}`)).body.n).toBe(6);
    const all = queries({ method: 'select', values: ['*'] });
    expect((await key('GET', `${PUB}/${body.$id}?${all}`)).body.title).toBe('T');
  });

  it('count no further than asked', async () => {
    expect((await key('GET', `${PUB}?total=0`)).body.total).toBe(0);
    expect((await key('GET', PUB)).body.total).toBeGreaterThan(10);
  });
});

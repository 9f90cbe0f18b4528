/** Runs random reads and writes by several callers; compares results and totals with those of an in-memory list. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { queries, type Send } from '../../../tests/support/backend.ts';
import { useBackend } from '../../../tests/support/use-backend.ts';

interface Modelled {
  readonly id: string;
  n: number | null;
  text: string;
  permissions: string[];
}

type Who = 'ann' | 'bob' | 'guest' | 'key';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const WHO: Who[] = ['ann', 'bob', 'guest', 'key'];
const ROLES: Record<Exclude<Who, 'key'>, string[]> = {
  ann: ['any', 'users', 'user:ann'],
  bob: ['any', 'users', 'user:bob'],
  guest: ['any', 'guests'],
};
const READERS = [[], ['any', 'users'], ['users'], ['guests'], ['users', 'user:ann'], ['user:bob', 'guests']];

const command = fc.oneof(
  fc.record({
    act: fc.constantFrom('put' as const),
    id: fc.constantFrom(...IDS),
    n: fc.option(fc.integer({ min: 0, max: 3 })),
    text: fc.constantFrom('red apple', 'green pear', 'Red'),
    readers: fc.constantFrom(...READERS),
  }),
  fc.record({ act: fc.constant('remove' as const), id: fc.constantFrom(...IDS) }),
  fc.record({ act: fc.constant('step' as const), id: fc.constantFrom(...IDS) }),
);
const look = fc.record({
  who: fc.constantFrom(...WHO),
  kind: fc.constantFrom('all', 'equal', 'search', 'range', 'null'),
});

const FILTERS: Record<string, { query?: object; matches(document: Modelled): boolean }> = {
  all: { matches: () => true },
  equal: { query: { method: 'equal', attribute: 'n', values: [1, 2] }, matches: ({ n }) => n === 1 || n === 2 },
  search: { query: { method: 'search', attribute: 'text', values: ['re'] }, matches: ({ text }) => /\bre/i.test(text) },
  range: { query: { method: 'greaterThan', attribute: 'n', values: [1] }, matches: ({ n }) => n !== null && n > 1 },
  null: { query: { method: 'isNull', attribute: 'n' }, matches: ({ n }) => n === null },
};

let senders: Record<Who, Send>;
let run = 0;

const backend = useBackend({}, async ({ server: { sender, user } }) => {
  const [ann, bob] = [sender(await user('ann')), sender(await user('bob'))];
  senders = { key: sender('key'), guest: sender('guest'), ann, bob };
});

const SCHEMA = {
  documentSecurity: true,
  attributes: [
    { key: 'n', type: 'integer' },
    { key: 'text', type: 'string', size: 50, required: true },
  ],
  indexes: [
    { key: 'n', type: 'key', attributes: ['n'] },
    { key: 'text', type: 'fulltext', attributes: ['text'] },
  ],
};

async function apply(path: string, model: Modelled[], act: typeof command extends fc.Arbitrary<infer C> ? C : never) {
  const known = model.find(({ id }) => id === act.id);
  if (act.act === 'put') {
    const permissions = act.readers.map((role) => `read("${role}")`);
    const data = { n: act.n, text: act.text };
    expect((await senders.key('PUT', `${path}/${act.id}`, { data, permissions })).status).toBe(200);
    if (known) Object.assign(known, { n: act.n, text: act.text, permissions });
    else model.push({ id: act.id, n: act.n, text: act.text, permissions });
  } else if (act.act === 'remove') {
    expect((await senders.key('DELETE', `${path}/${act.id}`)).status).toBe(known ? 204 : 404);
    if (known) model.splice(model.indexOf(known), 1);
  } else {
    expect((await senders.key('PATCH', `${path}/${act.id}/n/increment`, {})).status).toBe(known ? 200 : 404);
    if (known) known.n = (known.n ?? 0) + 1;
  }
}

const sees = (who: Who, { permissions }: Modelled) =>
  who === 'key' || ROLES[who].some((role) => permissions.includes(`read("${role}")`));

/** Retries after a 408, because searches have a wall-clock limit, which they may exceed on a busy machine. */
async function answerTo(who: Who, path: string) {
  for (;;) {
    const { status, body } = await senders[who]('GET', path);
    if (status !== 408) return body;
  }
}

it('reads see every write, and no caller more than he may', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(command, look), { minLength: 5, maxLength: 30 }), async (steps) => {
      const path = await backend.collection(`run${++run}`, SCHEMA);
      const model: Modelled[] = [];
      for (const [act, { who, kind }] of steps) {
        await apply(path, model, act);
        const filter = FILTERS[kind] as (typeof FILTERS)[string];
        const visible = model.filter((document) => sees(who, document));
        const listed = await answerTo(who, `${path}?${filter.query ? queries(filter.query) : ''}`);
        const shown = listed.documents.map(({ $id, n, text }: Record<string, unknown>) => ({ id: $id, n, text }));
        const expected = visible.filter(filter.matches).map(({ id, n, text }) => ({ id, n, text }));
        expect(shown).toEqual(expected);
        expect(listed.total).toBe(expected.length);
        const one = await senders[who]('GET', `${path}/${act.id}`);
        const seen = visible.find(({ id }) => id === act.id);
        expect(one.status).toBe(seen ? 200 : 404);
        if (seen) expect(one.body).toMatchObject({ n: seen.n, text: seen.text, $permissions: seen.permissions });
      }
    }),
    { numRuns: 25 },
  );
});

import { expect, it } from 'vitest';
import { addressOf } from '../addresses.ts';
import { isoDate } from '../dates.ts';
import { postFields } from './fields.ts';

it.each([
  ['2020-01-02', '2020-01-02T00:00:00.000Z'],
  ['2020-1-2', '2020-01-02T00:00:00.000Z'],
  ['2020-01-02 03:04:05 +0200', '2020-01-02T01:04:05.000Z'],
  ['2020-01-02T03:04:05-05:00', '2020-01-02T08:04:05.000Z'],
  ['2020-01-02 03:04', '2020-01-02T03:04:00.000Z'],
  ['2020-01-02T03:04:05.678Z', '2020-01-02T03:04:05.678Z'],
  ['Jul 08 2022', '2022-07-08T00:00:00.000Z'],
  ['8 July 2022', '2022-07-08T00:00:00.000Z'],
])('reads the date %s', (written, date) => expect(isoDate(written)).toBe(date));

const none = ['2020-02-30', '2020-13-01', 'soon', '', undefined, true, 'Notaday 99 2022'];
it.each(none)('refuses the date %s', (written) => expect(isoDate(written)).toBeUndefined());

const FIELDS: readonly (readonly [fields: object, path: string, says: object])[] = [
  [{ date: '2020-01-02' }, '2019-05-06-a.md', { date: '2020-01-02T00:00:00.000Z' }],
  [{}, '_posts/2019-05-06-a.md', { date: '2019-05-06T00:00:00.000Z' }],
  [{ path: '2016/04/19/MIR' }, 'MIR/index.md', { date: '2016-04-19T00:00:00.000Z' }],
  [{}, 'blog/2018/07/08/a.md', { date: '2018-07-08T00:00:00.000Z' }],
  [{}, 'a.md', { date: undefined, draft: false }],
  [{ slug: 'own', path: 'x/y' }, 'a.md', { name: 'own' }],
  [{ path: '2016/04/19/MIR/' }, 'a.md', { name: 'MIR' }],
  [{ permalink: '/:year/:title/' }, '2020-01-02-press.md', { name: 'press' }],
  [{}, 'posts/margins/index.md', { name: 'margins' }],
  [{ tags: 'ink, Pen', lang: 'de' }, 'a.md', { others: { tags: ['ink', 'Pen'], language: 'de' }, unplaced: undefined }],
  [{ description: 'How *ink* [dries](https://a.test).' }, 'a.md', { others: { excerpt: 'How ink dries.' } }],
  [{ heroImageAlt: 'A pen' }, 'a.md', { others: { featuredImageAlt: 'A pen' } }],
  ...['kind', 'layout', 'type'].map((name) => [{ [name]: 'page' }, 'a.md', { others: { kind: 'page' } }] as const),
  [{ layout: 'post', type: 'pages' }, 'a.md', { others: undefined }],
  [{ taxonomies: { tags: ['ink'] } }, 'a.md', { others: { tags: ['ink'] } }],
  [{ status: 'published', published: true, date: '2020-01-01' }, 'a.md', { draft: false }],
  [{ draft: true }, 'a.md', { draft: true }],
  [{ draft: 'true' }, 'a.md', { draft: true }],
  [{ published: false }, 'a.md', { draft: true }],
  [{}, '_drafts/a.md', { draft: true }],
  [{ draft: false, published: true }, 'a.md', { draft: false }],
  [{ heroImage: './a.png' }, 'a.md', { image: './a.png' }],
  [{ cover: { image: 'b.png' } }, 'a.md', { image: 'b.png' }],
  [{ images: ['c.png', 'd.png'] }, 'a.md', { image: 'c.png' }],
  [{ extra: { cover: 'e.png' } }, 'a.md', { image: 'e.png' }],
  [{ image: true }, 'a.md', { image: undefined }],
  [{ aliases: ['/old/a.html'] }, 'a.md', { addresses: expect.arrayContaining(['/old/a']) }],
  [{}, '_posts/2019-03-04-letter.md', { addresses: expect.arrayContaining(['/2019/03/04/letter']) }],
  [{ categories: ['C'] }, '_posts/2019-03-04-a.md', { addresses: expect.arrayContaining(['/c/2019/03/04/a']) }],
  [{ guid: 'https://old.example/?p=123' }, 'ink.md', { addresses: expect.arrayContaining(['/?p=123']) }],
  [{ redirect_from: ['/a.php?i=5#b', '/?7'] }, 'a.md', { addresses: expect.arrayContaining(['/a.php?i=5', '/?7']) }],
  [{ guid: 'https://old.example/2019/ink/' }, 'ink.md', { addresses: expect.not.arrayContaining(['/2019/ink']) }],
];

it.each(FIELDS)('fields %j in %s are read', (fields, path, says) => {
  const found = postFields({ ...fields }, path);
  const said = Object.keys(says).map((name) => [name, found[name as keyof typeof found]]);
  expect(Object.fromEntries(said)).toEqual(says);
});

it('fields of a post take the language of a translation from its name', () =>
  expect(postFields({}, 'a/index.zh.md', 'zh').others).toEqual({ language: 'zh' }));

it.each([
  [{ published: 'no' }, 'it was not published'],
  [{ publish: false }, 'it was not published'],
  [{ status: 'private' }, 'its status was private'],
  [{ expiryDate: '2019-01-01' }, 'it expired at 2019-01-01T00:00:00.000Z'],
  [{ _build: { render: 'never' } }, 'its old site had no page for it'],
])('fields of a post keep for its author what its generator would have shown to nobody: %j', (fields, reason) =>
  expect(postFields(fields, 'a.md')).toMatchObject({ draft: true, hidden: [reason] }),
);

const hours = [{ date: '2999-01-02' }, { date: '2020-01-01', publishDate: '2999-01-02' }];
it.each(hours)('fields of a post have an hour that is to come: %j', (fields) => {
  const found = postFields(fields, 'a.md');
  expect(found).toMatchObject({ draft: true, date: undefined, others: { publishAt: '2999-01-02T00:00:00.000Z' } });
  expect(postFields({ ...fields, draft: true }, 'a.md').others?.publishAt).toBeUndefined();
});

it('fields of a post write one address in one way', () => {
  for (const written of ['/a/b/', 'a/b', '/a/b.html', '/a/b/index.html', 'https://x.test/a/b/?q#f'])
    expect(addressOf(written)).toBe('/a/b');
  expect(addressOf('/')).toBe('/');
});

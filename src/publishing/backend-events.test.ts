import { expect, test } from 'vitest';
import { concreteEvent, isOfStructure, revalidationFor } from './backend-events.ts';

const articles = { databaseId: 'blog', collectionId: 'articles' };
const name = (action: string, slug = 'x') => `databases.blog.collections.articles.documents.${slug}.${action}`;
const ANN = { tags: ['author:ann'], from: 'backend' };
const WRITTEN = { slugs: ['x'], from: 'backend' };
const GONE = { ...WRITTEN, gone: ['x'] };

test.each<[string, object | undefined, string?]>([
  [name('create'), WRITTEN],
  [name('update'), WRITTEN],
  [name('upsert'), WRITTEN],
  ['tablesdb.blog.tables.articles.rows.x.create', WRITTEN],
  ['databases.blog.tables.articles.rows.x.create', WRITTEN],
  [name('update', 'v1.2.update'), { ...WRITTEN, slugs: ['v1.2.update'] }],
  [name('delete'), GONE],
  [name('update'), GONE, 'inactive'],
  ['users.ann.update.name', ANN],
  ['users.ann.delete', ANN],
  ['databases.other.collections.articles.documents.x.update', undefined],
  ['databases.blog.collections.other.documents.x.update', undefined],
  [name('update', 'UPPER'), undefined],
  ['databases.blog.collections.articles.update', undefined],
  ['users.ann.sessions.s.create', undefined],
  ['users.ann.update.email', undefined],
  ['buckets.media.files.f.create', undefined],
  ['', undefined],
])('the event %j leads to %j', (event, revalidation, status = 'active') =>
  expect(revalidationFor(event, { status }, articles)).toEqual(revalidation),
);

test('an edit of texts alone leaves the post where it is in lists', () => {
  const update = (changed?: string[], status = 'active') =>
    revalidationFor(name('update'), { status }, articles, 'backend', changed)?.isInPlace;
  for (const changed of [['title'], ['content'], ['title', 'content']]) expect(update(changed)).toBe(true);
  expect(update(['title'], 'inactive')).toBe(true);
  for (const key of ['status', 'userId', 'featuredImage', '$createdAt', '$permissions', 'a-field-of-later']) {
    expect(update([key]), key).toBeUndefined();
    expect(update(['title', key]), key).toBeUndefined();
  }
  expect(update(undefined)).toBeUndefined();
});

test('an update that changed nothing, which any reader of a post can send, renders nothing', () =>
  expect(revalidationFor(name('update'), { status: 'active' }, articles, 'backend', [])).toBeUndefined());

test('the concrete name is found among its wildcard variants', () => {
  const events = ['databases.*.collections.*.documents.*.create', name('create'), 'databases.blog'];
  expect(concreteEvent(events)).toBe(name('create'));
  expect(concreteEvent([])).toBeUndefined();
});

test.each([
  ['databases.blog.collections.articles.update', true],
  ['databases.blog.collections.articles.attributes.title.update', true],
  ['tablesdb.blog.tables.articles.delete', true],
  ['buckets.media.update', true],
  [name('update'), false],
  ['tablesdb.blog.tables.articles.rows.x.update', false],
  ['buckets.media.files.f.create', false],
  ['users.ada.sessions.s.create', false],
])('%s is of the structure: %s', (event, is) => expect(isOfStructure(event)).toBe(is));

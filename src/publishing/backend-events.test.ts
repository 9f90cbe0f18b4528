import { expect, test } from 'vitest';
import { concreteEvent, isOfStructure, revalidationFor } from './backend-events.ts';

const articles = { databaseId: 'blog', collectionId: 'articles' };
const name = (action: string, slug = 'x') => `databases.blog.collections.articles.documents.${slug}.${action}`;
const of = (event: string, payload = {}) => revalidationFor(event, payload, articles);

test('a written post is rendered again', () => {
  for (const action of ['create', 'update', 'upsert']) {
    expect(of(name(action), { status: 'active' })).toEqual({ slugs: ['x'], from: 'backend' });
  }
});

test('a deleted or unpublished post is known to be gone', () => {
  expect(of(name('delete'), { status: 'active' })).toEqual({ slugs: ['x'], gone: ['x'], from: 'backend' });
  expect(of(name('update'), { status: 'inactive' })).toEqual({ slugs: ['x'], gone: ['x'], from: 'backend' });
});

test('an edit of texts alone is known to leave the post where it is in lists, and who may read it', () => {
  const update = (changed?: string[], payload = {}) =>
    revalidationFor(name('update'), { status: 'active', ...payload }, articles, 'backend', changed)?.isInPlace;
  for (const changed of [['title'], ['content'], ['title', 'content']]) expect(update(changed)).toBe(true);
  expect(update(['title'], { status: 'inactive' })).toBe(true);
  for (const key of ['status', 'userId', 'featuredImage', '$createdAt', '$permissions', 'a-field-of-later']) {
    expect(update([key]), key).toBeUndefined();
    expect(update(['title', key]), key).toBeUndefined();
  }
  expect(update(undefined)).toBeUndefined();
});

test('an update that changed nothing, which whoever may read a post can send, has nothing rendered', () => {
  expect(revalidationFor(name('update'), { status: 'active' }, articles, 'backend', [])).toBeUndefined();
});

test('a slug may hold dots', () => {
  expect(of(name('update', 'v1.2.update'))?.slugs).toEqual(['v1.2.update']);
});

test('the tables API speaks of the same posts', () => {
  expect(of('tablesdb.blog.tables.articles.rows.x.create')?.slugs).toEqual(['x']);
  expect(of('databases.blog.tables.articles.rows.x.create')?.slugs).toEqual(['x']);
});

test('a renamed author reaches all bylines', () => {
  expect(of('users.ann.update.name')).toEqual({ tags: ['author:ann'], from: 'backend' });
  expect(of('users.ann.delete')).toEqual({ tags: ['author:ann'], from: 'backend' });
});

test('nothing else changes a page', () => {
  for (const event of [
    'databases.other.collections.articles.documents.x.update',
    'databases.blog.collections.other.documents.x.update',
    'databases.blog.collections.articles.documents.UPPER.update',
    'databases.blog.collections.articles.update',
    'users.ann.sessions.s.create',
    'users.ann.update.email',
    'buckets.media.files.f.create',
    '',
  ]) {
    expect(of(event)).toBeUndefined();
  }
});

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
  ['databases.blog.collections.articles.documents.x.update', false],
  ['tablesdb.blog.tables.articles.rows.x.update', false],
  ['buckets.media.files.f.create', false],
  ['users.ada.sessions.s.create', false],
])('%s is of the structure: %s', (event, is) => expect(isOfStructure(event)).toBe(is));

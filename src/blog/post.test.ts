import { expect, test } from 'vitest';
import * as post from './post.ts';

const { formInput, formValues, listedValues, POST_FIELDS, postValues, sameFormValues, writtenValues } = post;

const document = { title: 'Ink', content: '<p>x</p>', status: 'active', featuredImage: 'f1', userId: 'ann', $id: 'i' };

test('a document gives the fields of its post and nothing else', () => {
  const { userId: _, $id: __, ...fields } = document;
  expect(postValues(document)).toEqual(fields);
  const required = post.POST_FIELD_NAMES.filter((name) => !('optional' in POST_FIELDS[name]));
  expect(Object.keys(postValues(document))).toEqual(required);
  expect(listedValues(document)).toEqual({ title: 'Ink', status: 'active', featuredImage: 'f1' });
  const form = { title: 'Ink', content: '<p>x</p>', status: 'active' };
  expect(formInput(document)).toEqual(form);
  expect(formValues(document)).toEqual({ ...form, ...NOTHING });
});

const NOTHING = {
  ...{ tags: [], publishAt: '', unpublishAt: '', excerpt: '', language: '', featuredImageAlt: '' },
  ...{ kind: '' as const, newsletter: '' as const },
};
const MORE = {
  ...{ tags: ['Ink', 'Paper'], publishAt: '2026-12-01T08:00:00.000Z', excerpt: 'About ink.' },
  ...{ language: 'en', featuredImageAlt: 'A pot of ink', kind: 'page' as const },
  newsletter: 'send' as const,
};

test('optional fields are there where they are set, and times are told one way', () => {
  expect(postValues({ ...document, ...MORE })).toMatchObject(MORE);
  expect(postValues({ ...document, publishAt: '2026-12-01T09:00:00.000+01:00' }).publishAt).toBe(MORE.publishAt);
  expect(Object.keys(NOTHING).filter((name) => name in postValues({ ...document, ...NOTHING }))).toEqual([]);
  const wrong = {
    ...{ tags: 'Ink', publishAt: 'soon', excerpt: null },
    ...{ language: 5, featuredImageAlt: [], kind: 'post', newsletter: 'page' },
  };
  expect(postValues({ ...document, ...wrong })).toEqual(postValues(document));
  expect(postValues({ ...document, tags: ['Ink', 5, null] }).tags).toEqual(['Ink']);
});

test('a write names optional fields only where they are set, or were', () => {
  const plain = { title: 'Ink', content: '<p>x</p>', status: 'active' };
  expect(writtenValues({ ...document, ...NOTHING })).toEqual(plain);
  expect(writtenValues({ ...document, ...MORE })).toEqual({ ...plain, ...MORE });
  const emptied = {
    ...{ tags: [], publishAt: null, excerpt: '', language: '' },
    ...{ featuredImageAlt: '', kind: null, newsletter: null },
  };
  expect(writtenValues(document, { ...document, ...MORE })).toEqual({ ...plain, ...emptied });
});

test('what is missing or has another type is empty, and never public', () => {
  const empty = { title: '', content: '', status: 'inactive', featuredImage: '' };
  expect(postValues({ title: 5, content: null, status: 'Active' })).toEqual(empty);
});

test('two versions are the same where the form shows the same', () => {
  const one = formValues(document);
  expect(sameFormValues(one, { ...one })).toBe(true);
  for (const change of [{ title: 'other' }, { content: 'other' }, { status: 'inactive' as const }])
    expect(sameFormValues(one, { ...one, ...change })).toBe(false);
  expect(sameFormValues(formInput(document), one)).toBe(true);
  expect(sameFormValues({ ...one, tags: ['a', 'b'] }, { ...one, tags: ['a', 'b'] })).toBe(true);
  expect(sameFormValues({ ...one, tags: ['a', 'b'] }, { ...one, tags: ['b', 'a'] })).toBe(false);
});

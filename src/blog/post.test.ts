import { expect, test } from 'vitest';
import { formValues, listedValues, POST_FIELD_NAMES, postValues, sameFormValues } from './post.ts';

const document = {
  title: 'Ink',
  content: '<p>x</p>',
  status: 'active',
  featuredImage: 'f1',
  userId: 'ann',
  $id: 'ink',
};

test('a document gives the fields of its post and nothing else', () => {
  const { userId: _, $id: __, ...fields } = document;
  expect(postValues(document)).toEqual(fields);
  expect(Object.keys(postValues(document))).toEqual(POST_FIELD_NAMES);
  expect(listedValues(document)).toEqual({ title: 'Ink', status: 'active', featuredImage: 'f1' });
  expect(formValues(document)).toEqual({ title: 'Ink', content: '<p>x</p>', status: 'active' });
});

test('what is missing or has another type is empty, and never public', () => {
  expect(postValues({ title: 5, content: null, status: 'Active' })).toEqual({
    title: '',
    content: '',
    status: 'inactive',
    featuredImage: '',
  });
});

test('two versions are the same where the form shows the same', () => {
  const one = formValues(document);
  expect(sameFormValues(one, { ...one })).toBe(true);
  for (const name of ['title', 'content'] as const)
    expect(sameFormValues(one, { ...one, [name]: 'other' })).toBe(false);
  expect(sameFormValues(one, { ...one, status: 'inactive' })).toBe(false);
});

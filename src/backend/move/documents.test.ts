import { expect, test } from 'vitest';
import { differingInDocument } from './documents.ts';

type Row = Parameters<ReturnType<typeof differingInDocument>>[0];

test.each([
  ['an emoji', 'Ink 🖋️', 'Ink ?️', 'title: its database cannot store 🖋'],
  ['any other character', 'Ink é', 'Ink ?', 'title'],
])('names a differing field, and the character it lost: %s', (_, here, there, said) => {
  const row = (title: string) => ({ title, $permissions: [] as string[] }) as unknown as Row;
  expect(differingInDocument('posts')(row(here), row(there))).toBe(said);
});

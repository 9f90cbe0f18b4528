import fc from 'fast-check';
import { transliterate } from 'transliteration';
import { expect, it } from 'vitest';
import { slugSchema } from './forms/forms.ts';
import { cutAtWord, hyphenated, isSlug, latinWithoutTables, SLUG_MAX, slugFromTitle } from './slug.ts';

const fault = (slug: unknown) => slugSchema.safeParse(slug).error?.issues.map(({ message }) => message);

it.each([
  ['Hello, World!', 'hello-world'],
  ['  Ink --- & paper  ', 'ink-paper'],
  ['Ça va? Øl & Straße', 'ca-va-ol-strasse'],
  ['Привет мир', 'privet-mir'],
  ['日本語のタイトル', 'ri-ben-yu-notaitoru'],
  ['2026', '2026'],
  ['C++ 20', 'c-20'],
])('slugFromTitle makes %j into %j', async (title, slug) => expect(await slugFromTitle(title)).toBe(slug));

it('slugFromTitle keeps a slug of 36 characters, cuts one of 37 at the word before, and a first word that is too long inside', async () => {
  const long = 'a'.repeat(32);
  expect(await slugFromTitle(`${long} bcd`)).toBe(`${long}-bcd`);
  expect(await slugFromTitle(`${long} bcde`)).toBe(long);
  expect(cutAtWord(`${long}-bcd-more`, SLUG_MAX)).toBe(`${long}-bcd`);
  expect(await slugFromTitle('a'.repeat(50))).toBe('a'.repeat(36));
});

it('slugFromTitle gives a random slug for a title of marks or emoji, and nothing for an empty one', async () => {
  expect(await slugFromTitle('!!!')).toMatch(/^post-[a-z0-9]{8}$/);
  expect(await slugFromTitle('🦀')).toMatch(/^[a-z0-9-]+$/);
  expect(await slugFromTitle('!!!')).not.toBe(await slugFromTitle('!!!'));
  expect(await slugFromTitle('   ')).toBe('');
});

it('slugFromTitle always gives a slug that the form accepts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 120 }), async (title) => {
      const slug = await slugFromTitle(title);
      return title.trim() === '' || (isSlug(slug) && slugSchema.safeParse(slug).success);
    }),
  );
});

it('latinWithoutTables says for every character what the tables say, or nothing', () => {
  const different: string[] = [];
  for (let code = 0; code < 0x30000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = `x${String.fromCodePoint(code)}y`;
    const latin = latinWithoutTables(text);
    if (latin !== undefined && hyphenated(latin) !== hyphenated(transliterate(text))) different.push(text);
  }
  expect(different).toEqual([]);
});

it('latinWithoutTables knows what most titles of western Europe are written in, and leaves the rest to the tables', () => {
  expect(latinWithoutTables('L’été à Genève – “ça va”, Señor Müller, Øl på Straße, Łódź…')).toBeDefined();
  for (const title of ['Привет', '日本語', '€ 5', '½']) expect(latinWithoutTables(title)).toBeUndefined();
});

it('slugSchema accepts what Appwrite accepts as an id, in lower case', () => {
  for (const slug of ['a', '0', 'a.b_c-d', 'a'.repeat(36)]) expect(fault(slug)).toBeUndefined();
});

it.each([
  ['', 'Enter a slug.'],
  ['  ', 'Enter a slug.'],
  ['-._', 'Use at least one letter or number in the slug.'],
  ['-a', 'Start the slug with a letter or a number.'],
  ['Ab', 'Use only lowercase letters a-z, numbers, dots, hyphens and underscores.'],
  ['a b', 'Use only lowercase letters a-z, numbers, dots, hyphens and underscores.'],
  ['../etc', 'Use only lowercase letters a-z, numbers, dots, hyphens and underscores.'],
  ['a'.repeat(37), 'Use at most 36 characters in the slug; it has 37.'],
])('slugSchema says what is wrong with %j', (slug, message) => expect(fault(slug)).toEqual([message]));

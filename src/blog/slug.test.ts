import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtWord, isSlug, SLUG_MAX, slugFromTitle, slugSchema } from './slug.ts';

const fault = (slug: unknown) => slugSchema.safeParse(slug).error?.issues.map(({ message }) => message);

describe('slugFromTitle', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  Ink --- & paper  ', 'ink-paper'],
    ['Ça va? Øl & Straße', 'ca-va-ol-strasse'],
    ['Привет мир', 'privet-mir'],
    ['日本語のタイトル', 'ri-ben-yu-notaitoru'],
    ['2026', '2026'],
    ['C++ 20', 'c-20'],
  ])('makes %j into %j', (title, slug) => expect(slugFromTitle(title)).toBe(slug));

  it('keeps a slug of 36 characters and cuts one of 37 at the word before', () => {
    expect(slugFromTitle(`${'a'.repeat(32)} bcd`)).toBe(`${'a'.repeat(32)}-bcd`);
    expect(slugFromTitle(`${'a'.repeat(32)} bcde`)).toBe('a'.repeat(32));
  });

  it('keeps the last word when it ends exactly at the limit', () => {
    expect(cutAtWord(`${'a'.repeat(32)}-bcd-more`, SLUG_MAX)).toBe(`${'a'.repeat(32)}-bcd`);
  });

  it('cuts a first word that is too long inside', () => {
    expect(slugFromTitle('a'.repeat(50))).toBe('a'.repeat(36));
  });

  it('gives a random slug for a title of marks or emoji, and nothing for an empty one', () => {
    expect(slugFromTitle('!!!')).toMatch(/^post-[a-z0-9]{8}$/);
    expect(slugFromTitle('🦀')).toMatch(/^[a-z0-9-]+$/);
    expect(slugFromTitle('!!!')).not.toBe(slugFromTitle('!!!'));
    expect(slugFromTitle('   ')).toBe('');
  });

  it('always gives a slug that the form accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (title) => {
        const slug = slugFromTitle(title);
        return title.trim() === '' || (isSlug(slug) && slugSchema.safeParse(slug).success);
      }),
    );
  });
});

describe('slugSchema', () => {
  it('accepts what Appwrite accepts as an id, in lower case', () => {
    for (const slug of ['a', '0', 'a.b_c-d', 'a'.repeat(36)]) expect(fault(slug)).toBeUndefined();
  });

  it.each([
    ['', 'Enter a slug.'],
    ['  ', 'Enter a slug.'],
    ['-._', 'Use at least one letter or number in the slug.'],
    ['-a', 'Start the slug with a letter or a number.'],
    ['Ab', 'Use only small letters a-z, numbers, dots, hyphens and underscores in the slug.'],
    ['a b', 'Use only small letters a-z, numbers, dots, hyphens and underscores in the slug.'],
    ['../etc', 'Use only small letters a-z, numbers, dots, hyphens and underscores in the slug.'],
    ['a'.repeat(37), 'Use at most 36 characters in the slug; it has 37.'],
  ])('says what is wrong with %j', (slug, message) => expect(fault(slug)).toEqual([message]));
});

import { expect, test } from 'vitest';
import { slugFromTitle } from '../slug.ts';
import { tagSlug } from './tag-slug.ts';
import { hasTag, nameOfTag, TAGS_LISTED, tagsOf, tagsOfPost } from './tags.ts';

test.each(['Ink & Paper', 'Straße', '日本語', 'Чернила', '2026', 'C++'])(
  'the tag %s gets a post’s slug',
  async (name) => expect(tagSlug(name)).toBe(await slugFromTitle(name)),
);

test('a tag without letters or digits has no slug', () => expect(['🖋', ' '].map(tagSlug)).toEqual(['', '']));

test('two spellings of one slug are one tag, named as most write it', () => {
  const posts = [{ tags: ['ink'] }, { tags: ['Ink', 'Paper'] }, { tags: ['Ink'] }, {}];
  expect(tagsOf(posts)).toEqual([
    { slug: 'ink', name: 'Ink', names: ['Ink', 'ink'], posts: 3 },
    { slug: 'paper', name: 'Paper', names: ['Paper'], posts: 1 },
  ]);
  expect(nameOfTag(posts, 'ink')).toBe('Ink');
  expect(nameOfTag(posts, 'none')).toBe('none');
  expect(tagsOf([{ tags: ['ink', 'Ink'] }])).toEqual([{ slug: 'ink', name: 'ink', names: ['ink'], posts: 1 }]);
});

test('a post shows each of its tags once, as it is written first; one without a slug has no page', () => {
  const shown = tagsOfPost({ tags: ['Ink', 'Paper', 'INK', '🖋'] }).map(({ name, slug }) => `${name} ${slug}`);
  expect(shown).toEqual(['Ink ink', 'Paper paper', '🖋 ']);
  expect(tagsOfPost({})).toEqual([]);
  expect([{ tags: ['Ink'] }, { tags: ['Paper'] }, {}].map((post) => hasTag(post, 'ink'))).toEqual([true, false, false]);
});

test('lists the tags that most posts have, and a few spellings of each, however many there are', () => {
  const few = Array.from({ length: TAGS_LISTED - 1 }, (_, n) => ({ tags: [`few ${n}`, 'Often'] }));
  expect(tagsOf(few)).toHaveLength(TAGS_LISTED);
  const more = [...few, { tags: ['last', 'one more'] }];
  expect(tagsOf(more)).toHaveLength(TAGS_LISTED);
  expect(tagsOf(more).some(({ name }) => name === 'Often')).toBe(true);
  const spelt = Array.from({ length: 8 }, (_, n) => ({ tags: [`${'-'.repeat(n)}Ink`] }));
  expect(tagsOf([...spelt, { tags: ['---Ink'] }])[0]).toMatchObject({ name: '---Ink', posts: 9 });
  expect(tagsOf(spelt)[0]?.names).toHaveLength(5);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formInput, listedValues, POST_FIELD_NAMES, POST_FIELDS, type PostFieldName, postValues } from './post.ts';

const points = (text: string): number => Array.from(text).length;

/** Generates arbitrary values for a field, including texts and lists that may be longer than the backend allows. */
function anything(name: PostFieldName): fc.Arbitrary<unknown> {
  const field = POST_FIELDS[name];
  const size = 'size' in field ? Math.min(field.size, 300) : 36;
  const text = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 5 }), fc.constantFrom('x', '墨', '🖋'))
    .map(([start, sign]) => start + sign.repeat(size * 3));
  const others = fc.oneof(fc.anything(), text);
  return field.kind === 'texts' ? fc.oneof(others, fc.array(text, { maxLength: 60 })) : others;
}

const documents = fc.record(Object.fromEntries(POST_FIELD_NAMES.map((name) => [name, anything(name)])));

test('a document is read within the bounds of each field, whatever it holds', () => {
  fc.assert(
    fc.property(documents, (document) => {
      for (const values of [postValues(document), listedValues(document)]) {
        for (const [name, value] of Object.entries(values)) {
          const field = POST_FIELDS[name as PostFieldName];
          const size = 'size' in field ? field.size : 40;
          const texts = [value].flat() as string[];
          expect(texts.length).toBeLessThanOrEqual('most' in field ? field.most : 1);
          for (const text of texts) expect(points(text)).toBeLessThanOrEqual(size);
        }
      }
    }),
  );
});

test('what a field may hold is read whole, by characters as the backend counts them', () => {
  const { title, content, tags } = POST_FIELDS;
  const most = Array.from({ length: tags.most }, (_, n) => `${n}`.padEnd(tags.size, '墨'));
  const longest = { title: '🖋'.repeat(title.size), content: 'x'.repeat(content.size), tags: most };
  expect(postValues(longest)).toMatchObject(longest);
  const longer = { title: `${longest.title}🖋`, content: `${longest.content}x`, tags: [...longest.tags, 'more'] };
  expect(postValues(longer)).toMatchObject(longest);
});

test('typed values stay as they are, for the form to say which is too long', () => {
  const typed = { title: 'x'.repeat(300), tags: Array.from({ length: 20 }, (_, n) => `Tag ${n}`) };
  expect(formInput(typed)).toMatchObject(typed);
});

import { describe, expect, it } from 'vitest';
import { addressOf } from '../addresses.ts';
import { isoDate } from '../dates.ts';
import { postFields } from './fields.ts';

describe('dates', () => {
  it.each([
    ['2020-01-02', '2020-01-02T00:00:00.000Z'],
    ['2020-1-2', '2020-01-02T00:00:00.000Z'],
    ['2020-01-02 03:04:05 +0200', '2020-01-02T01:04:05.000Z'],
    ['2020-01-02T03:04:05-05:00', '2020-01-02T08:04:05.000Z'],
    ['2020-01-02 03:04', '2020-01-02T03:04:00.000Z'],
    ['2020-01-02T03:04:05.678Z', '2020-01-02T03:04:05.678Z'],
    ['Jul 08 2022', '2022-07-08T00:00:00.000Z'],
    ['8 July 2022', '2022-07-08T00:00:00.000Z'],
  ])('reads %s', (written, date) => expect(isoDate(written)).toBe(date));

  it.each(['2020-02-30', '2020-13-01', 'soon', '', undefined, true, 'Notaday 99 2022'])('refuses %s', (written) =>
    expect(isoDate(written)).toBeUndefined(),
  );
});

describe('fields of a post', () => {
  it('take the date from the front matter, else the file name, the old address or the folders', () => {
    expect(postFields({ date: '2020-01-02' }, '2019-05-06-a.md').date).toMatch(/^2020-01-02/);
    expect(postFields({}, '_posts/2019-05-06-a.md').date).toMatch(/^2019-05-06/);
    expect(postFields({ path: '2016/04/19/MIR' }, 'MIR/index.md').date).toMatch(/^2016-04-19/);
    expect(postFields({}, 'blog/2018/07/08/a.md').date).toMatch(/^2018-07-08/);
    expect(postFields({}, 'a.md').date).toBeUndefined();
  });

  it('take the name from slug, address, file or bundle', () => {
    expect(postFields({ slug: 'own', path: 'x/y' }, 'a.md').name).toBe('own');
    expect(postFields({ path: '2016/04/19/MIR/' }, 'a.md').name).toBe('MIR');
    expect(postFields({ permalink: '/:year/:title/' }, '2020-01-02-press.md').name).toBe('press');
    expect(postFields({}, 'posts/margins/index.md').name).toBe('margins');
  });

  it('take tags, excerpt, language and the text of the picture', () => {
    const written = {
      tags: 'ink, Paper',
      description: 'How *ink* [dries](https://a.test).',
      lang: 'de',
      heroImageAlt: 'A pen',
    };
    const { others, unplaced } = postFields(written, 'a.md');
    expect(others).toEqual({
      tags: ['ink', 'Paper'],
      excerpt: 'How ink dries.',
      language: 'de',
      featuredImageAlt: 'A pen',
    });
    expect(unplaced).toBeUndefined();
    expect(postFields({ taxonomies: { tags: ['ink'] } }, 'a.md').others).toEqual({ tags: ['ink'] });
    expect(postFields({}, 'a/index.zh.md', 'zh').others).toEqual({ language: 'zh' });
  });

  it.each([
    [{ published: 'no' }, 'it was not published'],
    [{ publish: false }, 'it was not published'],
    [{ status: 'private' }, 'its status was private'],
    [{ expiryDate: '2019-01-01' }, 'it expired at 2019-01-01T00:00:00.000Z'],
    [{ _build: { render: 'never' } }, 'its site had no page of it'],
  ])('keep for its author what its generator would have shown to nobody: %j', (fields, reason) => {
    expect(postFields(fields, 'a.md')).toMatchObject({ draft: true, hidden: [reason] });
  });

  it.each([{ date: '2999-01-02' }, { date: '2020-01-01', publishDate: '2999-01-02' }])(
    'have an hour that is to come: %j',
    (fields) => {
      const found = postFields(fields, 'a.md');
      expect(found).toMatchObject({ draft: true, date: undefined, others: { publishAt: '2999-01-02T00:00:00.000Z' } });
      expect(postFields({ ...fields, draft: true }, 'a.md').others?.publishAt).toBeUndefined();
    },
  );

  it('take what is said to be published as such', () => {
    expect(postFields({ status: 'published', published: true, date: '2020-01-01' }, 'a.md').draft).toBe(false);
  });

  it('know a draft in each generator', () => {
    expect(postFields({ draft: true }, 'a.md').draft).toBe(true);
    expect(postFields({ draft: 'true' }, 'a.md').draft).toBe(true);
    expect(postFields({ published: false }, 'a.md').draft).toBe(true);
    expect(postFields({}, '_drafts/a.md').draft).toBe(true);
    expect(postFields({ draft: false, published: true }, 'a.md').draft).toBe(false);
  });

  it('know the picture of a post wherever it is named', () => {
    expect(postFields({ heroImage: './a.png' }, 'a.md').image).toBe('./a.png');
    expect(postFields({ cover: { image: 'b.png' } }, 'a.md').image).toBe('b.png');
    expect(postFields({ images: ['c.png', 'd.png'] }, 'a.md').image).toBe('c.png');
    expect(postFields({ extra: { cover: 'e.png' } }, 'a.md').image).toBe('e.png');
    expect(postFields({ image: true }, 'a.md').image).toBeUndefined();
  });

  it('remember every address the post had', () => {
    const { addresses } = postFields(
      { aliases: ['/old/a.html'], categories: ['Craft'] },
      '_posts/2019-03-04-letter.md',
    );
    expect(addresses).toEqual(expect.arrayContaining(['/old/a', '/2019/03/04/letter', '/craft/2019/03/04/letter']));
    const wordpress = postFields(
      { guid: 'https://old.example/?p=123', redirect_from: ['/story.php?id=5#end', '/?page_id=7'] },
      'ink.md',
    );
    expect(wordpress.addresses).toEqual(expect.arrayContaining(['/?p=123', '/story.php?id=5', '/?page_id=7']));
    expect(postFields({ guid: 'https://old.example/2019/ink/' }, 'ink.md').addresses).not.toContain('/2019/ink');
  });

  it('write one address in one way', () => {
    for (const written of ['/a/b/', 'a/b', '/a/b.html', '/a/b/index.html', 'https://x.test/a/b/?q#f'])
      expect(addressOf(written)).toBe('/a/b');
    expect(addressOf('/')).toBe('/');
  });
});

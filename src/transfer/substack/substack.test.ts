import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../../tests/support/importing.ts';
import { openCollection } from '../formats.ts';
import { exitCode } from '../write/report.ts';
import { writePosts } from '../write/write.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const HEADER = 'post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url';
let number = 100;
interface Given {
  title?: string;
  published?: string;
  audience?: string;
  type?: string;
  date?: string;
  podcast?: string;
  html?: string | null;
}
function exported(...all: Given[]) {
  const files: Record<string, string> = { 'email_list.x.csv': 'email\na@example.com\n' };
  const rows = all.map(({ title = 'T', published = 'true', audience = 'everyone', type = 'newsletter', ...given }) => {
    const id = `${++number}.letter-${number}`;
    if (given.html !== null) files[`posts/${id}.html`] = given.html ?? '<p>x</p>';
    const date = given.date ?? '2020-01-02T03:04:05.000Z';
    return `${id},${date},${published},,,${type},${audience},"${title.replaceAll('"', '""')}",,${given.podcast ?? ''}`;
  });
  return { ...files, 'posts.csv': [HEADER, ...rows, ''].join('\n') };
}
const take = async (...all: Given[]) => importing.take(await importing.zip(exported(...all)));
const attrs = (given: object) => `data-attrs="${JSON.stringify(given).replaceAll('"', '&quot;')}"`;

it('is told by its content, with its title, date and address', async () => {
  const { format, posts, results } = await take({ title: 'Ink' });
  expect(format).toBe('substack');
  expect(posts[0]).toMatchObject({ title: 'Ink', status: 'active', createdAt: '2020-01-02T03:04:05.000+00:00' });
  expect(results[0]?.slug).toBe(`letter-${number}`);
});

it.each([
  ['only_paid', 'true', 'inactive'],
  ['founding', 'true', 'inactive'],
  ['only_free', 'true', 'inactive'],
  ['everyone', 'false', 'inactive'],
  ['everyone', 'TRUE', 'active'],
])('makes a post for %s with is_published %s %s', async (audience, published, status) => {
  const { posts, results } = await take({ audience, published });
  expect(posts[0]?.status).toBe(status);
  if (status === 'inactive') expect(results[0]?.notes.join()).toContain('for its author alone');
});

it('reads HTML and its entities in the CSV as text, and runs nothing of it', async () => {
  const { posts } = await take({ title: 'A &amp; B <em>C</em><script>x()</script>, "D"' });
  expect(posts[0]?.title).toBe('A & B Cx(), "D"');
});

it('fails for a published post without its HTML file, and skips such a draft', async () => {
  const { results } = await take({ html: null }, { html: null, published: 'false' }, {});
  expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'skipped', 'taken']);
  expect(exitCode(results)).toBe(1);
});

it('reads no addresses of readers: the lists beside the posts are nothing that is taken or told', async () => {
  const files = { ...exported({}), 'posts/7.opens.csv': 'email\nann@example.com', 'posts/7.delivers.csv': 'email\n' };
  const { results } = await importing.take(await importing.zip(files));
  expect(results).toMatchObject([{ outcome: 'taken' }]);
  expect(JSON.stringify(results)).not.toContain('example.com');
});

it('names a text that posts.csv does not', async () => {
  const files = { ...exported({}), 'posts/9.lost.html': '<p>words</p>' };
  const { results } = await importing.take(await importing.folder(files));
  expect(results).toContainEqual(expect.objectContaining({ path: 'posts/9.lost.html', outcome: 'failed' }));
});

it('reads footnotes as footnotes', async () => {
  const html =
    '<p>Ink<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a>.</p><div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number" contenteditable="false">1</a><div class="footnote-content"><p>Old.</p></div></div>';
  expect((await take({ html })).posts[0]?.content).toBe(
    '<p>Ink<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup>.</p><section data-footnotes=""><ol><li id="fn-1"><p>Old. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
  );
});

it('takes the original of a picture out of data-attrs, with its text and its caption', async () => {
  const media = join(importing.site.folder, 'substack-pictures');
  await mkdir(media, { recursive: true });
  const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
  await writeFile(join(media, 'a.png'), await red.png().toBuffer());
  const original = 'https://substack-post-media.s3.amazonaws.com/public/images/a.png';
  const scaled = `https://substackcdn.com/image/fetch/w_1456,c_limit/${encodeURIComponent(original)}`;
  const html = `<p>x</p><div class="captioned-image-container"><figure><a class="image-link image2" href="${scaled}"><div class="image2-inset"><picture><source srcset="${scaled} 424w"><img src="${scaled}" ${attrs({ src: original, alt: 'red' })} alt=""></picture><div class="image-link-expand"><svg></svg></div></div></a><figcaption class="image-caption">A sheet</figcaption></figure></div>`;
  const { posts, results } = await importing.take(await importing.zip(exported({ html })), { media });
  expect(posts[0]?.content).toMatch(
    /^<p>x<\/p><figure><img src="\/v1\/[^"]*" alt="red" width="9" height="9"><figcaption>A sheet<\/figcaption><\/figure>$/,
  );
  expect(results[0]?.losses).toBeUndefined();
});

it('shows a picture whose address cannot be decoded from where it is', async () => {
  const url = 'https://substackcdn.com/image/fetch/w_1/https%3A%2F%2Fx.test%2F%E0%A4%A.png';
  const { posts } = await take({ html: `<p>x <img src="${url}" alt="a"></p>` });
  expect(posts[0]?.content).toBe(`<p>x <img src="${url}" alt="a"></p>`);
});

it('shows a gallery as figures', async () => {
  const images = ['a', 'b'].map((name) => ({ src: `https://elsewhere.test/${name}.png` }));
  const html = `<div class="image-gallery-embed" ${attrs({ gallery: { images, caption: 'Two' } })}></div>`;
  expect((await take({ html })).posts[0]?.content).toBe(
    '<figure><img src="https://elsewhere.test/a.png" alt=""></figure><figure><img src="https://elsewhere.test/b.png" alt=""><figcaption>Two</figcaption></figure>',
  );
});

it('leaves out the widgets that ask for a subscription and says so; a poll is a loss', async () => {
  const html = `<p>a</p><div class="subscription-widget-wrap" ${attrs({ url: '%%checkout_url%%' })}><p class="cta-caption">Thanks for reading!</p><form></form></div><p class="button-wrapper" ${attrs({ url: 'https://x.substack.com/subscribe?', text: 'Subscribe' })}><a class="button" href="x">Subscribe</a></p><div class="poll-embed" ${attrs({ id: 1 })}></div><p>b</p>`;
  const { posts, results } = await take({ html });
  expect(posts[0]?.content).toBe('<p>a</p><p>b</p>');
  expect(results[0]?.notes.join()).toContain('Thanks for reading!');
  expect(results[0]?.losses).toEqual([expect.stringContaining('poll')]);
});

it('keeps the words of a post on another network, formulas, players and the sound of a podcast', async () => {
  const html = `<div class="tweet" ${attrs({ full_text: 'Said so', name: 'Ann', url: 'https://x.com/a/1' })}></div><div class="latex-rendered" ${attrs({ persistentExpression: 'a^2' })}></div><div class="youtube-wrap" ${attrs({ videoId: 'abc' })}></div>`;
  const { posts, results } = await take({ html, type: 'podcast', podcast: 'https://sound.test/1.mp3' });
  const content = posts[0]?.content ?? '';
  expect(content).toContain('<a href="https://sound.test/1.mp3">');
  expect(content).toContain('<blockquote><p>Said so</p><p><a href="https://x.com/a/1">Ann</a></p></blockquote>');
  expect(content).toContain('<pre><code class="language-math">a^2</code></pre>');
  expect(content).toContain('https://www.youtube.com/watch?v=abc');
  expect(results[0]?.notes.join()).toContain('podcast');
});

it('keeps what a post on another network quotes, shows and links to', async () => {
  const quoted = { full_text: 'First', name: 'Ben', username: 'ben', url: 'https://x.com/ben/2' };
  const html = [
    { full_text: 'Said so', name: 'Ann', url: 'https://x.com/a/1', quoted_tweet: quoted },
    { full_text: 'Look', username: 'ann', quoted_tweet: { full_text: 'Mine', username: 'ben' } },
    {
      full_text: 'See',
      url: 'https://x.com/a/3',
      photos: [{ img_url: 'https://pbs.test/1.jpg', alt_text: 'A press' }],
      video_url: 'https://video.test/1.mp4',
      expanded_url: { url: 'https://example.com/on', title: 'On ink' },
    },
    { full_text: 'Plain', url: 'https://x.com/a/4', quoted_tweet: {}, photos: [], video_url: null, expanded_url: {} },
  ].map((given) => `<div class="tweet" ${attrs(given)}></div>`);
  const { posts, results } = await take({ html: html.join('') });
  expect(posts[0]?.content.split(/(?<=<\/blockquote>)(?=<blockquote>)/)).toEqual([
    '<blockquote><p>Said so</p><blockquote><p>First</p><p><a href="https://x.com/ben/2">Ben</a></p></blockquote><p><a href="https://x.com/a/1">Ann</a></p></blockquote>',
    '<blockquote><p>Look</p><blockquote><p>Mine</p><p>@ben</p></blockquote><p>@ann</p></blockquote>',
    '<blockquote><p>See</p><p><img src="https://pbs.test/1.jpg" alt="A press"></p><p><a href="https://video.test/1.mp4">https://video.test/1.mp4</a></p><p><a href="https://example.com/on">On ink</a></p><p><a href="https://x.com/a/3">https://x.com/a/3</a></p></blockquote>',
    '<blockquote><p>Plain</p><p><a href="https://x.com/a/4">https://x.com/a/4</a></p></blockquote>',
  ]);
  expect(results[0]?.losses).toBeUndefined();
});

it('names a quoted post of another network of which the export holds nothing', async () => {
  const html = `<div class="tweet" ${attrs({ full_text: 'Said so', quoted_tweet: { id: 5 } })}></div>`;
  const { posts, results } = await take({ html });
  expect(posts[0]?.content).toBe('<blockquote><p>Said so</p></blockquote>');
  expect(results[0]?.losses).toEqual(['a quoted post of another network: what it says is not in the export']);
});

it('names no author: one is asked for', async () => {
  const path = await importing.zip(exported({}));
  await expect(importing.take(path, { people: true })).rejects.toThrow('--author EMAIL');
});

it('refuses a damaged table in a sentence', async () => {
  const path = await importing.zip({ 'posts.csv': `${HEADER}\n"1.a,2020,"x"y"\n`, 'posts/1.a.html': '<p>a</p>' });
  await expect(importing.take(path)).rejects.toThrow('no CSV');
});

it('goes on where a run was interrupted', async () => {
  const path = await importing.zip(exported({}, {}, {}));
  const collection = await openCollection('substack', { path });
  const { admin, site } = importing;
  const run = writePosts(collection, {
    admin,
    site: site.site,
    userId: await importing.userId(),
    dataDirectory: join(site.folder, 'data'),
    place: path,
    onResult: (_, done) => {
      if (done === 2) throw new Error('killed');
    },
  });
  await expect(run).rejects.toThrow('killed');
  await collection.close?.();
  const { results } = await importing.take(path);
  expect(results.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'taken']);
});

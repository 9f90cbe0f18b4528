import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../../tests/support/importing.ts';
import { openCollection } from '../formats.ts';
import { exitCode } from '../write/report.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const heading = (title: string) => `<h3 class="graf graf--h3 graf--leading graf--title">${title}</h3>`;
const page = (title: string, body: string, { id = 'aaaaaaaaaa01', published = true, subtitle = '' } = {}) =>
  `<!DOCTYPE html><html><head><title>${title}</title><style>p{}</style></head><body><article class="h-entry"><header><h1 class="p-name">${title}</h1></header>${
    subtitle && `<section data-field="subtitle" class="p-summary">${subtitle}</section>`
  }<section data-field="body" class="e-content"><section class="section section--body"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner">${body}</div></div></section></section><footer><p>By <a href="https://medium.com/@anna" class="p-author h-card">Anna</a>${
    published ? ` on <time class="dt-published" datetime="2020-01-02T03:04:05.678Z">January 2, 2020</time>` : ''
  }</p><p><a href="https://medium.com/@anna/t-${id}" class="p-canonical">Canonical link</a></p></footer></article></body></html>`;
let number = 0;
const named = (title: string, body: string, options = {}) => {
  number += 1;
  const id = `aaaaaaaaa${String(number).padStart(3, '0')}`;
  return { [`posts/2020-01-02_Post-number-${number}-${id}.html`]: page(title, body, { id, ...options }) };
};
const content = async (body: string) => {
  const { posts, results } = await importing.take(await importing.zip(named('T', heading('T') + body)));
  return { html: posts[0]?.content, results };
};

it('is told by its content, as a zip file and as a folder', async () => {
  const files = named('T', `${heading('T')}<p>x</p>`);
  for (const path of [await importing.zip(files), await importing.folder(files)])
    expect((await importing.take(path, { dryRun: true })).format).toBe('medium');
});

it('is told from all other exports where its author has a name alone', async () => {
  const files = named('T', '<p>x</p>');
  const nameless = Object.fromEntries(
    Object.entries(files).map(([path, html]) => [path, html.replace('href="https://medium.com/@anna" ', '')]),
  );
  const profile = { 'profile/profile.html': '<p>Email address: anna@example.com</p>' };
  const origin = async (of: typeof files) =>
    (await openCollection('medium', { path: await importing.folder(of) })).origin;
  expect(await origin(files)).toBe('');
  expect(await origin({ ...nameless, ...profile })).toBe('');
  expect(await origin(nameless)).toBeUndefined();
});

it('leaves out the title that stands in the text again, and the divider above it', async () => {
  expect((await content('<p class="graf graf--p">one</p>')).html).toBe('<p>one</p>');
});

it('keeps a heading that is not the title', async () => {
  const path = await importing.zip(named('Another', `${heading('T')}<p class="graf graf--p">one</p>`));
  expect((await importing.take(path)).posts[0]?.content).toBe('<h2>T</h2><p>one</p>');
});

it('reads h3 and h4 as the two levels they are', async () => {
  const { html } = await content(
    '<h3 class="graf graf--h3">a</h3><p class="graf graf--p">x</p><h4 class="graf graf--h4">b</h4>',
  );
  expect(html).toBe('<h2>a</h2><p>x</p><h3>b</h3>');
});

it('reads code whose lines are breaks, with its language', async () => {
  const { html } = await content('<pre data-code-block-lang="python" class="graf graf--pre">a<br>  b &lt; c</pre>');
  expect(html).toBe('<pre><code class="language-python">a\n  b &lt; c</code></pre>');
});

it('links a gist, a player and the card of another page, and names an embed that the export does not hold', async () => {
  const { html, results } = await content(
    '<figure class="graf graf--figure graf--iframe"><script src="https://gist.github.com/a/1.js"></script><figcaption class="imageCaption">Code</figcaption></figure><figure class="graf--iframe"><iframe src="https://www.youtube.com/embed/abc?x=1"></iframe></figure><div class="graf graf--mixtapeEmbed"><a href="https://x.test/" class="markup--mixtapeEmbed-anchor"><strong>Title</strong><br><em>words</em>x.test</a><a href="https://x.test/" class="js-mixtapeImage"></a></div><figure class="graf--iframe"></figure>',
  );
  expect(html).toContain('<a href="https://gist.github.com/a/1">https://gist.github.com/a/1</a>');
  expect(html).toContain('<p>Code</p>');
  expect(html).toContain('<a href="https://www.youtube.com/watch?v=abc">');
  expect(html).toContain('<a href="https://x.test/"><strong>Title</strong><br><em>words</em>x.test</a>');
  expect(results[0]?.losses).toEqual([expect.stringContaining('embedded')]);
  expect(exitCode(results)).toBe(1);
});

it('takes the original of a scaled picture by its data-image-id, with its caption', async () => {
  const media = join(importing.site.folder, 'medium-pictures');
  await mkdir(media, { recursive: true });
  const red = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } });
  await writeFile(join(media, '1-abc.png'), await red.png().toBuffer());
  const figure =
    '<p class="graf graf--p">x</p><figure class="graf graf--figure"><div class="aspectRatioPlaceholder"><div class="aspectRatioPlaceholder-fill"></div><img data-image-id="1*abc.png" src="https://cdn-images-1.medium.com/max/800/1*abc.png" alt="red"></div><figcaption class="imageCaption">A sheet</figcaption></figure>';
  const path = await importing.zip(named('T', heading('T') + figure));
  const { posts, results } = await importing.take(path, { media });
  expect(posts[0]?.content).toMatch(
    /<figure><img src="\/v1\/storage[^"]*" alt="red" width="9" height="9"><figcaption>A sheet<\/figcaption><\/figure>$/,
  );
  expect(results[0]?.losses).toBeUndefined();
});

it('makes nothing public of drafts', async () => {
  const path = await importing.zip({
    'posts/draft_Not-yet-bbbbbbbbbb01.html': page('Not yet', heading('Not yet'), { published: false }),
  });
  const { posts, results } = await importing.take(path);
  expect(posts[0]).toMatchObject({ status: 'inactive', title: 'Not yet' });
  expect(results[0]?.notes).toContain('it was a draft: it is for its author alone');
});

it('tells responses, which look like posts, and makes them inactive', async () => {
  const path = await importing.zip(
    named('Well said, I think so too…', '<p class="graf graf--p">Well said, I think so too, and more.</p>'),
  );
  const { posts, results } = await importing.take(path);
  expect(posts[0]?.status).toBe('inactive');
  expect(results[0]?.notes.join()).toContain('response');
});

it('links its posts to each other by the end of any of their addresses', async () => {
  const two = named('Two', `${heading('Two')}<p>x</p>`);
  const id = /-(a\w+)\.html/.exec(Object.keys(two)[0] ?? '')?.[1];
  const one = named('One', `${heading('One')}<p class="graf graf--p"><a href="https://medium.com/p/${id}#x">l</a></p>`);
  const { posts, results } = await importing.take(await importing.zip({ ...one, ...two }));
  const slug = results.find(({ path }) => path === Object.keys(two)[0])?.slug;
  expect(posts.map((post) => post?.content)).toContain(`<p><a href="/post/${slug}#x">l</a></p>`);
});

it('matches its writer by the address in the profile, keeps the byline, and changes nothing in a second run', async () => {
  const files = {
    ...named('T', `${heading('T')}<p>x</p>`),
    'profile/profile.html': '<ul><li><b>Email address:</b> anna@example.com</li></ul>',
    'claps/claps-0001.html': '<p>c</p>',
  };
  const path = await importing.zip(files);
  const planned = await importing.take(path, { people: true, dryRun: true });
  const first = await importing.take(path, { people: true });
  expect(planned.results).toEqual(first.results);
  expect(first.posts[1]?.userId).toBe((await importing.admin.authorByEmail('anna@example.com'))?.id);
  expect(first.results[0]).toMatchObject({ outcome: 'skipped', path: '2 other files' });
  const second = await importing.take(path, { people: true });
  expect(second.results.map(({ outcome }) => outcome)).toEqual(['skipped', 'unchanged']);
});

it('reads a script in a title as words, and gives two posts with one title two addresses', async () => {
  const title = '&lt;script&gt;x()&lt;/script&gt; Twice';
  const { posts, results } = await importing.take(
    await importing.zip({ ...named(title, heading(title)), ...named(title, `${heading(title)}<p>x</p>`) }),
  );
  expect(posts.map((post) => post?.title)).toEqual(['<script>x()</script> Twice', '<script>x()</script> Twice']);
  expect(new Set(results.map(({ slug }) => slug)).size).toBe(2);
});

it('fails for a file that is no text, and takes the others', async () => {
  const path = await importing.zip({
    'posts/2020-01-02_Broken-bbbbbbbbbb02.html': Buffer.concat([Buffer.from(page('B', '')), Buffer.alloc(60)]),
    ...named('Whole', `${heading('Whole')}<p>x</p>`),
  });
  const { results } = await importing.take(path);
  expect(results).toMatchObject([
    { outcome: 'failed', reason: expect.stringContaining('not UTF-8') },
    { outcome: 'taken' },
  ]);
  expect(exitCode(results)).toBe(1);
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../../tests/support/importing.ts';

let importing: Importing;
let run = 0;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const article = (body: string, published = true) =>
  `---\ntitle: A\npublished: ${published}\ndescription: About\ntags: ink, paper\ncover_image: https://elsewhere.test/a.png\nseries: S\n---\n\n${body}\n`;
const take = async (body: string, published = true) =>
  importing.take(await importing.folder({ [`d-${++run}.md`]: article(body, published) }));

it('is told by its content, with its tags, series and description in the report', async () => {
  const { format, posts, results } = await take('text');
  expect(format).toBe('devto');
  expect(posts[0]).toMatchObject({ title: 'A', content: '<p>text</p>', status: 'active' });
  expect(posts[0]).toMatchObject({ tags: ['ink', 'paper'], excerpt: 'About' });
  expect(results[0]?.notes.join('\n')).toContain('series: S');
});

it('takes pictures and posts that lie beside a post, and names a picture that does not', async () => {
  const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const folder = await importing.folder({
    'posts/one/one.md': article('![a](./assets/a.png) ![b](assets/b.png)\n\n[two](../two/two.md#end)'),
    'posts/two/two.md': article('text').replace('title: A', 'title: Two'),
  });
  await mkdir(join(folder, 'posts', 'one', 'assets'));
  await writeFile(join(folder, 'posts', 'one', 'assets', 'a.png'), png);
  const { posts, results } = await importing.take(folder);
  expect(posts[0]?.content).toContain('alt="a" width="4" height="3"');
  expect(posts[0]?.content).toContain(`<a href="/post/${results[1]?.slug}#end">two</a>`);
  expect(results[0]).toMatchObject({ pictures: 1, losses: [expect.stringContaining('assets/b.png')] });
});

it('makes nothing public of drafts', async () => {
  expect((await take('text', false)).posts[0]?.status).toBe('inactive');
});

it.each([
  ['{% embed https://v.test/1 %}', '<p><a href="https://v.test/1">https://v.test/1</a></p>'],
  ['{% youtube abc %}', '<p><a href="https://www.youtube.com/watch?v=abc">https://www.youtube.com/watch?v=abc</a></p>'],
  ['{% github a/b %}', '<p><a href="https://github.com/a/b">https://github.com/a/b</a></p>'],
  ['{% details More %}\ninside\n{% enddetails %}', '<p><strong>More</strong></p><p>inside</p>'],
  ['{% cta https://v.test/ %} Go {% endcta %}', '<p><a href="https://v.test/">Go</a></p>'],
  ['{% strange thing %} after', '<p><code>{% strange thing %}</code> after</p>'],
  ['a {% comment 1ab %} b', null],
  ['{% runkit %}\nx < 1\n{% endrunkit %}', '<pre><code class="language-js">x &lt; 1</code></pre>'],
  ['`{% embed x %}`', '<p><code>{% embed x %}</code></p>'],
])('reads %s', async (body, html) => {
  const { posts } = await take(body);
  const content = posts[0]?.content.replace(/\n/g, '');
  if (html) expect(content).toBe(html);
  else expect(content).toMatch(/a.*https:\/\/dev\.to\/comment\/1ab.*b/);
});

it('takes the export, articles.json, with its dates and addresses', async () => {
  const path = await importing.zip({
    'articles.json': JSON.stringify([
      {
        title: 'E',
        slug: 'e-1',
        path: '/ann/e-1',
        published: true,
        published_at: '2020-01-02T03:04:05Z',
        body_markdown: '---\ntitle: E\n---\nSee [it](https://dev.to/ann/e-2)',
      },
      {
        title: 'F',
        slug: 'e-2',
        path: '/ann/e-2',
        published: false,
        created_at: '2020-01-02T03:04:05Z',
        body_markdown: 'later',
      },
    ]),
    'comments.json': '[]',
  });
  const { format, posts } = await importing.take(path);
  expect(format).toBe('devto');
  expect(posts[0]).toMatchObject({
    content: '<p>See <a href="/post/e-2">it</a></p>',
    createdAt: '2020-01-02T03:04:05.000+00:00',
  });
  expect(posts[1]).toMatchObject({ status: 'inactive', content: '<p>later</p>' });
});

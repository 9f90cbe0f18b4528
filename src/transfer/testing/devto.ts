import { picture } from '../../../tests/support/importing.ts';
import { each, link, type Rows } from './rows.ts';

let count = 0;
const article = (body: string, published = true, more = '') =>
  `---\ntitle: A\npublished: ${published}\ndescription: About\ntags: ink, paper\ncover_image: https://elsewhere.test/a.png\nseries: S\n${more}---\n\n${body}\n`;
const one = (body: string, published?: boolean) => ({ [`d-${++count}.md`]: article(body, published) });
const canonical = (name: string) => `canonical_url: https://dev.to/a/${name}\n`;

export const DEVTO: Rows = {
  'takes articles with their tags and description, their series as a note, and links them to each other': [
    {
      'd-from.md': article('[to](https://dev.to/a/d-to#part)', true, canonical('d-from')),
      'd-to.md': article('text', true, canonical('d-to')),
    },
    [
      {
        ...{ title: 'A', content: link('/post/2#h-part', 'to'), status: 'active' },
        ...{ tags: ['ink', 'paper'], excerpt: 'About', notes: 'the series “S”' },
      },
      { content: '<p>text</p>', address: '/a/d-to' },
    ],
  ],
  'takes pictures and posts that lie beside a post, and names a picture that does not': [
    {
      'posts/one/one.md': article('![a](./assets/a.png) ![b](assets/b.png)\n\n[two](../two/two.md#end)'),
      'posts/one/assets/a.png': picture(4, 3),
      'posts/two/two.md': article('text'),
    },
    [
      {
        content: `<p><img src="picture 1" alt="a" width="4" height="3"> b</p>${link('/post/2#h-end', 'two')}`,
        ...{ pictures: 1, losses: ['assets/b.png'] },
      },
      '<p>text</p>',
    ],
  ],
  'makes nothing public of drafts': [one('text', false), { status: 'inactive' }],
  ...each(
    [
      ['{% embed https://v.test/1 %}', link('https://v.test/1')],
      ['{% youtube abc %}', link('https://www.youtube.com/watch?v=abc')],
      ['{% github a/b %}', link('https://github.com/a/b')],
      ['{% details More %}\ninside\n{% enddetails %}', '<p><strong>More</strong></p><p>inside</p>'],
      ['{% cta https://v.test/ %} Go {% endcta %}', link('https://v.test/', 'Go')],
      ['{% strange thing %} after', '<p><code>{% strange thing %}</code> after</p>'],
      ['a {% comment 1ab %} b', `<p>a</p>${link('https://dev.to/comment/1ab')}<p>b</p>`],
      ['{% runkit %}\nx < 1\n{% endrunkit %}', '<pre><code class="language-js">x &lt; 1</code></pre>'],
      ['`{% embed x %}`', '<p><code>{% embed x %}</code></p>'],
    ],
    ([body = '', html = '']) => [`reads ${body}`, one(body), html],
  ),
  'takes the export, articles.json, with its dates and addresses': [
    {
      'articles.json': JSON.stringify([
        {
          ...{ title: 'E', slug: 'e-1', path: '/ann/e-1', published: true, published_at: '2020-01-02T03:04:05Z' },
          body_markdown: '---\ntitle: E\n---\nSee [it](https://dev.to/ann/e-2)',
        },
        {
          ...{ title: 'F', slug: 'e-2', path: '/ann/e-2', published: false, created_at: '2020-01-02T03:04:05Z' },
          body_markdown: 'later',
        },
      ]),
      'comments.json': '[]',
    },
    [
      { content: '<p>See <a href="/post/2">it</a></p>', createdAt: '2020-01-02T03:04:05.000+00:00' },
      { status: 'inactive', content: '<p>later</p>' },
    ],
  ],
};

import { expect, it } from 'vitest';
import { storedHtml } from '../html/conform.ts';
import { readHtml } from '../html/read-html.ts';
import { lexicalHtml, mobiledocHtml } from './cards.ts';

type Card = readonly [name: string, payload: object, html: string];

const link = (address: string, words: string) => `<p><a href="${address}">${words}</a></p>`;
const picture = (src: string, caption = '') =>
  `<figure><img src="${src}" alt="red">${caption && `<figcaption>${caption}</figcaption>`}</figure>`;

const CARDS: readonly Card[] = [
  [
    'image',
    { src: 'https://x.test/a.png', alt: 'red', caption: 'A <em>sheet</em>' },
    picture('https://x.test/a.png', 'A <em>sheet</em>'),
  ],
  [
    'gallery',
    {
      images: [
        { src: 'https://x.test/a.png', alt: 'red' },
        { src: 'https://x.test/b.png', alt: 'red' },
      ],
      caption: 'Two',
    },
    `${picture('https://x.test/a.png')}${picture('https://x.test/b.png')}<p>Two</p>`,
  ],
  ['markdown', { markdown: 'a **b**' }, '<p>a <strong>b</strong></p>'],
  ['html', { html: '<p>a</p>' }, '<p>a</p>'],
  [
    'embed',
    { url: 'https://v.test/1', metadata: { title: 'Film' }, caption: 'Seen' },
    `${link('https://v.test/1', 'Film')}<p>Seen</p>`,
  ],
  [
    'bookmark',
    { url: 'https://x.test/', metadata: { title: 'Page', description: 'About <ink>' } },
    `${link('https://x.test/', 'Page')}<p>About &lt;ink&gt;</p>`,
  ],
  [
    'code',
    { language: 'js', code: 'a < b', caption: 'So' },
    '<pre><code class="language-js">a &lt; b</code></pre><p>So</p>',
  ],
  ['hr', {}, '<hr>'],
  ['email', { html: '<p>Hello</p>' }, '<p>Hello</p>'],
  ['email-cta', { html: '<p>Come</p>' }, '<p>Come</p>'],
  ['button', { buttonUrl: 'https://x.test/', buttonText: 'Go' }, link('https://x.test/', 'Go')],
  ['callout', { calloutEmoji: '💡', calloutText: 'Look' }, '<blockquote><p>💡 Look</p></blockquote>'],
  ['toggle', { heading: 'More', content: '<p>Words</p>' }, '<p><strong>More</strong></p><p>Words</p>'],
  [
    'product',
    {
      productTitle: 'Ink',
      productDescription: '<p>Black</p>',
      productUrl: 'https://x.test/',
      productButton: 'Buy',
      productImageSrc: 'https://x.test/p.png',
    },
    `<figure><img src="https://x.test/p.png" alt=""></figure><p><strong>Ink</strong></p><p>Black</p>${link('https://x.test/', 'Buy')}`,
  ],
  ['audio', { src: 'https://x.test/a.mp3', title: 'Sound' }, link('https://x.test/a.mp3', 'Sound')],
  [
    'video',
    { src: 'https://x.test/v.mp4', caption: 'Film' },
    `${link('https://x.test/v.mp4', 'https://x.test/v.mp4')}<p>Film</p>`,
  ],
  [
    'file',
    { src: 'https://x.test/f.pdf', fileTitle: 'Paper', fileCaption: 'Read it', fileName: 'f.pdf' },
    `${link('https://x.test/f.pdf', 'Paper')}<p>Read it</p>`,
  ],
  [
    'header',
    {
      header: 'Big',
      subheader: 'Small',
      buttonUrl: 'https://x.test/',
      buttonText: 'Go',
      backgroundImageSrc: 'https://x.test/h.png',
    },
    `<figure><img src="https://x.test/h.png" alt=""></figure><h2>Big</h2><p>Small</p>${link('https://x.test/', 'Go')}`,
  ],
];

const stored = (html: string) => storedHtml(readHtml(html).tree).replace(/\n/g, '');
const lexical = (...children: object[]) => {
  const losses: string[] = [];
  return { html: stored(lexicalHtml(JSON.stringify({ root: { children } }), losses)), losses };
};

it.each(CARDS)('reads the card %s of Mobiledoc', (name, payload, html) => {
  const losses: string[] = [];
  const doc = { version: '0.3.1', atoms: [], markups: [], cards: [[name, payload]], sections: [[10, 0]] };
  expect({ html: stored(mobiledocHtml(JSON.stringify(doc), losses)), losses }).toEqual({ html, losses: [] });
});

it.each(CARDS)('reads the card %s of Lexical', (type, payload, html) => {
  expect(lexical({ type, ...payload })).toEqual({ html, losses: [] });
});

it.each([
  [{ type: 'codeblock', language: 'js', code: 'x' }, '<pre><code class="language-js">x</code></pre>'],
  [{ type: 'horizontalrule' }, '<hr>'],
  [
    { type: 'aside', children: [{ type: 'extended-text', text: 'q', format: 2 }] },
    '<blockquote><p><em>q</em></p></blockquote>',
  ],
  [{ type: 'extended-heading', tag: 'h3', children: [{ type: 'extended-text', text: 'H', format: 0 }] }, '<h3>H</h3>'],
  [
    { type: 'extended-quote', children: [{ type: 'extended-text', text: 'q', format: 0 }] },
    '<blockquote><p>q</p></blockquote>',
  ],
])('reads what Lexical alone has: %j', (node, html) => {
  expect(lexical(node)).toEqual({ html, losses: [] });
});

import { expect } from 'vitest';
import { picture } from '../../../tests/support/importing.ts';
import { bytes, CREATED, each, link, type Rows } from './rows.ts';

let count = 0;
const BASE = { id: '1', title: 'A', status: 'published', html: '<p>a</p>' };
const USERS = [{ id: 'u', name: 'Anna', email: 'g@example.com' }];
const post = (given: object = {}) => ({ ...BASE, slug: `g-${++count}`, ...given });
export const ghost = (posts: readonly object[], more: object = {}) =>
  JSON.stringify({ db: [{ meta: { version: '5.0.0' }, data: { posts, users: USERS, ...more } }] });
const one = (given: object, more?: object) => ghost([post(given)], more);
const DATE = '2020-01-02T03:04:05.000Z';
const SCHEDULED = { status: 'scheduled', published_at: '2999-01-02T03:04:05.000Z' };
const DRAFT = { html: null, status: 'draft' };
const mobiledoc = (given: object) => ({ ...DRAFT, mobiledoc: JSON.stringify({ version: '0.3.1', ...given }) });
const lexical = (...children: object[]) => ({ ...DRAFT, lexical: JSON.stringify({ root: { children } }) });
const text = (text: string, format = 0) => ({ type: 'extended-text', text, format });
const image = (path: string, alt: string) =>
  `<figure><img src="__GHOST_URL__/content/images/${path}" alt="${alt}"></figure>`;
const shown = '<figure><img src="picture 1" alt="r" width="9" height="9"></figure>';
const BACKUP = {
  'backup/data/b.ghost.2020-01-02.json': one({ html: `<p>x</p>${image('2020/a.png', 'r')}`, feature_image_alt: 'f' }),
  'backup/content/images/2020/a.png': picture(),
  'backup/content/themes/x/package.json': '{"name":"x"}',
};

const CARDS = [
  '<figure class="kg-card kg-video-card"><div class="kg-video-container"><video src="https://s.test/v.mp4"></video><div class="kg-video-overlay"><button><svg></svg></button></div><div class="kg-video-player-container"><div class="kg-video-player"><span>0:00</span><button>1×</button><svg></svg></div></div></div></figure>',
  '<div class="kg-card kg-audio-card"><img class="kg-audio-thumbnail kg-audio-hide"><div class="kg-audio-thumbnail placeholder"><svg></svg></div><div class="kg-audio-player-container"><audio src="https://s.test/a.mp3"></audio><div class="kg-audio-title">A song</div><div class="kg-audio-player"><span>0:00</span><svg></svg></div></div></div>',
  '<div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4>Why</h4><button class="kg-toggle-card-icon"><svg></svg></button></div><div class="kg-toggle-content"><p>Because.</p></div></div>',
  '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://b.test/"><div class="kg-bookmark-metadata"><span class="kg-bookmark-author">Ann</span><span class="kg-bookmark-publisher">Press</span></div></a></figure>',
];

const [x, png] = ['https://x.test/', 'https://x.test/a.png'];
const red = (src: string, caption = '') => `<figure><img src="${src}" alt="red">${caption}</figure>`;
const plain = (src: string) => `<figure><img src="${src}" alt=""></figure>`;
const code = (text: string) => `<pre><code class="language-js">${text}</code></pre>`;
const PRODUCT = {
  ...{ productTitle: 'Ink', productDescription: '<p>Black</p>', productUrl: x, productButton: 'Buy' },
  productImageSrc: png,
};
const HEADER = { header: 'Big', subheader: 'Small', buttonUrl: x, buttonText: 'Go', backgroundImageSrc: png };
const TAGS = {
  tags: [
    { id: 'a', name: 'Second' },
    { id: 'b', name: '#series', visibility: 'internal' },
    { id: 'c', name: 'First', visibility: 'public' },
  ],
  posts_tags: ['c', 'b', 'a'].map((tag_id, sort_order) => ({ post_id: '1', tag_id, sort_order })).reverse(),
};
const BOTH: readonly (readonly [name: string, payload: object, html: string])[] = [
  ['image', { src: png, alt: 'red', caption: 'A <em>b</em>' }, red(png, '<figcaption>A <em>b</em></figcaption>')],
  ['gallery', { images: [png, x].map((src) => ({ src, alt: 'red' })), caption: '2' }, `${red(png)}${red(x)}<p>2</p>`],
  ['markdown', { markdown: 'a **b**' }, '<p>a <strong>b</strong></p>'],
  ['html', { html: '<p>a</p>' }, '<p>a</p>'],
  ['embed', { url: x, metadata: { title: 'Film' }, caption: 'Seen' }, `${link(x, 'Film')}<p>Seen</p>`],
  ['bookmark', { url: x, metadata: { title: 'P', description: 'A <b>' } }, `${link(x, 'P')}<p>A &lt;b&gt;</p>`],
  ['code', { language: 'js', code: 'a < b', caption: 'So' }, `${code('a &lt; b')}<p>So</p>`],
  ['hr', {}, '<hr>'],
  ['email', { html: '<p>Hello</p>' }, '<p>Hello</p>'],
  ['email-cta', { html: '<p>Come</p>' }, '<p>Come</p>'],
  ['button', { buttonUrl: x, buttonText: 'Go' }, link(x, 'Go')],
  ['callout', { calloutEmoji: '💡', calloutText: 'Look' }, '<blockquote><p>💡 Look</p></blockquote>'],
  ['toggle', { heading: 'More', content: '<p>Words</p>' }, '<p><strong>More</strong></p><p>Words</p>'],
  ['product', PRODUCT, `${plain(png)}<p><strong>Ink</strong></p><p>Black</p>${link(x, 'Buy')}`],
  ['audio', { src: `${x}a.mp3`, title: 'Sound' }, link(`${x}a.mp3`, 'Sound')],
  ['video', { src: `${x}v.mp4`, caption: 'Film' }, `${link(`${x}v.mp4`)}<p>Film</p>`],
  ['file', { src: x, fileTitle: 'Paper', fileCaption: 'Read', fileName: 'f.pdf' }, `${link(x, 'Paper')}<p>Read</p>`],
  ['header', HEADER, `${plain(png)}<h2>Big</h2><p>Small</p>${link(x, 'Go')}`],
];
const OF_LEXICAL: readonly (readonly [node: object, html: string])[] = [
  ...BOTH.map(([type, payload, html]) => [{ type, ...payload }, html] as const),
  [{ type: 'codeblock', language: 'js', code: 'x' }, code('x')],
  [{ type: 'horizontalrule' }, '<hr>'],
  [{ type: 'aside', children: [text('q', 2)] }, '<blockquote><p><em>q</em></p></blockquote>'],
  [{ type: 'extended-heading', tag: 'h3', children: [text('H')] }, '<h3>H</h3>'],
  [{ type: 'extended-quote', children: [text('q')] }, '<blockquote><p>q</p></blockquote>'],
];

export const GHOST: Rows = {
  'takes posts with their author, and links them to each other': [
    ghost([post({ html: link('__GHOST_URL__/g-to/#end', 'to'), published_at: DATE }), post({ id: '2', slug: 'g-to' })]),
    [
      { content: link('/post/2#h-end', 'to'), createdAt: CREATED, status: 'active', email: 'g@example.com' },
      { content: '<p>a</p>', address: '/g-to/' },
    ],
    { people: true },
  ],
  'takes a page for one at its own address, which is its old one': [
    ghost([
      post({ slug: 'g-about', type: 'page', html: link('__GHOST_URL__/g-first/', 'first') }),
      post({ id: '2', slug: 'g-first', html: link('__GHOST_URL__/g-about/', 'about') }),
      post({ id: '3', slug: 'archive', type: 'page' }),
    ]),
    [
      { slug: 'g-about', kind: 'page', content: link('/post/2', 'first') },
      { kind: undefined, content: link('/g-about', 'about'), address: '/g-first/' },
      { slug: expect.stringMatching(/^archive-[0-9a-f]{6}$/), kind: 'page' },
    ],
  ],
  'takes tags in their order, but none that readers never saw': [one({}, TAGS), { tags: ['First', 'Second'] }],
  // The first user of every blog has the id 1.
  ...each(['anna', 'ben'], (name) => [
    `takes the first user of the blog of ${name} for that of no other blog`,
    one({ id: name.padEnd(24, '0'), author_id: '1' }, { users: [{ id: '1', name, email: `g-${name}@example.com` }] }),
    { email: `g-${name}@example.com` },
    { people: true, place: 'every blog of Ghost' },
  ]),
  ...each(
    ['visibility members', 'visibility paid', 'status sent', 'status draft', 'status scheduled'].map((w) =>
      w.split(' '),
    ),
    ([key = '', value]) => [`makes nothing public of ${key} ${value}`, one({ [key]: value }), { status: 'inactive' }],
  ),
  'publishes at its time a scheduled post, and none for members': [
    ghost([post(SCHEDULED), post({ ...SCHEDULED, id: '2', visibility: 'members' })]),
    [SCHEDULED.published_at, undefined].map((publishAt) => ({ status: 'inactive', publishAt })),
  ],
  'finds the pictures at __GHOST_URL__ in the content folder': [
    one({ html: image('size/w600/2020/a.png', 'r'), feature_image: '__GHOST_URL__/content/images/2020/a.png' }),
    { content: shown, featuredImage: 'picture 1' },
    { pictures: ['content/images/2020/a.png'] },
  ],
  'takes the folder of a backup, with its pictures': [BACKUP, `<p>x</p>${shown}`],
  'names a picture as lost that is neither in the export nor to be had': [
    one({ html: '<img src="__GHOST_URL__/content/images/gone.png" alt="the gone one">' }),
    { content: '<p>the gone one</p>', losses: ['gone.png'] },
  ],
  ...each(BOTH, ([name, payload, html]) => [
    `reads the card ${name} of Mobiledoc`,
    one(mobiledoc({ cards: [[name, payload]], sections: [[10, 0]] })),
    html,
  ]),
  ...each(OF_LEXICAL, ([node, html]) => [`reads in Lexical ${JSON.stringify(node)}`, one(lexical(node)), html]),
  'renders the Lexical of a draft, and shows an unknown card as code': [
    one(lexical({ type: 'paragraph', children: [text('a < b', 1)] }, { type: 'strange', word: 'kept' })),
    { content: expect.stringMatching(/^<p><strong>a &lt; b<\/strong><\/p>.*"word": "kept"/s), losses: ['“strange”'] },
  ],
  'renders the Mobiledoc of a draft': [
    one(
      mobiledoc({
        atoms: [['soft-return', '', {}]],
        cards: [['hr', {}]],
        markups: [['em'], ['a', ['href', 'https://x.test']]],
        sections: [
          [
            1,
            'p',
            [
              [0, [0], 1, 'a'],
              [1, [], 0, 0],
              [0, [1], 1, 'b'],
            ],
          ],
          [10, 0],
          [3, 'ul', [[[0, [], 0, 'c']]]],
        ],
      }),
    ),
    '<p><em>a</em><br><a href="https://x.test">b</a></p><hr><ul><li>c</li></ul>',
  ],
  'reads the Markdown of Ghost 0 and 1 and of cards, with times in milliseconds': [
    ghost([
      post({ html: null, markdown: 'a **c**', published_at: 1577934245000 }),
      post({ id: '2', ...mobiledoc({ cards: [['markdown', { markdown: '- *b*' }]], sections: [[10, 0]] }) }),
    ]),
    [{ content: '<p>a <strong>c</strong></p>', createdAt: CREATED }, '<ul><li><em>b</em></li></ul>'],
  ],
  'takes cards without the controls of their players, and the caption of the featured picture as a note': [
    one({ html: CARDS.join(''), feature_image_caption: 'By <a href="https://p.test">Ben</a>' }),
    {
      content: expect.stringMatching(/^(?!.*(?:0:00|1×)).*v\.mp4.*a\.mp3.*A song.*Why.*Because\..*Ann Press/s),
      notes: 'the featured picture’s caption (By Ben)',
    },
  ],
  'reports a byte that is not UTF-8 behind a byte-order mark': [
    bytes(`\xef\xbb\xbf${one({ html: '<p>CAFE</p>' }).replace('CAFE', 'caf\xe9')}`),
    ['<p>caf\ufffd</p>', { outcome: 'skipped', losses: ['line 1: not valid UTF-8'] }],
  ],
  'refuses a damaged file': ['{"db":[}', new Error('damaged or not JSON')],
  'refuses JSON of another program': ['{"a":1}', new Error('not a Ghost export')],
  'says that JSON was cut short': ['{"db":[{"data":{"posts":[{"id":"a","title":"On', new Error('ghost.json was cut')],
};

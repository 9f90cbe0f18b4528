import { expect } from 'vitest';
import { bytes, cdata, each, formula, LONGEST_MS, link, type Rows, SLOW, TOO_SLOW } from './rows.ts';

const ITEM = { id: 1, name: '', status: 'publish', type: 'post', title: 'A', content: 'text', more: '' };
let count = 0;
export function item(given: Partial<typeof ITEM> = {}): string {
  const { id, name, status, type, title, content, more } = { ...ITEM, name: `w-${++count}`, ...given };
  return `<item><title>${title}</title><link>https://old.test/2020/01/${name}/</link><dc:creator>anna</dc:creator><content:encoded>${cdata(content)}</content:encoded><wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt><wp:post_name>${name}</wp:post_name><wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type>${more}</item>`;
}
/** Returns an export whose items begin on the third line. */
export const wxr = (...items: string[]) =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" xmlns:content="c" xmlns:dc="d" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.test</wp:base_blog_url><wp:author><wp:author_login>anna</wp:author_login><wp:author_email>anna@example.com</wp:author_email><wp:author_display_name>Anna</wp:author_display_name></wp:author>\n${items.join('\n')}</channel></rss>`;
/** Padding before an item, so that a file's first 64 KiB chunk ends in the item's title, at a place set by `SHIFTS`. */
const FILLER = `<!-- ${'x'.repeat(65_456 - wxr().length + '</channel></rss>'.length)} -->`;
const SHIFTS = Array.from({ length: 13 }, (_, at) => 'y'.repeat(7 * at));
const post = (content: string, more = '') => wxr(item({ content, more }));
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`;
const upload = (file: string) => `https://old.test/wp-content/uploads/${file}`;
export function attachment(file: string, id = 9, parent = 0): string {
  const more = `<wp:post_parent>${parent}</wp:post_parent><wp:attachment_url>${upload(file)}</wp:attachment_url>`;
  return item({ id, type: 'attachment', more });
}
export const thumbnail = (id: number) => meta('_thumbnail_id', `${id}`);
const PASSWORD = '<wp:post_password>x</wp:post_password>';
const term = ([domain, nicename, name]: readonly [string, string, string]) =>
  `<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>`;
const TERMS = [
  ['category', 'news', 'News'],
  ['post_tag', 'ink', 'Ink'],
  ['category', 'uncategorized', 'Uncategorized'],
  ['post_format', 'post-format-gallery', 'Gallery'],
  ['language', 'de', 'Deutsch'],
  ['post_translations', 'pll_1', 'pll_1'],
  ['author', 'cap-anna', 'anna-login'],
] as const;
const warning = '<b>Warning</b>: x in y.php';
const figure = (src: string, alt = '') => `<figure><img src="${src}" alt="${alt}"></figure>`;
const jpg = upload('b.jpg');

const flash = (address: string) =>
  `<object width="4"><param name="movie" value="${address}"></param><embed src="${address}"></embed></object>`;
const BACKGROUND = 'class="wp-block-cover__image-background"';
const cover = (html: string) =>
  `<!-- wp:cover {"url":"${jpg}"} --><div class="wp-block-cover">${html}<p>Words</p></div><!-- /wp:cover -->`;

const CONTENTS: readonly (readonly [content: string, html: string, losses?: readonly string[]])[] = [
  [
    'one\ntwo\n\n<pre>a\n\nb</pre>\nthree\n<ul>\n<li>x</li>\n\n<li>y</li>\n</ul>\n<blockquote>q\n\nr</blockquote>',
    '<p>one<br>two</p><pre><code>a\n\nb</code></pre><p>three</p><ul><li>x</li><li>y</li></ul><blockquote><p>q</p><p>r</p></blockquote>',
  ],
  ['a\n\n<!--more-->\n\nb\n\n<!--nextpage-->\n\nc', '<p>a</p><p>b</p><hr><p>c</p>'],
  ['<!-- wp:group {"a":{"b":"c"}} --><div><!-- wp:columns --><p>d</p><!-- /wp:columns --></div>', '<p>d</p>'],
  [
    '<!-- wp:html --><figure><iframe src="https://v.test/1"></iframe><figcaption>c</figcaption></figure><h2><img src="https://x.test/a.png"></h2><h3></h3><code><p>a</p><p>b</p></code><strong><p>d</p><ul><li>e</li></ul></strong><!-- /wp:html -->',
    '<figure><p><a href="https://v.test/1">v.test</a></p><figcaption>c</figcaption></figure><p><img src="https://x.test/a.png"></p><pre><code>a\nb</code></pre><p><strong>d</strong></p><ul><li>e</li></ul>',
  ],
  [
    '<p>a <a href="https://x.test/ink/"><img src="https://x.test/i.png"></a> <a href="https://x.test/"><img src="https://x.test/i.png" alt="red"></a></p>',
    '<p>a <a href="https://x.test/ink/"><img src="https://x.test/i.png" alt="x.test/ink"></a> <a href="https://x.test/"><img src="https://x.test/i.png" alt="red"></a></p>',
  ],
  // Shortcodes.
  ['[embed]https://v.test/1[/embed]', link('https://v.test/1')],
  ['[code lang="js"]a < b[/code]', '<pre><code class="language-js">a &lt; b</code></pre>'],
  ['[cce_php lang="php"]<table><b>[/cce_php]', '<pre><code class="language-php">&lt;table&gt;&lt;b&gt;</code></pre>'],
  ['[php]a < b[/php] and [php]', '<pre><code class="language-php">a &lt; b</code></pre><p>and [php]</p>'],
  ['he said [sic] and [1]', '<p>he said [sic] and [1]</p>'],
  ['[[gallery]]', '<p>[gallery]</p>'],
  ['[box color="red"]kept [b x="1"] text[/box]', '<p>kept <code>[b x="1"]</code> text</p>'],
  // Audio and video.
  ['[audio src="https://s.test/a.mp3"]', link('https://s.test/a.mp3')],
  ['[audio mp3="https://s.test/a.mp3" ogg="https://s.test/a.ogg"][/audio]', link('https://s.test/a.mp3')],
  ['[video width="640" height="360" mp4="https://s.test/v.mp4"][/video]', link('https://s.test/v.mp4')],
  [flash('http://www.youtube.com/v/abc&hl=en'), link('https://www.youtube.com/watch?v=abc', 'Video (YouTube)')],
  ['<object><param name="movie" value="https://s.test/f.swf"></object>', link('https://s.test/f.swf', 's.test')],
  ['[playlist ids="7"]', link(upload('a.mp3'))],
  ['[vimeo 12345]', link('https://vimeo.com/12345')],
  ['[youtube id="a-b_c"]', link('https://www.youtube.com/watch?v=a-b_c')],
  ['[youtube=http://www.youtube.com/watch?v=abc&amp;w=640&h=385]', link('http://www.youtube.com/watch?v=abc')],
  ['<!-- wp:social-link {"url":"https:\\/\\/s.test/?v=a\\u0026t=3"} /-->', link('https://s.test/?v=a&amp;t=3')],
  // Formulas.
  ['$latex e = mc^2$', `<p>${formula('e = mc^2')}</p>`],
  ['So $latex \\frac{a}{b} &lt; 1&amp;bg=ffffff&s=2$ it is.', `<p>So ${formula('\\frac{a}{b} &lt; 1')} it is.</p>`],
  ['[latex]a_1 [b] c[/latex]', `<p>${formula('a_1 [b] c')}</p>`],
  [
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
    `<p>${formula('x^2')}</p>`,
  ],
  ['<math alttext="x_i"><msub><mi>x</mi><mi>i</mi></msub></math>', `<p>${formula('x_i')}</p>`],
  ['<pre>$latex a^2$ [latex]b[/latex]</pre>', '<pre><code>$latex a^2$ [latex]b[/latex]</code></pre>'],
  ['It costs $latex', '<p>It costs $latex</p>'],
  // Background pictures.
  [
    `<!-- wp:cover {"url":"${jpg}"} --><div class="wp-block-cover has-background-dim" style="background-image:url(${jpg})"><p class="wp-block-cover-text">Words</p></div><!-- /wp:cover -->`,
    `${figure(jpg)}<p>Words</p>`,
    [jpg],
  ],
  [
    `<!-- wp:cover {"url":"${jpg}","hasParallax":true} --><div class="wp-block-cover has-parallax"><div role="img" aria-label="A press" class="wp-block-cover__image-background has-parallax" style="background-position:50% 50%;background-image:url('${jpg}')"></div><div class="wp-block-cover__inner-container"><p>Words</p></div></div><!-- /wp:cover -->`,
    `${figure(jpg, 'A press')}<p>Words</p>`,
    [jpg],
  ],
  [cover(`<img ${BACKGROUND} alt="" src="${jpg}"/>`), `<p><img src="${jpg}" alt=""></p><p>Words</p>`, [jpg]],
  [
    `<!-- wp:media-text {"imageFill":true} --><div class="wp-block-media-text"><figure class="wp-block-media-text__media" style="background-image:url(${jpg});background-position:50% 50%"><img src="${jpg}" alt="A press"/></figure><p>Words</p></div><!-- /wp:media-text -->`,
    `${figure(jpg, 'A press')}<p>Words</p>`,
    [jpg],
  ],
  [
    `<!-- wp:group {"style":{"background":{"backgroundImage":{"url":"${jpg}","id":6,"source":"file"}}}} --><div class="wp-block-group"><!-- wp:paragraph --><p>Words</p><!-- /wp:paragraph --></div><!-- /wp:group -->`,
    `${figure(jpg)}<p>Words</p>`,
    [jpg],
  ],
  [`<p style="background-image:url(${jpg})">Words</p>`, '<p>Words</p>'],
];

const LOST = [
  ['[gallery]', 'a gallery'],
  ['[playlist ids="8"]', 'track 8 of a playlist'],
  ['[video][/video]', 'without an address'],
  ['<object><param name="quality" value="high"></object>', '<object>'],
  ['<math><mi>x</mi></math>', '<math> x'],
] as const;

/** Titles that are not valid XML, each with the title that the importer reads and the note that it reports. */
const TITLES = [
  ['Ink & Paper', 'Ink & Paper', '“&” does not start a character reference and was kept as text: &'],
  ['AT&T', 'AT&T', '“&” does not start a character reference and was kept as text: AT&T'],
  ['Ink&nbsp;pots', 'Ink pots', '&nbsp; is an HTML entity and was read as “\u00a0”'],
  ['Caf&eacute;', 'Café', '&eacute; is an HTML entity and was read as “é”'],
  ['a &unknown; b', 'a &unknown; b', '“&” does not start a character reference and was kept as text: &unknown;'],
  ['2 < 3', '2 < 3', '“<” does not start a tag and was kept as text: <'],
  ['tab&#11;bed', 'tabbed', '&#11; is not a valid XML character and was left out'],
] as const;

const SPOILT: readonly (readonly [where: string, spoil: (xml: string) => string, line: number])[] = [
  ['before its declaration', (xml) => `<br />\n${warning}<br />\n${xml}`, 1],
  ['between declaration and root', (xml) => xml.replace('\n', `\n${warning}<br />\n`), 1],
  ['behind its root', (xml) => `${xml}\n<br>\n${warning}`, 5],
];

export const WORDPRESS: Rows = {
  'takes posts, links them to each other, and makes their author an account': [
    wxr(item({ content: link('https://old.test/2020/01/w-to/#p', 'to'), name: 'w-a' }), item({ id: 2, name: 'w-to' })),
    [{ id: 'w-a', content: link('/post/2#h-p', 'to'), email: 'anna@example.com' }, { address: '/2020/01/w-to/' }],
    { people: true },
  ],
  'takes a page for one at its own address, and leads there from links and old addresses': [
    wxr(
      item({ name: 'w-us', type: 'page', content: link('https://old.test/2020/01/w-first/', 'first') }),
      item({ id: 2, name: 'w-first', content: link('https://old.test/2020/01/w-us/#who', 'who') }),
      item({ id: 3, name: 'login', type: 'page' }),
    ),
    [
      { slug: 'w-us', kind: 'page', content: link('/post/2', 'first'), leadsTo: '/w-us', address: '/2020/01/w-us/' },
      { slug: 'w-first', kind: undefined, content: link('/w-us#h-who', 'who'), address: '/2020/01/w-first/' },
      { slug: expect.stringMatching(/^login-[0-9a-f]{6}$/), kind: 'page', notes: [] },
    ],
  ],
  ...each(CONTENTS, ([content, html, losses = []]) => [
    `reads ${content}`,
    wxr(item({ content }), attachment('a.mp3', 7)),
    { content: html, losses },
  ]),
  ...each(LOST, ([content, loss]) => [`names what ${content} loses`, post(content), { losses: [loss] }]),
  'leaves an ampersand in a text as it is, without a note': [
    post('a &amp; b & <em>c &nbsp;d</em> a<b'),
    { content: expect.stringContaining('a &amp; b &amp; <em>c'), noNote: 'line' },
  ],
  'takes a reusable block by its number, and names one without a text': [
    wxr(
      item({ content: '<p>a</p><!-- wp:block {"ref":7} /--><!-- wp:latest-posts /-->' }),
      item({ id: 7, type: 'wp_block', content: '<!-- wp:paragraph --><p>shared</p><!-- /wp:paragraph -->' }),
    ),
    { content: '<p>a</p><p>shared</p>', losses: ['wp:latest-posts'] },
  ],
  'takes the original of a sized picture, with its caption, and the featured picture by its number': [
    wxr(
      attachment('2020/a.png'),
      item({
        content: `[caption id="x"]<img src="${upload('2020/a-300x200.png')}" alt="red"> A sheet[/caption]`,
        more: thumbnail(9),
      }),
    ),
    {
      content: '<figure><img src="picture 1" alt="red" width="9" height="9"><figcaption>A sheet</figcaption></figure>',
      featuredImage: 'picture 1',
    },
    { pictures: ['2020/a.png'] },
  ],
  'takes the original of a picture that ends in -scaled': [
    wxr(item({ content: `x <img src="${upload('b-scaled.png')}" alt="red">` }), attachment('b.png')),
    '<p>x <img src="picture 1" alt="red" width="9" height="9"></p>',
    { pictures: ['b.png'] },
  ],
  'takes off a link around a picture that leads to that picture, and gives a title as its missing text': [
    wxr(
      item({
        content: `x <a href="${upload('2020/c.png')}"><img src="${upload('2020/c-300x200.png')}" title="red"></a> <a href="https://x.test/"><img src="${upload('2020/c.png')}" alt=""></a>`,
      }),
      attachment('2020/c.png'),
    ),
    '<p>x <img src="picture 1" alt="red" title="red" width="9" height="9"> <a href="https://x.test/"><img src="picture 1" alt="x.test" width="9" height="9"></a></p>',
    { pictures: ['c.png'] },
  ],
  'reads a file whose namespaces are missing': [
    post('text').replace(/ xmlns:\w+="[^"]*"/g, ''),
    { title: 'A', content: '<p>text</p>', status: 'active' },
  ],
  'shows a gallery without numbers as the pictures that were attached to its post, by wp:post_parent': [
    wxr(
      attachment('p7.png', 7, 1),
      attachment('p8.png', 8, 2),
      item({ content: '[gallery]' }),
      attachment('p9.png', 9, 1),
    ),
    { content: figure(upload('p7.png')) + figure(upload('p9.png')), losses: ['p7.png', 'p9.png'] },
  ],
  'keeps the address of a picture that cannot be had as a loss': [
    post(`<img src="${upload('gone.png')}" alt="g">`),
    { content: `<p><img src="${upload('gone.png')}" alt="g"></p>`, losses: [upload('gone.png')] },
  ],
  'names a featured picture that is not in the file': [
    post('text', thumbnail(99)),
    { featuredImage: '', notes: 'the featured picture (number 99), because it is not in this file' },
  ],
  ...each(['draft', 'pending', 'private', 'trash', 'future'], (status) => [
    `takes a post that is ${status} as inactive`,
    wxr(item({ status })),
    { status: 'inactive', notes: `its status was ${status}` },
  ]),
  'takes a post with a password as inactive': [post('text', PASSWORD), { status: 'inactive' }],
  'publishes at its time a scheduled post, and none with a password': [
    wxr(item({ status: 'future' }), item({ id: 2, status: 'future', more: PASSWORD })).replaceAll('2020-', '2999-'),
    ['2999-01-02T03:04:05.000Z', undefined].map((publishAt) => ({ status: 'inactive', publishAt })),
  ],
  'knows no date in 0000-00-00 00:00:00': [
    wxr(item({ status: 'draft' })).replace('2020-01-02 03:04:05', '0000-00-00 00:00:00'),
    { createdAt: expect.stringMatching(/^20[2-9]/) },
  ],
  'reads percent-encoded slugs, CDATA in CDATA, entities in titles and control characters': [
    wxr(
      item({ name: '%e6%97%a5', content: ']]> b\u0007', title: '&lt;script&gt;x&lt;/script&gt; A &amp;amp; B&nbsp;C' }),
    ),
    { id: expect.stringMatching(/^ri/), content: '<p>]]&gt; b</p>', title: expect.stringContaining('A & B C') },
  ],
  'gives two posts with one slug two addresses': [
    wxr(item({ id: 1, name: 'same' }), item({ id: 2, name: 'same' })),
    [{ id: 'same' }, { id: expect.stringMatching(/^same-[0-9a-f]{6}$/) }],
  ],
  'never unserialises PHP, and lists what is no post': [
    wxr(
      item({ more: meta('m', 'O:8:"Evil":1:{s:1:"a";s:1:"]";}') }),
      item({ id: 2, type: 'nav_menu_item' }),
      item({ id: 3, status: 'auto-draft' }),
    ),
    [{ outcome: 'skipped' }, { outcome: 'skipped' }, '<p>text</p>'],
  ],
  'refuses entity bombs and external entities by their DTD': [
    post('text').replace('<rss', '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss'),
    new Error('a DTD'),
  ],
  'takes the footnotes of the block editor out of the field that holds them': [
    post(
      '<!-- wp:paragraph --><p>Ink<sup data-fn="u1" class="fn"><a href="#u1" id="u1-link">1</a></sup>.</p><!-- /wp:paragraph --><!-- wp:footnotes /-->',
      meta('footnotes', '[{"content":"Very <em>old</em>.","id":"u1"}]'),
    ),
    '<p>Ink<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup>.</p><section data-footnotes=""><ol><li id="fn-1"><p>Very <em>old</em>. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
  ],
  'takes categories and tags as tags, the excerpt and the language, and not what plugins keep as terms': [
    post('text', `${TERMS.map(term).join('')}<excerpt:encoded>Short</excerpt:encoded>`),
    { tags: ['News', 'Ink'], language: 'de', excerpt: 'Short' },
  ],
  'reads several files, whose attachments stand in another, and each post once': [
    {
      '1.xml': wxr(item({ content: '[gallery ids="9"]' }), item({ id: 2, content: 'two' })),
      '2.xml': wxr(attachment('2020/b.png'), item({ id: 2, content: 'again' })),
    },
    [{ content: figure(upload('2020/b.png')), losses: ['b.png'] }, '<p>two</p>'],
  ],
  'reports a byte that is not UTF-8 with its line and word, at its own post': [
    bytes(wxr(item({ content: 'caf\xe9 beta' }), item({ id: 2, content: 'B' }))),
    [
      { content: '<p>caf\ufffd beta</p>', losses: ['line 3: not valid UTF-8, replaced with “\ufffd”: caf\ufffd'] },
      '<p>B</p>',
    ],
  ],
  'tells a letter that was replaced from one that was lost before': [post('caf\ufffd beta'), '<p>caf\ufffd beta</p>'],
  ...each(SPOILT, ([where, spoil, line]) => [
    `reads a file although a warning of PHP stands ${where}, with a note`,
    spoil(post('First')),
    ['<p>First</p>', { path: 'export.xml', outcome: 'skipped', notes: [`line ${line}: `, 'left out text', 'Warning'] }],
  ]),
  'counts lines from the first, with a warning above and a byte-order mark': [
    bytes(`\xef\xbb\xbf\n<b>Warning</b>\n\n${post('caf\xe9')}`),
    [{ losses: ['line 6: not valid UTF-8, replaced with “\ufffd”: caf'] }, { outcome: 'skipped' }],
  ],
  ...each(TITLES, ([title, read, note]) => [
    `reads the title ${title}`,
    wxr(item({ title })),
    { title: read, notes: `line 3: ${note}` },
  ]),
  'names a post’s fault in that post alone': [
    wxr(item({ title: 'A&B' }), item({ id: 2, title: 'C&D' })),
    [3, 4].map((line) => ({ notes: `line ${line}: `, noNote: `line ${7 - line}` })),
  ],
  'says where a file was cut short, with the posts before': [
    wxr(item({ content: 'One' }), item({ id: 2, content: 'Two and a half' })).replace(/and a half.*/s, ''),
    [{ outcome: 'failed', reason: expect.stringMatching(/was cut short on line 4/) }, '<p>One</p>'],
  ],
  'refuses a file in another encoding': [bytes(post('\xe4\xf6\xfc\xdf '.repeat(40))), new Error('is not UTF-8 text.')],
  'names an item that takes too long, and takes the others': [
    wxr(item(), item({ id: 2, content: SLOW }), item({ id: 3 })),
    ['<p>text</p>', TOO_SLOW, '<p>text</p>'],
    { longestMs: LONGEST_MS },
  ],
  ...each(SHIFTS, (shift) => [
    `reads alike in pieces that end anywhere, ${shift.length} letters further`,
    wxr(FILLER, item({ title: `T${shift} AT&T &eacute; <!-- & --> end`, content: 'z & z' })),
    { title: `T${shift} AT&T é end` },
  ]),
};

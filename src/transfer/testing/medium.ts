import { expect } from 'vitest';
import { bytes, link, type Rows } from './rows.ts';

const heading = (title: string) => `<h3 class="graf graf--h3 graf--leading graf--title">${title}</h3>`;
const page = (title: string, body: string, id: string, time = true) =>
  `<!DOCTYPE html><html><head><title>${title}</title><style>p{}</style></head><body><article class="h-entry"><header><h1 class="p-name">${title}</h1></header><section data-field="body" class="e-content"><section class="section section--body"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner">${body}</div></div></section></section><footer><p>By <a href="https://medium.com/@anna" class="p-author h-card">Anna</a>${
    time ? ` on <time class="dt-published" datetime="2020-01-02T03:04:05.678Z">January 2, 2020</time>` : ''
  }</p><p><a href="https://medium.com/@anna/t-${id}" class="p-canonical">Canonical link</a></p></footer></article></body></html>`;
const threeDigits = (number: number) => String(number).padStart(3, '0');
const idOf = (number: number) => `aaaaaaaaa${threeDigits(number)}`;
let count = 0;
/** Returns the files of a post. Medium repeats the title above the body. */
export const mediumPost = (body: string, { title = 'T', number = ++count, above = heading(title) } = {}) => ({
  [`posts/2020-01-02_Post-number-${threeDigits(number)}-${idOf(number)}.html`]: page(title, above + body, idOf(number)),
});

const HALF =
  '<article class="h-entry"><h1 class="p-name">Half</h1><section data-field="body" class="e-content"><p>caf\xe9 beta';
const SCRIPT = '&lt;script&gt;x()&lt;/script&gt; Twice';
const [gist, player] = ['https://gist.github.com/a/1', 'https://www.youtube.com/watch?v=abc'];

export const MEDIUM: Rows = {
  'links its posts to each other by the end of any of their addresses, without the repeated title and its divider': [
    {
      ...mediumPost(link(`https://medium.com/p/${idOf(902)}#part`, 'to'), { title: 'One', number: 901 }),
      ...mediumPost('<p class="graf graf--p">one</p>', { title: 'Two', number: 902 }),
    },
    [link('/post/2#h-part', 'to'), { content: '<p>one</p>', address: `/@anna/t-${idOf(902)}` }],
  ],
  'keeps a heading that is not the title': [
    mediumPost('<p class="graf graf--p">one</p>', { title: 'Another', above: heading('T') }),
    '<h2>T</h2><p>one</p>',
  ],
  'reads h3 and h4 as the two levels they are': [
    mediumPost('<h3 class="graf graf--h3">a</h3><p class="graf graf--p">x</p><h4 class="graf graf--h4">b</h4>'),
    '<h2>a</h2><p>x</p><h3>b</h3>',
  ],
  'reads code whose lines are breaks, with its language': [
    mediumPost('<pre data-code-block-lang="python" class="graf graf--pre">a<br>  b &lt; c</pre>'),
    '<pre><code class="language-python">a\n  b &lt; c</code></pre>',
  ],
  'links a gist, a player and the card of another page, and names an embed that the export does not hold': [
    mediumPost(
      `<figure class="graf graf--figure graf--iframe"><script src="${gist}.js"></script><figcaption class="imageCaption">Code</figcaption></figure><figure class="graf--iframe"><iframe src="https://www.youtube.com/embed/abc?x=1"></iframe></figure><div class="graf graf--mixtapeEmbed"><a href="https://x.test/" class="markup--mixtapeEmbed-anchor"><strong>Title</strong><br><em>words</em>x.test</a><a href="https://x.test/" class="js-mixtapeImage"></a></div><figure class="graf--iframe"></figure>`,
    ),
    {
      content: `${link(gist)}<p>Code</p>${link(player, 'Video (YouTube)')}${link('https://x.test/', '<strong>Title</strong><br><em>words</em>x.test')}`,
      losses: ['an embed'],
    },
  ],
  'takes the original of a scaled picture by its data-image-id, with its caption': [
    mediumPost(
      '<p class="graf graf--p">x</p><figure class="graf graf--figure"><div class="aspectRatioPlaceholder"><div class="aspectRatioPlaceholder-fill"></div><img data-image-id="1*abc.png" src="https://cdn-images-1.medium.com/max/800/1*abc.png" alt="red"></div><figcaption class="imageCaption">A sheet</figcaption></figure>',
    ),
    '<p>x</p><figure><img src="picture 1" alt="red" width="9" height="9"><figcaption>A sheet</figcaption></figure>',
    { pictures: ['1-abc.png'] },
  ],
  'makes nothing public of drafts': [
    { 'posts/draft_Not-yet-bbbbbbbbbb01.html': page('Not yet', heading('Not yet'), 'bbbbbbbbbb01', false) },
    { status: 'inactive', title: 'Not yet', notes: 'it was a draft, so only its author can see it' },
  ],
  'tells responses, which look like posts, and makes them inactive': [
    mediumPost('<p class="graf graf--p">Well said, I think so too.</p>', { title: 'Well said, I think…', above: '' }),
    { status: 'inactive', notes: 'response' },
  ],
  'takes the writer’s address from the profile, and no other files': [
    {
      ...mediumPost('<p>x</p>'),
      'profile/profile.html': '<ul><li><b>Email address:</b> anna-of-medium@example.com</li></ul>',
      'claps/claps-0001.html': '<p>c</p>',
    },
    [{ outcome: 'skipped', path: '2 other files' }, { email: 'anna-of-medium@example.com' }],
    { people: true },
  ],
  'reads a script in a title as words, and gives two posts with one title two addresses': [
    { ...mediumPost('', { title: SCRIPT }), ...mediumPost('<p>x</p>', { title: SCRIPT }) },
    [{ title: '<script>x()</script> Twice' }, { title: '<script>x()</script> Twice' }],
  ],
  'fails for a file that is no text, and takes the others': [
    {
      'posts/2020-01-02_Broken-bbbbbbbbbb02.html': bytes(page('B', '', 'bbbbbbbbbb02') + '\0'.repeat(60)),
      ...mediumPost('<p>x</p>'),
    },
    [{ outcome: 'failed', reason: expect.stringContaining('not UTF-8') }, '<p>x</p>'],
  ],
  'names a page that was cut short, and a byte that is not UTF-8': [
    { 'posts/2020-01-02_Half-aaaaaaaaaa09.html': bytes(HALF) },
    { content: '<p>caf\ufffd beta</p>', losses: ['line 1: not valid UTF-8, replaced with', 'was cut short'] },
  ],
};

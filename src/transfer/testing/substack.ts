import { bytes, CREATED, each, escaped, formula, link, type Rows } from './rows.ts';

const HEADER = 'post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url';
let count = 100;
type Given = Partial<Record<'title' | 'published' | 'audience' | 'type' | 'podcast' | 'slug', string>> & {
  readonly html?: string | null;
};
export function substack(...all: readonly Given[]): Record<string, string> {
  const files: Record<string, string> = { 'email_list.x.csv': 'email\na@example.com\n' };
  const rows = all.map(({ title = 'T', published = 'true', audience = 'everyone', type = 'newsletter', ...given }) => {
    const id = `${++count}.${given.slug ?? `letter-${count}`}`;
    if (given.html !== null) files[`posts/${id}.html`] = given.html ?? '<p>x</p>';
    return `${id},2020-01-02T03:04:05.000Z,${published},,,${type},${audience},"${title.replaceAll('"', '""')}",,${given.podcast ?? ''}`;
  });
  return { ...files, 'posts.csv': [HEADER, ...rows, ''].join('\n') };
}
const html = (html: string) => substack({ html });
const widget = (name: string, attrs: object, inner = '', tag = 'div') =>
  `<${tag} class="${name}" data-attrs="${escaped(JSON.stringify(attrs))}">${inner}</${tag}>`;

const original = 'https://substack-post-media.s3.amazonaws.com/public/images/a.png';
const scaled = `https://substackcdn.com/image/fetch/w_1456,c_limit/${encodeURIComponent(original)}`;
const undecodable = 'https://substackcdn.com/image/fetch/w_1/https%3A%2F%2Fx.test%2F%E0%A4%A.png';
const quote = (...lines: readonly string[]) => `<blockquote>${lines.join('')}</blockquote>`;

const TWEETS: readonly (readonly [object, string])[] = [
  [
    {
      ...{ full_text: 'Said so', name: 'Ann', url: 'https://x.com/1' },
      quoted_tweet: { full_text: 'First', name: 'Ben', username: 'ben', url: 'https://x.com/ben/2' },
    },
    quote('<p>Said so</p>', quote('<p>First</p>', link('https://x.com/ben/2', 'Ben')), link('https://x.com/1', 'Ann')),
  ],
  [
    { full_text: 'Look', username: 'ann', quoted_tweet: { full_text: 'Mine', username: 'ben' } },
    quote('<p>Look</p>', quote('<p>Mine</p>', '<p>@ben</p>'), '<p>@ann</p>'),
  ],
  [
    {
      ...{ full_text: 'See', url: 'https://x.com/a/3', video_url: 'https://video.test/1.mp4' },
      photos: [{ img_url: 'https://pbs.test/1.jpg', alt_text: 'A press' }],
      expanded_url: { url: 'https://example.com/on', title: 'On ink' },
    },
    quote(
      '<p>See</p><p><img src="https://pbs.test/1.jpg" alt="A press"></p>',
      link('https://video.test/1.mp4'),
      link('https://example.com/on', 'On ink'),
      link('https://x.com/a/3'),
    ),
  ],
  [
    { full_text: 'Plain', url: 'https://x.com/a/4', quoted_tweet: {}, photos: [], video_url: null, expanded_url: {} },
    quote('<p>Plain</p>', link('https://x.com/a/4')),
  ],
];

export const SUBSTACK: Rows = {
  'takes posts with their title, date and address, and links them to each other': [
    substack({ title: 'Ink', slug: 's-from', html: link('https://old.test/p/s-to#part', 'to') }, { slug: 's-to' }),
    [
      { id: 's-from', title: 'Ink', status: 'active', createdAt: CREATED, content: link('/post/2#h-part', 'to') },
      { address: '/p/s-to' },
    ],
    { oldSite: 'https://old.test' },
  ],
  ...each(['only_paid', 'founding', 'only_free', 'everyone'], (audience) => [
    `makes nothing public that is for ${audience} with is_published ${audience !== 'everyone'}`,
    substack({ audience, published: `${audience !== 'everyone'}` }),
    { status: 'inactive', notes: 'only its author can see it' },
  ]),
  'reads is_published in any case': [substack({ published: 'TRUE' }), { status: 'active' }],
  'reads HTML and its entities in the CSV as text, and runs nothing of it': [
    substack({ title: 'A &amp; B <em>C</em><script>x()</script>, "D"' }),
    { title: 'A & B Cx(), "D"' },
  ],
  'fails for a published post without its HTML file, and skips such a draft': [
    substack({ html: null }, { html: null, published: 'false' }, {}),
    [{ outcome: 'failed' }, { outcome: 'skipped' }, '<p>x</p>'],
  ],
  'takes and tells nothing of the lists of readers': [
    { ...substack({}), 'posts/7.opens.csv': 'email\nann@example.com', 'posts/7.delivers.csv': 'email\n' },
    '<p>x</p>',
  ],
  'names a text that posts.csv does not': [
    { ...substack({}), 'posts/9.lost.html': '<p>words</p>' },
    [{ path: 'posts/9.lost.html', outcome: 'failed' }, '<p>x</p>'],
  ],
  'reads footnotes as footnotes': [
    html(
      '<p>Ink<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a>.</p><div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number" contenteditable="false">1</a><div class="footnote-content"><p>Old.</p></div></div>',
    ),
    '<p>Ink<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup>.</p><section data-footnotes=""><ol><li id="fn-1"><p>Old. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
  ],
  'takes the original of a picture out of data-attrs, with its text and its caption': [
    html(
      `<p>x</p><div class="captioned-image-container"><figure><a class="image-link image2" href="${scaled}"><div class="image2-inset"><picture><source srcset="${scaled} 424w"><img src="${scaled}" data-attrs="${escaped(JSON.stringify({ src: original, alt: 'red' }))}" alt=""></picture><div class="image-link-expand"><svg></svg></div></div></a><figcaption class="image-caption">A sheet</figcaption></figure></div>`,
    ),
    '<p>x</p><figure><img src="picture 1" alt="red" width="9" height="9"><figcaption>A sheet</figcaption></figure>',
    { pictures: ['a.png'] },
  ],
  'shows a picture whose address cannot be decoded from where it is': [
    html(`<p>x <img src="${undecodable}" alt="a"></p>`),
    { content: `<p>x <img src="${undecodable}" alt="a"></p>`, losses: [undecodable] },
  ],
  'shows a gallery as figures': [
    html(
      widget('image-gallery-embed', {
        gallery: { images: ['a', 'b'].map((name) => ({ src: `https://elsewhere.test/${name}.png` })), caption: 'Two' },
      }),
    ),
    '<figure><img src="https://elsewhere.test/a.png" alt=""></figure><figure><img src="https://elsewhere.test/b.png" alt=""><figcaption>Two</figcaption></figure>',
  ],
  'leaves out the widgets that ask for a subscription with a note, and a poll as a loss': [
    html(
      `<p>a</p>${widget('subscription-widget-wrap', { url: '%%checkout_url%%' }, '<p class="cta-caption">Thanks for reading!</p><form></form>')}${widget('button-wrapper', { url: 'https://x.substack.com/subscribe?', text: 'Subscribe' }, '<a class="button" href="x">Subscribe</a>', 'p')}${widget('poll-embed', { id: 1 })}<p>b</p>`,
    ),
    { content: '<p>a</p><p>b</p>', notes: 'Thanks for reading!', losses: ['poll'] },
  ],
  'keeps a formula, a player and the sound of a podcast': [
    substack({
      ...{ type: 'podcast', podcast: 'https://sound.test/1.mp3', title: 'Sound' },
      html: widget('latex-rendered', { persistentExpression: 'a^2' }) + widget('youtube-wrap', { videoId: 'abc' }),
    }),
    {
      content: `${link('https://sound.test/1.mp3', 'Sound')}<pre>${formula('a^2')}</pre>${link('https://www.youtube.com/watch?v=abc')}`,
      notes: 'podcast',
    },
  ],
  ...each(TWEETS, ([given, content]) => [
    `keeps what a post on another network says, quotes and shows: ${JSON.stringify(given).slice(0, 30)}`,
    html(widget('tweet', given)),
    content,
  ]),
  'names a quoted post of another network of which the export holds nothing': [
    html(widget('tweet', { full_text: 'Said so', quoted_tweet: { id: 5 } })),
    { content: quote('<p>Said so</p>'), losses: ['a quoted post from another network: its text is not in the'] },
  ],
  'reports a byte that is not UTF-8 at its own post': [
    Object.fromEntries(
      Object.entries(substack({ html: '<p>caf\xe9 beta</p>' }, {})).map(([name, text]) => [name, bytes(text)]),
    ),
    [{ content: '<p>caf\ufffd beta</p>', losses: ['line 1: not valid UTF-8, replaced with'] }, '<p>x</p>'],
  ],
  'asks for an author: the export names none': [substack({}), new Error('--author EMAIL'), { people: true }],
  'refuses a damaged table in a sentence': [
    { 'posts.csv': `${HEADER}\n"1.a,2020,"x"y"\n`, 'posts/1.a.html': '<p>a</p>' },
    new Error('not CSV'),
  ],
};

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../tests/support/importing.ts';
import { exitCode, reportText } from './write/report.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

let run = 0;
const item = (content: string, { id = 1, title = 'A title' }: { id?: number; title?: string } = {}) =>
  `<item><title>${title}</title><link>https://old.test/p${run}-${id}/</link><dc:creator>ann</dc:creator><content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2020-01-0${id} 10:00:00</wp:post_date_gmt><wp:post_name>p${run}-${id}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`;
const wxr = (...items: string[]) =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0"><channel><wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>https://old.test</wp:base_site_url>\n${items.join('\n')}</channel></rss>`;
/** Encodes every letter as one byte, so that the result may be invalid UTF-8. */
const bytes = (text: string) => Buffer.from(text, 'latin1');

async function take(name: string, content: string | Buffer, format?: string) {
  run += 1;
  return importing.take(await importing.file(name, content), format ? { format } : {});
}

describe('a WordPress export', () => {
  it('is read although one byte of a post is not UTF-8, and its post names the line and the word', async () => {
    const { posts, results } = await take('a.xml', bytes(wxr(item('caf\xe9 beta'), item('Second', { id: 2 }))));
    expect(posts.map((post) => post?.content)).toEqual(['<p>caf\ufffd beta</p>', '<p>Second</p>']);
    expect(results.map(({ losses }) => losses)).toEqual([
      ['line 3: not UTF-8, replaced by “\ufffd”: caf\ufffd'],
      undefined,
    ]);
    expect(exitCode(results)).toBe(1);
  });

  it('tells a letter that was replaced from one that was lost before', async () => {
    const { results } = await take('a.xml', wxr(item('caf\ufffd beta')));
    expect(results.map(({ outcome, losses }) => [outcome, losses])).toEqual([['taken', undefined]]);
  });

  it.each([
    ['before its declaration', (xml: string) => `<br />\n<b>Warning</b>: x in <b>y.php</b><br />\n${xml}`, 1],
    ['between declaration and root', (xml: string) => xml.replace('\n', '\n<b>Warning</b>: x in y.php<br />\n'), 1],
    ['behind its root', (xml: string) => `${xml}\n<br>\n<b>Warning</b>: x in y.php`, 5],
  ])('is read although a warning of PHP stands %s, which is reported', async (_, spoil, line) => {
    const { posts, results } = await take('a.xml', spoil(wxr(item('First'))));
    expect(posts[0]?.content).toBe('<p>First</p>');
    expect(results.at(-1)).toMatchObject({ path: 'a.xml', outcome: 'skipped' });
    expect(results.at(-1)?.notes).toEqual([expect.stringMatching(`^line ${line}: .*left out: .*Warning.*x in`)]);
    expect(exitCode(results)).toBe(0);
  });

  it('counts lines from the file’s first, with a warning above and a byte-order mark', async () => {
    const { results } = await take('a.xml', bytes(`\xef\xbb\xbf\n<b>Warning</b>\n\n${wxr(item('caf\xe9'))}`));
    expect(results[0]?.losses).toEqual([expect.stringMatching(/^line 6: .*caf/)]);
  });

  it.each([
    ['Ink & Paper', 'Ink & Paper', '“&” begins no character reference and stays as it is: &'],
    ['AT&T', 'AT&T', '“&” begins no character reference and stays as it is: AT&T'],
    ['Ink&nbsp;pots', 'Ink pots', '&nbsp; is of HTML and was read as “\u00a0”'],
    ['Caf&eacute;', 'Café', '&eacute; is of HTML and was read as “é”'],
    ['a &unknown; b', 'a &unknown; b', '“&” begins no character reference and stays as it is: &unknown;'],
    ['2 < 3', '2 < 3', '“<” begins no tag and stays as it is: <'],
    ['tab&#11;bed', 'tabbed', '&#11; stands for no character of XML and was left out'],
  ])('is read although its title is %s, which is reported with its line', async (title, read, note) => {
    const { posts, results } = await take('a.xml', wxr(item('Text', { title })));
    expect(posts[0]?.title).toBe(read);
    expect(results[0]?.notes).toEqual([`line 3: ${note}`]);
    expect(exitCode(results)).toBe(0);
  });

  it('leaves an ampersand in a text as it is, with nothing to report', async () => {
    const { posts, results } = await take('a.xml', wxr(item('a &amp; b & <em>c &nbsp;d</em> a<b')));
    expect(posts[0]?.content).toContain('a &amp; b &amp; <em>c');
    expect(results[0]?.notes).toEqual([]);
  });

  it('is read alike in pieces that end anywhere', async () => {
    const filler = 'x'.repeat(65_536);
    for (let shift = 0; shift < 90; shift += 7) {
      const title = `T${'y'.repeat(shift)} AT&T &eacute; <!-- & --> end`;
      const { posts } = await take('a.xml', wxr(`<!-- ${filler.slice(240)} -->`, item(`z & z`, { title })));
      expect(posts[0]?.title).toBe(`T${'y'.repeat(shift)} AT&T é end`);
    }
  });

  it('names a post’s fault in that post alone', async () => {
    const { results } = await take('a.xml', wxr(item('One', { title: 'A&B' }), item('Two', { id: 2, title: 'C&D' })));
    expect(results.map(({ notes }) => notes)).toEqual([
      [expect.stringContaining('line 3: ')],
      [expect.stringContaining('line 4: ')],
    ]);
  });

  it('says where it was cut short, with the posts before', async () => {
    const text = wxr(item('One'), item('Two and a half', { id: 2 }));
    const { results } = await take('a.xml', text.slice(0, text.indexOf('and a half')));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['failed', 'taken']);
    expect(results.find(({ outcome }) => outcome === 'failed')?.reason).toMatch(/was cut short: .*line 4/);
  });

  it('is refused in a sentence where most of it is in another encoding', async () => {
    await expect(take('a.xml', bytes(wxr(item('\xe4\xf6\xfc\xdf '.repeat(40)))), 'wordpress')).rejects.toThrow(
      'a.xml is not UTF-8 text.',
    );
  });
});

it('reads a Blogger feed and an RSS feed with the same faults, and reports them with their lines', async () => {
  const atom = `<b>Warning</b>\n<?xml version="1.0"?><feed xmlns:blogger="http://schemas.google.com/blogger/2018"><entry><id>tag:blogger.com,1999:blog-1.post-1</id><title>Q&A caf\xe9</title><content type="html">text</content><published>2020-01-01T10:00:00Z</published></entry></feed>`;
  const rss = `<b>Warning</b>\n<?xml version="1.0"?><rss><channel><item><title>Q&A caf\xe9</title><guid>g-${run}</guid><description>text</description></item></channel></rss>`;
  for (const [name, text] of [
    ['feed.atom', atom],
    ['rss.xml', rss],
  ] as const) {
    const { posts, results } = await take(name, bytes(text));
    expect(posts[0]?.title).toBe('Q&A caf\ufffd');
    expect(results[0]?.losses).toEqual([expect.stringContaining('line 2: not UTF-8')]);
    expect(results[0]?.notes).toContainEqual(expect.stringMatching(/^line 2: “&”/));
    expect(results[1]?.notes).toEqual([expect.stringContaining('line 1: no part of the XML, left out: <b>Warning')]);
  }
});

it('reads Ghost’s JSON with a byte that is not UTF-8 and a byte-order mark, and reports the word', async () => {
  const json = JSON.stringify({
    db: [{ data: { posts: [{ id: 'a', title: 'One', slug: `g${run}`, html: '<p>CAFE</p>', status: 'published' }] } }],
  });
  const { posts, results } = await take('ghost.json', bytes(`\xef\xbb\xbf${json.replace('CAFE', 'caf\xe9')}`));
  expect(posts[0]?.content).toBe('<p>caf\ufffd</p>');
  expect(results.at(-1)?.losses).toEqual([expect.stringMatching(/^line 1: not UTF-8.*caf/)]);
  expect(exitCode(results)).toBe(1);
});

it('says that JSON was cut short', async () => {
  await expect(take('ghost.json', '{"db":[{"data":{"posts":[{"id":"a","title":"On')).rejects.toThrow(
    'ghost.json was cut short',
  );
});

it('reads Markdown, Substack’s and Medium’s files with a byte that is not UTF-8, each reported at its own post', async () => {
  const post = '<p>CAFE beta</p>';
  const medium = `<article class="h-entry"><h1 class="p-name">M</h1><section data-field="body" class="e-content">${post}</section></article></html>`;
  const folders = [
    { 'a.md': 'First\n\nCAFE beta', 'b.md': '# Whole\n\ntext' },
    {
      'posts.csv': `post_id,post_date,is_published,title\n1.s${run},2020-01-01T10:00:00Z,true,S\n`,
      [`posts/1.s${run}.html`]: post,
    },
    { 'posts/2020-01-02_M-aaaaaaaaaa01.html': medium },
  ];
  for (const files of folders) {
    const spoilt = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, bytes(text.replace('CAFE', 'caf\xe9'))]),
    );
    const { posts, results } = await importing.take(await importing.folder(spoilt));
    expect(posts[0]?.content).toContain('caf\ufffd beta');
    expect(results.map(({ losses = [] }) => losses.length)).toEqual(results.map((_, index) => (index === 0 ? 1 : 0)));
    expect(results[0]?.losses?.[0]).toMatch(/^line \d: not UTF-8, replaced by/);
    expect(results.every(({ outcome }) => outcome === 'taken')).toBe(true);
  }
});

it('takes no picture and no text of another encoding for Markdown', async () => {
  const { results } = await importing.take(
    await importing.folder({
      'a.md': Buffer.from([0x89, 0x50, ...Array(60).fill(0), 0xff, 0xfe]),
      'b.md': bytes('\xe4\xf6\xfc \xdf '.repeat(10)),
      'c.md': Buffer.from('a text of some words without a mark', 'utf16le'),
      'd.md': Buffer.from('\ufeffwith a mark', 'utf16le'),
    }),
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'taken']);
  expect(results[0]?.reason).toContain('is not UTF-8 text');
});

it('says that a page of Medium was cut short', async () => {
  const page =
    '<article class="h-entry"><h1 class="p-name">Half a page</h1><section data-field="body" class="e-content"><p>a';
  const { results } = await importing.take(await importing.folder({ 'posts/2020-01-02_Half-aaaaaaaaaa09.html': page }));
  expect(results[0]?.losses).toEqual([expect.stringContaining('was cut short')]);
});

it('says once, with a count and the posts, what is lost in many of them', async () => {
  const text = '![gone](missing.png)';
  const files = Object.fromEntries(Array.from({ length: 27 }, (_, at) => [`p${at}.md`, `# Post ${at}\n\n${text}`]));
  const { results } = await importing.take(await importing.folder(files));
  const lines = reportText(results)
    .split('\n')
    .filter((line) => line.includes('missing.png'));
  expect(lines).toEqual([expect.stringMatching(/in 27 posts: .*missing\.png: \/post\/.*, \/post\//)]);
});

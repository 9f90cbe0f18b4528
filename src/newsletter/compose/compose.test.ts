import { afterEach, expect, it } from 'vitest';
import { setLanguage } from '#blog/messages/language.ts';
import { composeConfirmation, composeDigest, composeIssue, composePost, MOST_BYTES, personalise } from './compose.ts';
import { LINK, OPTIONS, postOf, RICH, SITE } from './testing.ts';

afterEach(() => setLanguage('en'));

const mailOf = (content: string, others = {}, options = {}) =>
  personalise(composePost(postOf(content, others), { ...OPTIONS, ...options }), LINK);

it('the mail of a post shows code from left to right in a text from right to left', () => {
  const { html } = mailOf('<p>نص عربي عن الحبر <code>--r</code></p><ul><li>نص<pre><code>f() {}</code></pre></li></ul>');
  expect(html).toMatch(/<code style="[^"]*" dir="ltr">--r</);
  expect(html).toMatch(/<pre style="[^"]*text-align:left" dir="ltr">f\(\) \{\}</);
  expect(mailOf('<p><code>a</code></p>').html).not.toMatch(/<code[^>]*dir=/);
});

it('the mail of a post sets two marks of footnotes apart, and pictures on white', () => {
  const mark = (n: number) => `<sup><a href="#fn-${n}" id="fnref-${n}" data-footnote-ref="">${n}</a></sup>`;
  const { html } = mailOf(`<p>a${mark(1)}${mark(2)}</p><p><img src="/a.png" width="90" height="90" alt=""></p>`);
  expect(html.match(/<sup style="[^"]*;padding:0 1px" class="note">/g)).toHaveLength(2);
  expect(html).toMatch(/<img [^>]*style="[^"]*background-color:#fff/);
});

it('the mail of a post has its title as subject, its beginning as preheader, and both links of the site', () => {
  const { subject, html, text } = mailOf('<p>Ink runs along the fibres.</p>');
  expect(subject).toBe('What ink remembers');
  expect(html).toMatch(/<div style="display:none[^"]*">Ink runs along the fibres\.<\/div>/);
  expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
  expect(html).toContain('href="https://ink.test/post/one"');
  expect(text).toContain('\nOctober 8, 2026\n\nInk runs along the fibres.\n\n');
  expect(text).toContain('\nRead this post on the site:\nhttps://ink.test/post/one\n');
});

it('the mail of a post says why it comes, who sends it and how to leave, in both parts', () => {
  const { html, text } = mailOf('<p>a</p>');
  for (const part of [html, text]) expect(part).toContain('You get this email because you subscribed to Ink Notes.');
  expect(html).toContain('Ink Notes, 1 Well Lane<br>Quillford');
  expect(html).toContain('href="https://ink.test/s?token=a&amp;b"');
  expect(text).toMatch(
    /\nInk Notes, 1 Well Lane\nQuillford\n\nManage or unsubscribe:\nhttps:\/\/ink\.test\/s\?token=a&b\n$/,
  );
});

it('the mail of a post shows pictures of the site at fixed sizes, and leaves others as they are', () => {
  const { html } = mailOf(RICH, { featuredImage: 'f-1600x900', featuredImageAlt: 'A "pot"' });
  const file = 'https://ink.test/v1/storage/buckets/media/files/f-1600x900/preview?width=960&amp;';
  expect(html).toContain(`<img src="${file}output=jpg&amp;project=p" width="552" height="311" alt="A &quot;pot&quot;"`);
  expect(html).toContain(`<img src="${file}project=p"`);
  expect(html).toMatch(/<img src="https:\/\/other\.test\/i\.png" alt="i" width="16" height="16">/);
  const unknown = mailOf('', { featuredImage: 'f' });
  expect(unknown.html).toContain('height=640&amp;output=jpg&amp;project=p" width="552" height="368" alt=""');
});

it('the mail of a post sets text from right to left in its direction, and other blocks in theirs', () => {
  const hebrew = '<p>הדיו מתפשטת לאורך הסיבים עד שהיא פוגשת בדבק</p>';
  expect(mailOf(`${hebrew}<blockquote>דיו</blockquote>`).html).toMatch(
    /<div lang="he" dir="rtl" style="text-align:right">\n<p style="[^"]*">הדיו[\s\S]*padding-right:16px/,
  );
  const mixed = mailOf(`<p>${'The ink of the well and the pen is that of the old. '.repeat(5)}</p>${hebrew}`);
  expect(mixed.html).toMatch(/<div lang="en" dir="ltr"[\s\S]*<p style="[^"]*;text-align:right" dir="rtl">הדיו/);
});

it('the mail of a post ends after a whole block where Gmail would cut it, with a link to the rest', () => {
  const paragraph = `<p>${'ink & well '.repeat(60)}end.</p>`;
  const { html, text } = composePost(postOf(`${paragraph.repeat(400)}<h2>Never</h2>${paragraph}`), OPTIONS);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MOST_BYTES);
  expect(Buffer.byteLength(html)).toBeGreaterThan(MOST_BYTES - 2000);
  expect(html).toMatch(
    /end\.<\/p>\n<\/div>\n<p[^>]*><a class="button" href="https:\/\/ink\.test\/post\/one"[^>]*>Read the rest on the site</,
  );
  expect(html.match(/end\.<\/p>/g)?.length).toBe(text.match(/end\.(?=\n)/g)?.length);
  expect(text).toContain('\nRead the rest on the site:\nhttps://ink.test/post/one\n');
  const short = mailOf(paragraph);
  expect(short.html).toContain('>Read this post on the site<');
  expect(short.html + short.text).not.toContain('the rest');
});

it('the mail of a post does not end with a heading, and begins with its excerpt if the first block is too long', () => {
  const { html } = mailOf(`<p>a</p><h2>Lost</h2><p>${'x '.repeat(60_000)}</p>`);
  expect(html).not.toContain('Lost</h2>');
  const long = mailOf(`<p>${'Ink runs. '.repeat(12_000)}</p>`, { excerpt: 'It runs <on>.' });
  expect(long.html).toContain('<p>It runs &lt;on&gt;.</p>');
  expect(long.text).toContain('\nIt runs <on>.\n\nRead the rest');
});

const forged = ['\uffffmanage\uffff', '&#xFFFF;manage&#xffff;', '\\uffffmanage\\uffff', '{manage}'];

it.each(forged)('hostile posts cannot forge a subscriber’s link: %s', (mark) => {
  const content = `<p>${mark}</p><p><a href="${mark}">a</a> <img src="${mark}" alt="${mark}"></p><pre><code>${mark}</code></pre>`;
  const post = postOf(content, { title: `a ${mark}`, excerpt: mark, featuredImageAlt: mark, featuredImage: 'f' });
  const options = { ...OPTIONS, site: { ...SITE, name: mark }, contact: mark, authors: new Map([['ada', mark]]) };
  const mails = [composePost(post, options), composeDigest([post, post], options)];
  for (const mail of mails) {
    const { subject, html, text } = personalise(mail, 'SECRET');
    expect([html, text, subject].map((part) => part.split('SECRET').length - 1)).toEqual([1, 1, 0]);
    expect(html + text + subject).not.toContain('\uffff');
  }
});

it.each([
  ['a\r\nBcc: victim@example.org', 'a Bcc: victim@example.org'],
  ['a\u2028b\u0000c\u202ed\u0085e', 'a b c d e'],
  ['می\u200cشود 👩\u200d👧', 'می\u200cشود 👩\u200d👧'],
  ['\ud800 x', 'x'],
  ['<script>$&{site}</script>', '<script>$&{site}</script>'],
  [' \n ', 'Ink Notes'],
])('hostile posts have a subject on one line: %j', (title, subject) => {
  const mail = mailOf('<p>a</p>', { title });
  expect(mail.subject).toBe(subject);
  expect(mail.html).not.toMatch(/<script|[\u202e\u2028]/);
});

it('hostile posts have a short subject, also of a site’s long name', () => {
  expect(mailOf('', { title: '😀'.repeat(400) }).subject.length).toBeLessThanOrEqual(300);
  const site = { ...SITE, name: `Ink\r\nBcc: a@b.c ${'x'.repeat(900)}` };
  const { subject } = composeDigest([postOf('')], { ...OPTIONS, site });
  expect(subject).toMatch(/^[^\r\n]{1,300}$/);
  expect(composeConfirmation({ site, link: 'https://a.test' }).subject).toMatch(/^[^\r\n]{1,300}$/);
});

it('hostile posts bring no script, no style and no control characters', () => {
  const content =
    '<p onclick="x" style="position:fixed">a\u0000\u001b[2J<script>b</script><a href="javascript:c">d</a></p><!--[if mso]>e<![endif]-->';
  const { html, text } = mailOf(content, { title: '"><img src=x onerror=y>' }, { contact: '<b>c</b>' });
  expect(html).not.toMatch(/<script|javascript:|position|onclick|<img|<b>/);
  expect([...text].filter((sign) => sign < ' ' && sign !== '\n')).toEqual([]);
});

it('hostile posts of much markup and deep nesting have a mail', () => {
  for (const content of [
    '<blockquote>'.repeat(3000),
    '<ul><li>'.repeat(300),
    '<br>'.repeat(19_000),
    '<table><tr>'.repeat(90),
    `<table>${'<tr><td colspan="1000" rowspan="1000">a</td></tr>'.repeat(300)}</table>`,
  ]) {
    const { html, text } = mailOf(`${content}inmost`);
    expect(Buffer.byteLength(html)).toBeLessThan(102_000);
    expect(text).toContain('Manage or unsubscribe');
  }
});

const posts = [
  postOf('<p>A word.</p>', { id: 'a', title: 'A & B', featuredImage: 'f', featuredImageAlt: 'Well' }),
  postOf('<p>Long</p>', { id: 'b', title: 'Second', excerpt: 'Chosen words', createdAt: '2026-10-06T00:00:00.000Z' }),
];
const many = (length: number) => Array.from({ length }, () => posts[0] ?? postOf(''));

it('a digest has the title, day, beginning, picture and link of each post', () => {
  const { subject, html, text } = composeDigest(posts, { ...OPTIONS, authors: new Map([['ada', 'Ada']]) });
  expect(subject).toBe('Two new posts on Ink Notes, October 6 – 8, 2026');
  const shown = ['A &amp; B', 'A word.', 'Chosen words', 'October 8, 2026 · Ada', 'height=640&amp;output=jpg'];
  for (const words of shown) expect(html).toContain(words);
  expect(text).toContain('A & B\n-----\n\nOctober 8, 2026 · Ada\n\nA word.\n\nRead more:\nhttps://ink.test/post/a\n');
  expect(text).toContain('Chosen words\n\nRead more:\nhttps://ink.test/post/b');
});

it('a digest of one post is that post, and of more names the days of its posts', () => {
  expect(composeIssue(posts.slice(0, 1), OPTIONS).subject).toBe('A & B');
  expect(composeIssue([...posts.slice(0, 1), ...posts.slice(0, 1)], OPTIONS).subject).toMatch(/, October 8, 2026$/);
  expect(composeIssue(many(13), OPTIONS).subject).toMatch(/^13 new posts/);
});

it('a digest stays below Gmail’s limit and then leads to the site', () => {
  const { html, text } = composeDigest(many(200), OPTIONS);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MOST_BYTES);
  expect(html).toContain('>See all posts on the site</a>');
  expect(text).toContain('See all posts on the site:\nhttps://ink.test/\n');
});

it('the question to a new subscriber has one button, and says what happens without it', () => {
  const { subject, html, text } = composeConfirmation({ site: SITE, link: 'https://ink.test/c?a=1&b=2' });
  expect(subject).toBe('Confirm your subscription to Ink Notes');
  expect(html.match(/class="button"/g)).toHaveLength(1);
  expect(html).toContain('href="https://ink.test/c?a=1&amp;b=2"');
  expect(text).toContain('Confirm subscription:\nhttps://ink.test/c?a=1&b=2\n');
  for (const part of [html, text]) {
    expect(part).toContain('valid for one week');
    expect(part.replaceAll('\n', ' ')).toContain('nothing happens: you won’t be subscribed');
  }
  expect(html + text).not.toMatch(/\uffff|Manage or unsubscribe/);
});

it('is written in German for a German site', () => {
  setLanguage('de');
  const { html, text } = mailOf('<p>a</p>', { createdAt: '2026-10-08T10:00:00.000Z' });
  expect(html).toMatch(/<html lang="de"[\s\S]*8\. Oktober 2026[\s\S]*Diesen Beitrag auf der Website lesen/);
  expect(text).toContain('Du bekommst diese E-Mail, weil du Ink Notes abonniert hast.');
  const { subject } = composeDigest([postOf(''), postOf('', { createdAt: '2026-10-12T10:00:00.000Z' })], OPTIONS);
  expect(subject).toBe('Zwei neue Beiträge auf Ink Notes, 8.–12. Oktober 2026');
  expect(composeConfirmation({ site: SITE, link: 'https://a.test' }).text).toContain('Dieser Link gilt eine Woche.');
});

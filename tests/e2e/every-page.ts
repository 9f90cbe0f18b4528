/** A site with a page of every kind and the longest possible names, for tests that cover all of them. */
import { expect } from 'playwright/test';
import { type Access, ownSite, removeSite, withShared } from './site.ts';

/** Returns HTML with everything a text can contain (docs/content.md). `picture` is the URL of a picture. */
const richText = (picture: string): string => `<p>A first paragraph with <strong>bold</strong>, <em>italic</em>,
<a href="https://example.com/">a link</a>, <code>code</code>, <mark>a mark</mark>, H<sub>2</sub>O and a note.<sup><a
href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup></p>
<h2>Part one</h2><p>Back to <a href="#part-one">part one</a>.</p>
<blockquote><p>Quoted.</p></blockquote>
<ul><li>one<ul><li>two</li></ul></li></ul><ol start="3"><li>three</li></ol>
<ul><li data-checked="true">done</li><li data-checked="false"><p>to do</p></li></ul>
<h3>Code and tables</h3><pre><code class="language-js">const a = 1; // ${'wide '.repeat(40)}</code></pre><hr>
<table><caption>Prices</caption><thead><tr><th align="right">A</th><th>B</th></tr></thead>
<tbody><tr><td align="right" colspan="2">${'1 '.repeat(80)}</td></tr></tbody></table>
<figure><img src="${picture}" alt="A drawing" width="900" height="600"><figcaption>Drawn by hand</figcaption></figure>
<h2>عنوان</h2><p>هذه فقرة من النص العربي</p><p>${'unbroken'.repeat(30)}</p>
<section data-footnotes=""><ol><li id="fn-1"><p>The note. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>`;

const POSTS = 25;

async function openEveryPage(access: Access) {
  const site = await ownSite({ access, environment: { SITE_NAME: 'M'.repeat(80) } });
  const writer = await site.writer('W'.repeat(128));
  const slug = (i: number) => `every-${i}-${writer.id.slice(-6)}`;
  await Promise.all(Array.from({ length: POSTS }, (_, i) => site.publishText(writer, `Plain ${i}`, slug(i))));
  const odd = 'Odd ]]> & <b>title</b> \u{1f469}\u200d\u{1f467} \u202eback\u202c \u200fעברית';
  const { id: first, featuredImage } = await site.post(writer, { title: odd, content: '' });
  const post = await site.post(writer, {
    title: 'Everything a text can hold, quillwork',
    content: richText(new URL(site.view(featuredImage)).pathname + new URL(site.view(featuredImage)).search),
  });
  const details = { tags: ['Quills & more', '紙'], excerpt: 'In short.', featuredImageAlt: 'A square' };
  await site.update(post.id, details, writer);
  await site.revalidate(writer, post.id);
  await expect.poll(() => site.text('/search?q=quillwork')).toContain(post.id);
  await expect.poll(() => site.text(`/post/${first}`)).toContain(post.id);
  /** Returns a kind of page, with the words and links that its HTML must contain. */
  const page = (name: string, path: string, status = 200, ...says: string[]) => ({ name, path, status, says });
  const invitation = ['Have something to share?', '<a href="/add-post"', 'Write a New Post'];
  const home = ['<a href="/"', 'Go back to home'];
  return {
    site,
    [Symbol.asyncDispose]: () => removeSite(site),
    writer,
    rich: post.id,
    readers: [
      page('home', '/', 200, 'Latest Posts', 'Read more', ...invitation),
      page('older posts', '/page/2'),
      page('a post', `/post/${post.id}`),
      page('a post without a picture', `/post/${slug(1)}`, 200, 'No image available'),
      page('an author', `/author/${writer.id}`),
      page('more of an author', `/author/${writer.id}/page/2`),
      page('a tag', '/tag/quills-more', 200, '<a href="/tag/quills-more/feed.xml"'),
      page('the archive', '/archive', 200, '<a href="/tag/quills-more"'),
      page('a year', `/archive/${new Date().getUTCFullYear()}`),
      page('search', '/search'),
      page('search with results', '/search?q=quillwork'),
      page('search without results', '/search?q=%3Cnothing%26such%22', 200, '<a href="/archive"'),
      page('an unknown address', '/nowhere', 404, 'Not Found', 'No route matches URL', ...home),
      page('a post that is not there', '/post/nowhere', 404, 'Post not found', ...home),
      page('a bad request', '/400', 400, 'Bad Request', ...home),
      page('a forbidden address', '/403', 403, 'Forbidden', ...home),
      page('a method that is not allowed', '/405', 405, 'Method Not Allowed', ...home),
      page('an unexpected error', '/500', 500, 'Unexpected Application Error!', ...home),
    ],
    islands: [
      ...['account', 'site', 'claim', 'welcome', 'forgot-password', 'reset-password', 'verify-email'].map((path) =>
        page(path, `/${path}`),
      ),
      ...['login', 'signup', 'all-posts', 'add-post', 'edit-post/x'].map((path) =>
        page(path, `/${path}`, 200, 'Loading...', 'Preparing your blog experience'),
      ),
    ],
  };
}

export const test = withShared('everyPage', openEveryPage).extend({
  baseURL: async ({ everyPage }, use) => use(everyPage.site.url),
});

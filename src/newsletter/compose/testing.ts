/** Posts and settings for the tests of the newsletter's emails. */
import type { Post } from '#blog/post.ts';
import { SITE as EXAMPLE } from '../../../tests/support/example-site.ts';

export const SITE = { ...EXAMPLE, name: 'Ink Notes', url: 'https://ink.test' };
export const OPTIONS = { site: SITE, contact: 'Ink Notes, 1 Well Lane\nQuillford' };
export const LINK = 'https://ink.test/s?token=a&b';

export const postOf = (content: string, others: Partial<Post> = {}): Post => ({
  ...{ id: 'one', userId: 'ada', title: 'What ink remembers', content, status: 'active', featuredImage: '' },
  ...{ createdAt: '2026-10-08T10:00:00.000Z', updatedAt: '2026-10-08T10:00:00.000Z', permissions: [], ...others },
});

const OWN_PICTURE = '/v1/storage/buckets/media/files/f-1600x900/view?project=p';

/** A text with every kind of content that a post may have. */
export const RICH = `<h2>Iron <em>gall</em></h2>
<p>Made of <strong>oak</strong> <del>apples</del> <mark>galls</mark>, <u>iron</u> and H<sub>2</sub>O<sup>2</sup>; see <a href="/post/two" title="x">the recipe</a> or
<a href="mailto:a@b.test">write</a>.<sup><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup> So <code class="language-math">\\frac{a+b}{2c}</code>.</p>
<pre><code class="language-math">\\sum_{i=0}^n i^2 \\le \\sqrt{x}</code></pre>
<p><img src="${OWN_PICTURE}" width="1600" height="900" alt="A well"></p>
<figure><img src="https://other.test/a.png" alt=""><figcaption>Not of this site</figcaption></figure>
<p>A <img src="https://other.test/i.png" width="16" height="16" alt="i"> sign</p>
<pre><code class="language-rs">fn main() {
    let ink = "a &lt; b"; // ${'long '.repeat(20)}
}
</code></pre>
<table><caption>Prices</caption><thead><tr><th>Ink</th><th align="right">Price</th></tr></thead><tbody><tr><td>Iron gall</td><td align="right">12</td></tr><tr><td colspan="2">averyveryverylongwordwithoutanyspace</td></tr></tbody></table>
<blockquote><p>The pen is <code>mightier</code>.</p></blockquote>
<ol start="3"><li>Grind<ul><li>fine</li><li>finer</li></ul></li><li>Stir</li></ol>
<ul><li data-checked="true">Buy gum</li><li data-checked="false"><p>Wait</p></li></ul>
<h4>Then</h4><hr>words without a paragraph
<p>הדיו מתפשטת לאורך הסיבים עד שהיא פוגשת בדבק</p><ul><li>דיו</li></ul>
<section data-footnotes><ol><li id="fn-1"><p>From <a href="https://x.test/">a book</a>. <a href="#fnref-1" data-footnote-backref>↩</a></p></li></ol></section>`;

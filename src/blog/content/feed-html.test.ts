import { expect, it } from 'vitest';
import { feedHtml } from './feed-html.ts';

const PAGE = 'https://example.com/post/one';

it('makes relative addresses absolute and leaves the others', () => {
  const links = (...to: string[]) => to.map((href) => `<a href="${href}">a</a>`).join('');
  const absolute = ['https://example.com/a', 'https://example.com/post/b', `${PAGE}#c`, 'mailto:a@b.c'];
  expect(feedHtml(links('/a', 'b', '#c', 'mailto:a@b.c'), PAGE)).toBe(links(...absolute));
  const picture = feedHtml('<p><img src="/v1/x?a=1&amp;b=2" alt=""></p>', PAGE);
  expect(picture).toContain('src="https://example.com/v1/x?a=1&amp;b=2"');
});

it('names pictures of other sites by https, as the page does', () =>
  expect(feedHtml('<img src="http://other.test/a.png" alt="">', PAGE)).toContain('src="https://other.test/a.png"'));

it('lets nothing through that the page would not show', () =>
  expect(feedHtml('<p onclick="x">a<script>b</script></p>', PAGE)).toBe('<p>a</p>'));

import { expect, it } from 'vitest';
import { feedHtml } from './feed-html.ts';

const PAGE = 'https://example.com/post/one';

it('makes relative addresses absolute and leaves the others', () => {
  const links = (to: (path: string) => string) =>
    `<p><a href="${to('/a')}">a</a><a href="${to('b')}">b</a><a href="${to('#c')}">c</a><a href="mailto:a@b.c">d</a></p>`;
  expect(
    feedHtml(
      links((path) => path),
      PAGE,
    ),
  ).toBe(links((path) => new URL(path, PAGE).href));
  const picture = feedHtml('<p><img src="/v1/x?a=1&amp;b=2" alt=""></p>', PAGE);
  expect(picture).toContain('src="https://example.com/v1/x?a=1&amp;b=2"');
});

it('names pictures of other sites by https, as the page does', () => {
  expect(feedHtml('<img src="http://other.test/a.png" alt="">', PAGE)).toContain('src="https://other.test/a.png"');
});

it('lets nothing through that the page would not show', () => {
  expect(feedHtml('<p onclick="x">a<script>b</script></p>', PAGE)).toBe('<p>a</p>');
});

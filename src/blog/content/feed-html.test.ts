import { expect, it } from 'vitest';
import { feedHtml } from './feed-html.ts';

const PAGE = 'https://example.com/post/one';

it('makes relative addresses absolute and leaves the others', () => {
  expect(
    feedHtml('<p><a href="/a">a</a><a href="b">b</a><a href="#c">c</a><a href="mailto:a@b.c">d</a></p>', PAGE),
  ).toBe(
    '<p><a href="https://example.com/a">a</a><a href="https://example.com/post/b">b</a><a href="https://example.com/post/one#c">c</a><a href="mailto:a@b.c">d</a></p>',
  );
  expect(feedHtml('<p><img src="/v1/x?a=1&amp;b=2" alt=""></p>', PAGE)).toContain(
    'src="https://example.com/v1/x?a=1&amp;b=2"',
  );
});

it('names pictures of other sites by https, as the page does', () => {
  expect(feedHtml('<img src="http://other.test/a.png" alt="">', PAGE)).toContain('src="https://other.test/a.png"');
});

it('lets nothing through that the page would not show', () => {
  expect(feedHtml('<p onclick="x">a<script>b</script></p>', PAGE)).toBe('<p>a</p>');
});

import { expect, test } from 'vitest';
import { movePictures } from './picture-addresses.ts';
import { renderContent } from './render.ts';

const HERE = ['/v1', 'https://blog.example.com/v1'];
const THERE = '/draft/ink/key/v1';
const file = '/storage/buckets/media/files/ink/view?project=p';

test('pictures, their smaller forms and links to them move; what a text says of addresses stays', async () => {
  const { html } = await renderContent(
    `<p><a href="https://blog.example.com/v1${file}"><img src="/v1${file}" alt="" width="1000" height="500"></a></p>` +
      `<pre><code>&lt;img src="/v1${file}"&gt;</code></pre><p>At /v1${file} it stands.</p>`,
  );
  const moved = movePictures(html, HERE, THERE);
  const tags = Array.from(moved.matchAll(/<(?:img|a) [^>]*>/g), ([tag]) => tag);
  const named = tags.join(' ').match(/[^\s"]*\/storage\//g);
  expect(named).toEqual(Array(8).fill(`${THERE}/storage/`));
  expect(moved).toContain(`src="/v1${file}"></code>`);
  expect(moved).toContain(`<p>At /v1${file} it stands.</p>`);
});

test('everything else of a rendered text is as it was', async () => {
  const { html } = await renderContent(
    '<h2>One</h2><ul><li data-checked="true">done</li></ul><pre><code class="language-js">let a = "b"; // &amp;</code></pre>' +
      '<table><tbody><tr><th>a</th></tr></tbody></table><p>a<sup><a href="#fn-1" data-footnote-ref>1</a></sup> <code class="language-math">x^2</code></p>',
  );
  expect(movePictures(html, HERE, THERE)).toBe(html);
});

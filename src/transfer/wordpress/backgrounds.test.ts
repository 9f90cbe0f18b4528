import { expect, it } from 'vitest';
import { storedHtml } from '../html/conform.ts';
import { readHtml } from '../html/read-html.ts';
import { showBackgrounds } from './backgrounds.ts';
import { contentHtml } from './content.ts';

function read(content: string) {
  const losses: string[] = [];
  const context = { attachment: () => undefined, attached: () => [], block: () => undefined, notes: [], losses };
  const found = readHtml(contentHtml(content, context), showBackgrounds);
  return { html: storedHtml(found.tree).replaceAll('\n', ''), losses: [...losses, ...found.losses] };
}
const src = 'https://old.test/wp-content/uploads/b.jpg';
const figure = (alt = '') => `<figure><img src="${src}" alt="${alt}"></figure>`;

it.each([
  [
    'a cover of before 2021',
    `<!-- wp:cover {"url":"${src}"} --><div class="wp-block-cover has-background-dim" style="background-image:url(${src})"><p class="wp-block-cover-text">Words</p></div><!-- /wp:cover -->`,
    `${figure()}<p>Words</p>`,
  ],
  [
    'a cover whose picture stays in its place',
    `<!-- wp:cover {"url":"${src}","hasParallax":true} --><div class="wp-block-cover has-parallax"><div role="img" aria-label="A press" class="wp-block-cover__image-background has-parallax" style="background-position:50% 50%;background-image:url('${src}')"></div><div class="wp-block-cover__inner-container"><p>Words</p></div></div><!-- /wp:cover -->`,
    `${figure('A press')}<p>Words</p>`,
  ],
  [
    'a cover that holds its picture',
    `<!-- wp:cover {"url":"${src}"} --><div class="wp-block-cover"><img class="wp-block-cover__image-background" alt="" src="${src}"/><p>Words</p></div><!-- /wp:cover -->`,
    `<p><img src="${src}" alt=""></p><p>Words</p>`,
  ],
  [
    'a picture that fills its half beside a text',
    `<!-- wp:media-text {"imageFill":true} --><div class="wp-block-media-text"><figure class="wp-block-media-text__media" style="background-image:url(${src});background-position:50% 50%"><img src="${src}" alt="A press"/></figure><p>Words</p></div><!-- /wp:media-text -->`,
    `${figure('A press')}<p>Words</p>`,
  ],
  [
    'a group with a background',
    `<!-- wp:group {"style":{"background":{"backgroundImage":{"url":"${src}","id":6,"source":"file"}}}} --><div class="wp-block-group"><!-- wp:paragraph --><p>Words</p><!-- /wp:paragraph --></div><!-- /wp:group -->`,
    `${figure()}<p>Words</p>`,
  ],
  ['a paragraph of another kind', `<p style="background-image:url(${src})">Words</p>`, '<p>Words</p>'],
])('shows the picture of %s once', (_, content, html) => {
  expect(read(content)).toEqual({ html, losses: [] });
});

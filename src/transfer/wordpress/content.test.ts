import { expect, it } from 'vitest';
import { storedHtml } from '../html/conform.ts';
import { readHtml } from '../html/read-html.ts';
import { contentHtml } from './content.ts';

function read(content: string) {
  const [notes, losses]: [string[], string[]] = [[], []];
  const attachment = (id: string) => (id === '7' ? { url: 'https://old.test/a.mp3', alt: '' } : undefined);
  const html = contentHtml(content, { attachment, attached: () => [], block: () => undefined, notes, losses });
  const found = readHtml(html);
  return { html: storedHtml(found.tree), losses: [...losses, ...found.losses] };
}
const link = (address: string) => `<p><a href="${address}">${address}</a></p>`;
const formula = (tex: string) => `<code class="language-math">${tex}</code>`;

it.each([
  ['[audio src="https://s.test/a.mp3"]', link('https://s.test/a.mp3')],
  ['[audio mp3="https://s.test/a.mp3" ogg="https://s.test/a.ogg"][/audio]', link('https://s.test/a.mp3')],
  ['[video width="640" height="360" mp4="https://s.test/v.mp4"][/video]', link('https://s.test/v.mp4')],
  [
    '<object width="4"><param name="movie" value="http://www.youtube.com/v/abc&hl=en"></param><embed src="http://www.youtube.com/v/abc&hl=en"></embed></object>',
    '<p><a href="https://www.youtube.com/watch?v=abc">Video (YouTube)</a></p>',
  ],
  [
    '<object><param name="movie" value="https://s.test/f.swf"></object>',
    '<p><a href="https://s.test/f.swf">s.test</a></p>',
  ],
  ['[playlist ids="7"]', link('https://old.test/a.mp3')],
  ['[vimeo 12345]', link('https://vimeo.com/12345')],
  ['[youtube id="a-b_c"]', link('https://www.youtube.com/watch?v=a-b_c')],
  [
    '[youtube=http://www.youtube.com/watch?v=abc&amp;w=640&h=385]',
    '<p><a href="http://www.youtube.com/watch?v=abc">http://www.youtube.com/watch?v=abc</a></p>',
  ],
  ['$latex e = mc^2$', `<p>${formula('e = mc^2')}</p>`],
  ['So $latex \\frac{a}{b} &lt; 1&amp;bg=ffffff&s=2$ it is.', `<p>So ${formula('\\frac{a}{b} &lt; 1')} it is.</p>`],
  ['[latex]a_1 [b] c[/latex]', `<p>${formula('a_1 [b] c')}</p>`],
  [
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
    `<p>${formula('x^2')}</p>`,
  ],
  ['<math alttext="x_i"><msub><mi>x</mi><mi>i</mi></msub></math>', `<p>${formula('x_i')}</p>`],
])('reads the sound, film or formula in %s', (content, html) => {
  expect(read(content)).toEqual({ html, losses: [] });
});

it.each([
  ['<pre>$latex a^2$ [latex]b[/latex]</pre>', '<pre><code>$latex a^2$ [latex]b[/latex]</code></pre>'],
  ['It costs $latex', '<p>It costs $latex</p>'],
])('reads no formula in %s', (content, html) => {
  expect(read(content)).toEqual({ html, losses: [] });
});

it.each([
  ['[gallery]', 'a gallery'],
  ['[playlist ids="8"]', 'piece 8 of a playlist'],
  ['[video][/video]', 'without an address'],
  ['<object><param name="quality" value="high"></object>', '<object>'],
  ['<math><mi>x</mi></math>', '<math> x'],
])('names what %s loses', (content, loss) => {
  expect(read(content).losses).toEqual([expect.stringContaining(loss)]);
});

it('reads the address in a block’s attributes, as WordPress writes it', () => {
  const block = '<!-- wp:social-link {"url":"https:\\/\\/s.test/?v=a\\u0026t=3","service":"x"} /-->';
  expect(read(block).html).toBe(link('https://s.test/?v=a&amp;t=3'));
});

import { expect, it } from 'vitest';
import { feedHtml } from './feed-html.ts';
import { renderContent } from './render.ts';

const inline = (tex: string) => `<code class="language-math">${tex}</code>`;
const html = async (content: string) => (await renderContent(content)).html;

it('a formula is MathML in its line, with its source for who copies it', async () => {
  const page = await html(`<p>So ${inline('\\frac{a}{b}')} it is.</p>`);
  expect(page).toMatch(/^<p>So <math><semantics>.*<mfrac><mi>a<\/mi><mi>b<\/mi><\/mfrac>.*<\/math> it is\.<\/p>$/);
  expect(page).toContain('<annotation encoding="application/x-tex">\\frac{a}{b}</annotation>');
});

it('a formula that is a block scrolls by itself and can be focused', async () => {
  const page = await html(`<pre>${inline('\\sum_{i=0}^n i')}</pre>`);
  expect(page).toMatch(/^<div class="math-block" tabindex="0" role="group" aria-label="Formula"><math display="block"/);
});

it('a formula that is long scrolls in its line, from 41 characters on', async () => {
  expect(await html(`<p>${inline('x'.repeat(40))}</p>`)).not.toContain('math-long');
  expect(await html(`<p>${inline('x'.repeat(41))}</p>`)).toContain('<span class="math-long" tabindex="0"');
});

it.each([
  ...['\\frac{a', '\\foo', '\\href{javascript:alert(1)}{x}', '\\includegraphics{x.png}', '\\def\\a{\\a\\a}\\a'],
  ...['{'.repeat(4000), 'x'.repeat(5001)],
])('a formula that cannot be read, or may not, is shown as it was written: %#', async (tex) => {
  expect(await html(`<p>${inline(tex)}</p>`)).toBe(`<p>${inline(tex)}</p>`);
  const block = await html(`<pre>${inline(tex)}</pre>`);
  expect(block).toContain('<pre tabindex="0"');
  expect(block).not.toContain('<math');
});

it.each([
  ...['\\color{red} x', '\\boxed{E}', '\\begin{align}a&=b\\\\c&=d\\end{align}', '\\tag{1}x'],
  '\\text{<img src=x onerror=y>}',
])('a formula brings no style, no script and no address: %s', async (tex) => {
  const page = await html(`<pre>${inline(tex.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))}</pre>`);
  expect(page).toContain('<math');
  expect(page).not.toMatch(/ (?:style|href|src|on\w+)=(?![^<]*<\/annotation>)|<(?:img|script|span)/);
});

it('a formula names its heading by its source, and is that source in feeds', async () => {
  const { headings } = await renderContent(`<h2>On ${inline('x^2')}</h2>`);
  expect(headings[0]).toMatchObject({ text: 'On x^2' });
  expect(feedHtml(`<p>${inline('x^2')}</p>`, 'https://a.test/post/x')).toBe(`<p>${inline('x^2')}</p>`);
});

it('a formula in MathML from elsewhere is its words alone', async () =>
  expect(await html('<p><math><mi href="javascript:x">a</mi></math></p>')).toBe('<p>a</p>'));

/** Emails use only HTML and CSS that Gmail, Outlook, Apple Mail and Yahoo support (caniemail.com, June 2026). */
import type { Element } from 'hast';
import { expect, it } from 'vitest';
import { elementsIn, parseHtml } from '#blog/content/tree.ts';
import type { ComposedMail } from '#blog/newsletter/newsletter.ts';
import { DEFAULT_THEME } from '#blog/theme/theme.ts';
import { composeConfirmation, composeDigest, composePost } from './compose.ts';
import { OPTIONS, postOf, RICH, SITE } from './testing.ts';

/** Elements that all four clients support, including `em`, `u`, `sup` and `sub`, which caniemail does not list. */
const ELEMENTS =
  'html head meta title style body table thead tbody tfoot tr td th caption div p h1 h2 h3 h4 h5 h6 a img span strong em del u sub sup code pre blockquote ul ol li hr br'.split(
    ' ',
  );
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': ['style', 'className', 'lang', 'dir'],
  meta: ['charSet', 'name', 'content'],
  table: ['role', 'width', 'cellPadding', 'cellSpacing', 'border'],
  td: ['align', 'colSpan', 'rowSpan'],
  th: ['align', 'colSpan', 'rowSpan'],
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  ol: ['start'],
};
/** Some clients ignore the last row (rounded corners, wrapping, hiding). Emails stay legible without it. */
const PROPERTIES = [
  ...'background-color color font-family font-size font-weight line-height text-align text-decoration'.split(' '),
  ...'margin padding padding-left padding-right border border-left border-right border-top border-collapse'.split(' '),
  ...'width height max-width vertical-align list-style-type'.split(' '),
  ...'border-radius display max-height overflow table-layout white-space word-break word-wrap'.split(' '),
];
const VALUES: Readonly<Record<string, RegExp>> = {
  display: /^(?:none|inline-block)$/,
  overflow: /^hidden$/,
  'white-space': /^pre-wrap$/,
  'word-break': /^(?:break-word|normal)$/,
};

const unknownIn = ({ html }: ComposedMail): string[] => {
  const document = html.replace(/<!doctype html>|<\/?(?:html|head|body)\b/g, (tag) =>
    tag.replace(/html|head|body/, 'div'),
  );
  const found = new Set<string>();
  for (const [{ tagName, properties }] of elementsIn(parseHtml(document)) as [Element, unknown][]) {
    if (!ELEMENTS.includes(tagName)) found.add(tagName);
    for (const [name, value] of Object.entries(properties)) {
      if (![...(ATTRIBUTES['*'] ?? []), ...(ATTRIBUTES[tagName] ?? [])].includes(name)) found.add(`${tagName} ${name}`);
      if (name === 'style') for (const declaration of String(value).split(';')) noteDeclaration(declaration, found);
    }
  }
  return [...found];
};

function noteDeclaration(declaration: string, found: Set<string>): void {
  const [, name = '', value = ''] = /^([a-z-]+):(.+)$/.exec(declaration) ?? [];
  if (!PROPERTIES.includes(name) || !(VALUES[name]?.test(value) ?? true) || /url\(|var\(|rem|vw|calc/.test(value))
    found.add(declaration);
}

const mails = (): Record<string, ComposedMail> => ({
  post: composePost(postOf(RICH, { featuredImage: 'f-1600x900' }), OPTIONS),
  'post in another look': composePost(postOf(RICH), { ...OPTIONS, theme: DEFAULT_THEME }),
  'post from right to left': composePost(postOf(RICH, { language: 'he' }), OPTIONS),
  'long post': composePost(postOf(RICH.repeat(60)), OPTIONS),
  digest: composeDigest([postOf(RICH, { featuredImage: 'f' }), postOf('<p>b</p>', { title: 'שלום' })], OPTIONS),
  confirmation: composeConfirmation({ site: SITE, link: 'https://ink.test/c' }),
});

it('uses only elements, attributes and properties that mail programs show', () => {
  for (const [name, mail] of Object.entries(mails())) expect([name, unknownIn(mail)]).toEqual([name, []]);
});

it('finds what mail programs do not show', () => {
  const html = '<section onclick="x"><p id="a" style="display:flex;gap:1px">a</p></section>';
  const unknown = ['section', 'section onClick', 'p id', 'display:flex', 'gap:1px'];
  expect(unknownIn({ subject: '', text: '', html })).toEqual(unknown);
});

it('loads nothing but pictures, and names every page with its host', () => {
  for (const [name, { html }] of Object.entries(mails())) {
    expect(html, name).not.toMatch(
      /<(?:script|form|input|link|iframe|svg|math|video)\b|@font-face|@import|url\(| srcset=/i,
    );
    const addresses = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address]) => address);
    const others = addresses.filter((address) => !/^(?:https:\/\/|mailto:|\uffff)/.test(address ?? ''));
    expect(others, name).toEqual([]);
  }
});

it('sets dark colours in one style sheet, for dark mode alone', () => {
  const { html } = composePost(postOf(RICH), OPTIONS);
  const sheets = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, sheet]) => sheet);
  expect(sheets).toHaveLength(1);
  expect(sheets[0]).toMatch(/^@media \(prefers-color-scheme:dark\)\{(?:[^{}]+\{[^{}]+\})+\}$/);
  const set = [...(sheets[0] ?? '').matchAll(/([a-z-]+):#[0-9a-f]{6}(!important)?/g)];
  expect(new Set(set.map(([, name]) => name))).toEqual(new Set(['background-color', 'color', 'border-color']));
  expect(set.every(([, , important]) => important)).toBe(true);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
});

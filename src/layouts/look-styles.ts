/** Style sheets of the looks. Needs Vite (`import.meta.glob`), so commands for operators cannot import it. */
import { type FontFamily, fontPairOf } from '#blog/theme/font-pairs.ts';
import type { Look } from '#blog/theme/looks/index.ts';
import { cspHash } from './csp-hash.ts';

const SHEETS = import.meta.glob<string>('../styles/looks/*.css', { eager: true, query: '?inline', import: 'default' });
/** Returns the style sheet of a layout; empty for the default look's layouts. */
const sheetOf = (name: string): string => SHEETS[`../styles/looks/${name}.css`] ?? '';
const HEADLINES = {
  medium: '',
  bold: 'font-weight:700;letter-spacing:-.025em',
  italic: 'font-weight:400;font-style:italic;letter-spacing:-.01em',
  interface: 'font-family:var(--font-sans);font-weight:600;letter-spacing:-.02em',
};
/** `@layer base` ranks the `main` rule below utilities. The leading `html` outranks `base.css` and `prose.css`. */
const headlines = (style: string) =>
  style &&
  `@layer theme,base,components,utilities;@layer base{html main :is(h1,h2,h3){${style}}}html .prose :is(h2,h3,h4),.site-name{${style}}`;
/** Undoes italics for writing systems that have none. */
const UPRIGHT =
  'html main :is(h1,h2,h3):is(:lang(ar),:lang(fa),:lang(ur),:lang(he),:lang(ja),:lang(zh),:lang(ko)){font-style:normal}';

const FONT_FILES = import.meta.glob<string>('../fonts/*.woff2', { eager: true, query: '?url', import: 'default' });
const addressOf = (name: string): string => FONT_FILES[`../fonts/${name}.woff2`] ?? '';

const LATIN_EXTENDED = 'U+100-130,U+132-151,U+154-2BB,U+1E80-1E9F,U+2020,U+20A0-20AA,U+20AD-20BF';
const VIETNAMESE = 'U+1EA0-1EF9,U+20AB';
const SIGNS = 'U+20-FF,U+131,U+300-36F,U+1E00-1E7F,U+2015,U+201B,U+2032-2033,U+2044,U+2212';

/** Returns the `@font-face` rules of a font family, like those in `styles/fonts.css` for the default fonts. */
function facesOf({ name, file, hasItalics, weights, fallbacks }: FontFamily): string {
  const parts = [
    ['', '', ''],
    [' Extended', '-ext', `;unicode-range:${LATIN_EXTENDED}`],
    [' Extended', '-viet', `;unicode-range:${VIETNAMESE}`],
    [' Signs', '-signs', `;unicode-range:${SIGNS}`],
  ] as const;
  const face = (family: string, weight: string, address: string, more: string) =>
    `@font-face{font-family:${family};src:url(${address});font-weight:${weight};font-display:swap${more}}`;
  const files = parts.flatMap(([family, part, range]) => [
    face(name + family, weights, addressOf(file + part), range),
    ...(hasItalics && part !== '-signs'
      ? [face(name + family, '400', addressOf(`${file}${part}-italic`), `;font-style:italic${range}`)]
      : []),
  ]);
  const installed = fallbacks.map(({ fonts, isItalic, ascent, descent, size }) => {
    const sources = fonts.map((font) => `local("${font}")`).join();
    const italic = isItalic ? 'font-style:italic;' : '';
    return `@font-face{font-family:like ${name};src:${sources};${italic}ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%;size-adjust:${size}%}`;
  });
  return [...files, ...installed].join('');
}

const styleOf = (css: string) => ({ css, hash: cspHash(css) });

/** Returns a look's style sheets: for every page, for lists and for posts. Those of the default look are empty. */
export function lookStyles({ fonts, headlines: headline, header, list, post }: Look) {
  const { text, interface: sans } = fontPairOf(fonts);
  const faces = Array.from(new Set([text, sans]), (family) => (family ? facesOf(family) : ''));
  const upright = headline === 'italic' ? UPRIGHT : '';
  return {
    page: styleOf([headlines(HEADLINES[headline]), upright, sheetOf(`header-${header}`), ...faces].join('')),
    list: styleOf(sheetOf(`list-${list}`)),
    post: styleOf(sheetOf(`post-${post}`)),
  };
}

/** Returns the URL of a font's main file, which island pages preload; undefined for the default look's fonts. */
export function fontFileOf(look: Look, role: 'text' | 'interface'): string | undefined {
  const family = fontPairOf(look.fonts)[role];
  return family && addressOf(family.file);
}

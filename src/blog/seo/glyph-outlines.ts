/** Draws text as outlines in the Newsreader font, so that pictures do not depend on the machine's fonts. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkitten';

const { resolve } = createRequire(import.meta.url);
/** Read when this module loads, because an upgrade may remove the packages while the server runs. */
const FILES = ['latin', 'latin-ext', 'vietnamese'].map((part) =>
  readFileSync(resolve(`@fontsource-variable/newsreader/files/newsreader-${part}-wght-normal.woff2`)),
);

type Font = Exclude<ReturnType<typeof create>, { isCollection: true }>;
type Glyph = ReturnType<Font['glyphForCodePoint']>;

let fonts: Font[] | undefined;

function loaded(): Font[] {
  fonts ??= FILES.map((file) => create(file) as Font);
  return fonts;
}

function glyphOf(character: string): Glyph | undefined {
  const point = character.codePointAt(0) ?? 0;
  return loaded()
    .find((font) => font.hasGlyphForCodePoint(point))
    ?.glyphForCodePoint(point);
}

export const canDraw = (text: string): boolean => Array.from(text).every((character) => glyphOf(character));

export function widthOf(text: string, size: number): number {
  const [font] = loaded();
  const units = Array.from(text).reduce((sum, character) => sum + (glyphOf(character)?.advanceWidth ?? 0), 0);
  return (units * size) / (font?.unitsPerEm ?? 1);
}

/** Returns an SVG group of the text with its baseline starting at `x`, `y`. Skips characters without a glyph. */
export function drawn(text: string, { x, y, size }: { x: number; y: number; size: number }): string {
  const scale = size / (loaded()[0]?.unitsPerEm ?? 1);
  let advance = 0;
  const paths = Array.from(text, (character) => {
    const glyph = glyphOf(character);
    if (!glyph) return '';
    const path = `<path transform="translate(${advance})" d="${glyph.path.toSVG()}"/>`;
    advance += glyph.advanceWidth;
    return path;
  });
  return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})">${paths.join('')}</g>`;
}

/** Wraps text into lines of at most `width` pixels, and breaks words that are wider. */
export function wrapped(text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && widthOf(line + character, size) > width) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return line === '' ? lines : [...lines, line];
}

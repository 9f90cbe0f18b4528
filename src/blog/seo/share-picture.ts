/** Draws the share picture of a post without a featured picture: its title and the site's name in Newsreader. */

import sharp from 'sharp';
import { SHARE_HEIGHT, SHARE_WIDTH } from '../images.ts';
import { DEFAULT_PALETTES, type Palette } from '../theme/colours.ts';
import { canDraw, drawn, widthOf, wrapped } from './glyph-outlines.ts';

const MARGIN = 88;
const WIDTH = SHARE_WIDTH - 2 * MARGIN;
/** Font sizes to try for the title, largest first. A title that is too long even at the smallest size is cut. */
const SIZES = [100, 86, 74, 64, 56] as const;
const LEADING = 1.14;
const TITLE = { top: 84, bottom: 470 } as const;
const NAME = { size: 40, baseline: 552 } as const;

export async function drawSharePicture(
  title: string,
  siteName: string,
  colours: Palette = DEFAULT_PALETTES.light,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = drawable(siteName);
  const words = drawable(title);
  const parts = words === '' ? nameAlone(name, colours) : titleOver(words, name, colours);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_WIDTH}" height="${SHARE_HEIGHT}">` +
    `<rect width="100%" height="100%" fill="${colours.paper}"/>${parts}</svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).png({ palette: true, colours: 64, effort: 8 }).toBuffer());
}

function drawable(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{RI}|\p{C}|[\ufe0f\u20e3]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return canDraw(plain) ? plain : '';
}

function titleOver(title: string, name: string, colours: Palette): string {
  const { size, lines } = fitted(title);
  const text = lines.map((line, i) => drawn(line, { x: MARGIN, y: TITLE.top + size * (0.78 + i * LEADING), size }));
  const small = widthOf(name, NAME.size) > WIDTH ? (NAME.size * WIDTH) / widthOf(name, NAME.size) : NAME.size;
  return (
    `<g fill="${colours.ink}">${text.join('')}</g>` +
    `<rect x="${MARGIN}" y="492" width="${WIDTH}" height="2" fill="${colours.hairline}"/>` +
    `<g fill="${colours.accent}">${drawn(name, { x: MARGIN, y: NAME.baseline, size: small })}</g>`
  );
}

function fitted(title: string): { size: number; lines: string[] } {
  const room = TITLE.bottom - TITLE.top;
  for (const size of SIZES) {
    const lines = wrapped(title, size, WIDTH);
    if (lines.length * size * LEADING <= room) return { size, lines };
  }
  const size = SIZES[SIZES.length - 1] ?? 56;
  const lines = wrapped(title, size, WIDTH).slice(0, Math.floor(room / (size * LEADING)));
  let last = lines.pop() ?? '';
  while (last !== '' && widthOf(`${last}…`, size) > WIDTH) last = last.slice(0, -1);
  return { size, lines: [...lines, `${last.replace(/[\s,;:.–—-]+$/, '')}…`] };
}

function nameAlone(name: string, colours: Palette): string {
  const size = Math.min(120, (120 * WIDTH) / Math.max(1, widthOf(name, 120)));
  const x = (SHARE_WIDTH - widthOf(name, size)) / 2;
  return `<g fill="${colours.accent}">${drawn(name, { x, y: SHARE_HEIGHT / 2 + size * 0.28, size })}</g>`;
}

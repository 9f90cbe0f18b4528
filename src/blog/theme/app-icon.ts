/** Draws the icon of the installed app. */

import sharp from 'sharp';
import { APP_ICON_SIZES } from '../routes/paths.ts';
import { DEFAULT_THEME, type Theme } from './theme.ts';

/** Fraction of the icon's width that stays visible under every operating system's icon mask. */
const SAFE = 0.6;
/** Returns the ink drop of `public/favicon.svg` in this colour, as an SVG. */
const dropIn = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="${colour}" d="M16 2S6 13 6 20a10 10 0 0 0 20 0C26 13 16 2 16 2"/></svg>`;

type Look = Pick<Theme, 'icon' | 'palettes'>;
/** The most recently drawn icons, cached so that repeated requests are cheap. */
const drawn = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Returns a PNG, `size` pixels wide and high, of the site's icon on the background colour of the light theme. */
export function appIcon({ icon, palettes: { light } }: Look, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const key = [size, light.paper, light.accent, icon].join();
  const known = drawn.get(key);
  if (known) return known;
  if (drawn.size >= APP_ICON_SIZES.length) drawn.clear();
  const made = draw(icon, light, size);
  drawn.set(key, made);
  return made;
}

async function draw(icon: string, { paper, accent }: Theme['palettes']['light'], size: number) {
  const [, own] = /^data:[^,]+;base64,(.*)$/s.exec(icon) ?? [];
  const drop = Buffer.from(dropIn(accent));
  const source = own === undefined || icon === DEFAULT_THEME.icon ? drop : Buffer.from(own, 'base64');
  const width = Math.round(size * SAFE);
  const scaled = (picture: Buffer) =>
    sharp(picture, { density: 300 })
      .resize(width, width, { fit: 'contain', background: 'transparent' })
      .png()
      .toBuffer();
  // Falls back to the drop, because sharp may reject an SVG that browsers can display.
  const input = await scaled(source).catch(() => scaled(drop));
  const create = { width: size, height: size, channels: 3, background: paper } as const;
  return new Uint8Array(await sharp({ create }).composite([{ input }]).png().toBuffer());
}

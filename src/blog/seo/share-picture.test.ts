import sharp from 'sharp';
import { expect, it } from 'vitest';
import { canDraw, widthOf, wrapped } from './glyph-outlines.ts';
import { drawSharePicture } from './share-picture.ts';

/** Returns the fraction of pixels that are dark. */
async function inked(picture: Uint8Array): Promise<number> {
  const { data } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data.filter((grey) => grey < 128).length / data.length;
}

it.each(['Short', 'x'.repeat(300), 'many words '.repeat(60), '日本語の活字', 'Fine 🎉 day', '', '<&">'])(
  'a share picture of “%s” is a PNG of 1200 × 630 with ink on it',
  async (title) => {
    const picture = await drawSharePicture(title, 'Common Ink');
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(await inked(picture)).toBeGreaterThan(0.003);
    expect(picture.length).toBeLessThan(80_000);
  },
);

it('a share picture is drawn without what nobody sees: marks of direction, soft hyphens, controls, halves of pairs, flags', async () => {
  const plain = await drawSharePicture('A fine day', 'Common Ink');
  const marked = await drawSharePicture('\u202eA fi\u00adne\u200b\n \ud800\u0000🇩🇪 day\u2066', 'Common\u0000 Ink');
  expect(Buffer.from(marked).equals(plain)).toBe(true);
});

it('a share picture is paper alone where nothing can be drawn', async () =>
  expect(await inked(await drawSharePicture('日本', '日本'))).toBe(0));

it('outlines know the letters of Europe and Vietnam', () => {
  expect(canDraw('Ångström, čeština, tiếng Việt — “x”…')).toBe(true);
  expect(canDraw('日')).toBe(false);
});

it('outlines are wrapped within a width, a word that is wider is broken', () => {
  const lines = wrapped(`one two three ${'m'.repeat(30)}`, 50, 300);
  expect(lines.join('').replaceAll(' ', '')).toBe(`onetwothree${'m'.repeat(30)}`);
  for (const line of lines) expect(widthOf(line, 50)).toBeLessThanOrEqual(300);
});

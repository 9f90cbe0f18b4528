import { globSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE_COLOURS, contrast, contrastFaults, schemeOf } from '../colours.ts';
import { fontPairOf } from '../font-pairs.ts';
import { cssOf, DEFAULT_THEME } from '../theme.ts';
import { DEFAULT_LOOK, LOOKS, lookOf } from './index.ts';
import { FONT_PAIR_NAMES } from './layouts.ts';

const FONTS = new URL('../../../fonts/', import.meta.url);
const PAIR_MAX_BYTES = 45_000;
/** Colours of errors (`styles/tokens.css`), the same in every look. */
const DANGER = { light: '#a32a1d', dark: '#f39a88' } as const;

const cssOfLook = (look: (typeof LOOKS)[number]) =>
  cssOf({ look, palettes: look.palettes, fonts: {}, measure: undefined, corners: undefined });

it('every file of this folder is a look of its name, and LOOKS lists it', () => {
  const files = globSync('*.json', { cwd: import.meta.dirname }).map((file) => basename(file, '.json'));
  expect(LOOKS.map(({ id }) => id).toSorted()).toEqual(files.toSorted());
  for (const look of LOOKS) expect(lookOf(look.id)).toBe(look);
  expect(lookOf('toString')).toBeUndefined();
});

describe.each(LOOKS)('$id', (look) => {
  it.each(['light', 'dark'] as const)('has readable colours in its %s theme (WCAG AA)', (scheme) => {
    const palette = look.palettes[scheme];
    expect(contrastFaults(palette)).toEqual([]);
    expect(schemeOf(palette.paper)).toBe(scheme);
    expect(contrast(palette.ink, palette.paper)).toBeGreaterThan(12);
    for (const back of [palette.paper, palette.well]) {
      for (const colour of CODE_COLOURS[scheme]) expect(contrast(colour, back)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(palette['accent-strong'], back)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(DANGER[scheme], back)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(palette.edge, back)).toBeGreaterThanOrEqual(3);
    }
  });

  it('has a style sheet of its differences from the default', () => {
    const css = cssOfLook(look);
    if (look === DEFAULT_LOOK) expect(css).toBe('');
    else expect(css).toMatch(/^:root\{--color-paper:light-dark\(#\w{6},#\w{6}\);[^{}]+\}$/);
    expect(css).not.toContain('undefined');
  });

  it('differs from every other look in its composition, not only in its colours', () => {
    const composition = ({ header, list, post, fonts, headlines }: typeof look) =>
      [header, list, post, fonts, headlines].join();
    expect(LOOKS.filter((other) => composition(other) === composition(look))).toEqual([look]);
  });
});

it('an owner’s choices go before those of the look', () => {
  const [, look = DEFAULT_LOOK] = LOOKS;
  const fonts = { text: { families: 'Georgia, serif', files: [] } };
  const css = cssOf({ look, palettes: look.palettes, fonts, measure: 50, corners: 7 });
  expect(css).toContain('--container-measure:50ch');
  expect(css).toContain('--radius-sm:7px;--radius-md:14px');
  expect(css).toMatch(/--newsreader:Brygada.*--newsreader:Georgia, serif/);
  expect(DEFAULT_THEME.look).toBe(DEFAULT_LOOK);
});

it.each(FONT_PAIR_NAMES)('the fonts %s have all their files, and a post’s three have at most 45 KB', (name) => {
  const { text, interface: sans } = fontPairOf(name);
  const families = name === 'newsreader-inter' ? [{ file: 'newsreader', hasItalics: true }, { file: 'inter' }] : [];
  const all = [...families, ...[text, sans].flatMap((family) => family ?? [])];
  const bytes = (file: string) => statSync(new URL(`${file}.woff2`, FONTS)).size;
  const files = all.flatMap(({ file, ...more }) =>
    'hasItalics' in more && more.hasItalics ? [file, `${file}-italic`] : [file],
  );
  expect([...new Set(files)].reduce((sum, file) => sum + bytes(file), 0)).toBeLessThanOrEqual(PAIR_MAX_BYTES);
  for (const file of files) {
    const part = (suffix: string) => file.replace(/(-italic)?$/, (italic) => suffix + italic);
    for (const suffix of ['-ext', '-viet']) expect(bytes(part(suffix))).toBeGreaterThan(0);
    if (!file.endsWith('-italic')) expect(bytes(`${file}-signs`)).toBeGreaterThan(0);
  }
});

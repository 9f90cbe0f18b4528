import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';

type Colour = { parseString(value: string): void };
/** Declares axe-core's colour functions, which its own types leave out. */
type Colours = { color: { Color: new () => Colour; getContrast(back: Colour, front: Colour): number } };
const { Color, getContrast } = (axe.commons as unknown as Colours).color;

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const THEMES = ['light', 'dark'] as const;

function colour(name: string, theme: (typeof THEMES)[number]): Colour {
  const value = new RegExp(`--color-${name}: light-dark\\(((?:[^(),]|\\([^)]*\\))+), (.+)\\);`).exec(css);
  if (!value) throw new Error(`tokens.css has no colour named ${name}.`);
  const parsed = new Color();
  parsed.parseString((theme === 'light' ? value[1] : value[2]) ?? '');
  return parsed;
}

describe.each(THEMES)('in the %s theme', (theme) => {
  it.each([
    ['ink', 'paper', 15],
    ['ink', 'well', 7],
    ['soft', 'paper', 4.5],
    ['soft', 'well', 4.5],
    ['accent', 'paper', 4.5],
    ['accent', 'well', 4.5],
    ['accent-strong', 'paper', 4.5],
    ['on-accent', 'accent', 4.5],
    ['on-accent', 'accent-strong', 4.5],
    ['danger', 'paper', 4.5],
    ['danger', 'danger-wash', 4.5],
    ['on-danger', 'danger', 4.5],
    ['on-danger', 'danger-strong', 4.5],
    ['edge', 'paper', 3],
    ['edge', 'well', 3],
  ])('%s on %s has a contrast of %d or more', (front, back, least) =>
    expect(getContrast(colour(back, theme), colour(front, theme))).toBeGreaterThanOrEqual(least),
  );
});

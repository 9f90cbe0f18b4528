import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const THEMES = ['light', 'dark'] as const;

/** Returns a colour token of a theme as linear-light red, green and blue. */
function colour(name: string, theme: (typeof THEMES)[number]): number[] {
  const value = new RegExp(`--color-${name}: light-dark\\(((?:[^(),]|\\([^)]*\\))+), (.+)\\);`).exec(css);
  if (!value) throw new Error(`tokens.css has no colour named ${name}.`);
  return linear((theme === 'light' ? value[1] : value[2]) ?? '');
}

function linear(value: string): number[] {
  const oklch = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value);
  if (oklch) return fromOklch(oklch.slice(1).map(Number) as [number, number, number]);
  const hex = value.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');
  return [0, 2, 4].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
}

/** Source: CSS Color 4, section 18. */
function fromOklch([l, c, h]: [number, number, number]): number[] {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const cone = [
    [0.3963377774, 0.2158037573],
    [-0.1055613458, -0.0638541728],
    [-0.0894841775, -1.291485548],
  ].map(([x = 0, y = 0]) => (l + x * a + y * b) ** 3);
  return [
    [4.0767416621, -3.3077115913, 0.2309699292],
    [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.707614701],
  ].map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, factor, at) => sum + factor * (cone[at] ?? 0), 0),
      ),
    ),
  );
}

/** Source: WCAG 2, "contrast ratio". */
function contrast(one: number[], other: number[]): number {
  const [darker = 0, lighter = 0] = [one, other]
    .map(([red = 0, green = 0, blue = 0]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
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
  ])('%s on %s has a contrast of %d or more', (front, back, least) => {
    expect(contrast(colour(front, theme), colour(back, theme))).toBeGreaterThanOrEqual(least);
  });
});

import ink from './looks/ink.json' with { type: 'json' };

/** A theme's colours as `#rrggbb`, keyed by their names in `styles/tokens.css`. */
export type Palette = Readonly<Record<ColourName, string>>;

export const COLOUR_NAMES = [
  'paper',
  'well',
  'ink',
  'soft',
  'hairline',
  'edge',
  'accent',
  'accent-strong',
  'on-accent',
] as const;
export type ColourName = (typeof COLOUR_NAMES)[number];
export type ColourScheme = 'light' | 'dark';

export const DEFAULT_PALETTES: Readonly<Record<ColourScheme, Palette>> = ink.palettes;

export const CODE_COLOURS: Readonly<Record<ColourScheme, readonly string[]>> = {
  light: ['#7a2f8f', '#1d4fa0', '#2d6736', '#93450b', '#5b4a1f'],
  dark: ['#d6a3e4', '#9cbdf2', '#a3cc9a', '#e8b184', '#dccb9f'],
};

/** Returns the scheme that fits a paper colour, because a “light” theme may have dark paper. */
export const schemeOf = (paper: string): ColourScheme =>
  contrast(paper, '#000000') >= contrast(paper, '#ffffff') ? 'light' : 'dark';

/**
 * Completes chosen colours with the look's palette for `theme` or, if a paper colour is chosen, for the scheme that
 * fits it. A chosen `accent` also sets `accent-strong` and `on-accent`, unless those are chosen as well.
 */
export function completed(chosen: Partial<Palette>, theme: ColourScheme, palettes = DEFAULT_PALETTES): Palette {
  const design = palettes[chosen.paper ? schemeOf(chosen.paper) : theme];
  const given = { ...design, ...chosen };
  const { accent, ink, paper } = given;
  if (!chosen.accent) return given;
  const legible = (candidates: readonly string[]) =>
    candidates.reduce((best, next) => (contrast(next, accent) > contrast(best, accent) ? next : best));
  return {
    ...given,
    'accent-strong': chosen['accent-strong'] ?? mixed(accent, ink, 0.25),
    'on-accent': chosen['on-accent'] ?? legible(['#ffffff', paper, ink]),
  };
}

/** Foreground and background colours, with the contrast that WCAG 2.2 requires between them (1.4.3, 1.4.11). */
const PAIRS: readonly (readonly [ColourName, ColourName, number])[] = [
  ['ink', 'paper', 4.5],
  ['ink', 'well', 4.5],
  ['soft', 'paper', 4.5],
  ['soft', 'well', 4.5],
  ['accent', 'paper', 4.5],
  ['accent', 'well', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ['edge', 'paper', 3],
];

export interface ContrastFault {
  readonly front: ColourName | 'code';
  readonly back: ColourName;
  readonly contrast: number;
  readonly least: number;
}

/** Returns the pairs with too little contrast; `code` stands for the colours of highlighted code. */
export function contrastFaults(palette: Palette): ContrastFault[] {
  const code = CODE_COLOURS[schemeOf(palette.paper)].map((colour) => contrast(colour, palette.well));
  return [
    ...PAIRS.map(([front, back, least]) => ({ front, back, contrast: contrast(palette[front], palette[back]), least })),
    { front: 'code' as const, back: 'well' as const, contrast: Math.min(...code), least: 4.5 },
  ].filter((pair) => pair.contrast < pair.least);
}

export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed(one: string, other: string, share: number): string {
  const others = channels(other);
  const mix = channels(one).map((value, at) => Math.round(value + ((others[at] ?? 0) - value) * share));
  return `#${mix.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

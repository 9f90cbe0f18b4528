/** The fonts of the looks. `fonts/subset.sh` makes their files, `layouts/look-styles.ts` the style sheet. */

/** An installed font with the widths and heights of ours, shown until our file arrives. Numbers in percent. */
export interface Fallback {
  readonly fonts: readonly string[];
  readonly style?: 'italic';
  readonly ascent: number;
  readonly descent: number;
  readonly size: number;
}

export interface FontFamily {
  readonly name: string;
  /** The beginning of its file names in `src/fonts`. */
  readonly file: string;
  readonly hasItalics: boolean;
  readonly weights: string;
  readonly fallbacks: readonly Fallback[];
  readonly generic: string;
}

export interface FontPair {
  /** The width of the text font's zero in em. */
  readonly figure: number;
  /** The text's size as a share of the design's, because fonts of one size look unlike. */
  readonly scale: number;
  /** Absent for the pair in `styles/fonts.css`, which every page has. */
  readonly text?: FontFamily;
  readonly interface?: FontFamily;
}

const SERIF = ['Times New Roman', 'Liberation Serif'];
const SERIF_ITALIC = ['Times New Roman Italic', 'Liberation Serif Italic'];
const SANS = ['Arial', 'Liberation Sans', 'Roboto'];
const SANS_ITALIC = ['Arial Italic', 'Liberation Sans Italic', 'Roboto Italic'];

const hanken: FontFamily = {
  name: 'Hanken',
  file: 'hanken',
  hasItalics: true,
  weights: '400 700',
  generic: 'system-ui, sans-serif',
  fallbacks: [
    { fonts: SANS, ascent: 99.2, descent: 30.1, size: 100.8 },
    { fonts: SANS_ITALIC, style: 'italic', ascent: 98.3, descent: 29.8, size: 101.7 },
  ],
};

export type FontPairName = 'newsreader-inter' | 'brygada-cabin' | 'bitter-jetbrains' | 'hanken-hanken';

export const FONT_PAIRS: Readonly<Record<FontPairName, FontPair>> = {
  'newsreader-inter': { figure: 0.5674, scale: 1 },
  'brygada-cabin': {
    figure: 0.58,
    scale: 0.98,
    text: {
      name: 'Brygada',
      file: 'brygada',
      hasItalics: true,
      weights: '400 700',
      generic: 'Georgia, serif',
      fallbacks: [
        { fonts: SERIF, ascent: 80.2, descent: 21.8, size: 114.7 },
        { fonts: SERIF_ITALIC, style: 'italic', ascent: 85.6, descent: 23.3, size: 107.5 },
      ],
    },
    interface: {
      name: 'Cabin',
      file: 'cabin',
      hasItalics: false,
      weights: '400 600',
      generic: 'system-ui, sans-serif',
      fallbacks: [{ fonts: SANS, ascent: 102.7, descent: 26.6, size: 94 }],
    },
  },
  'bitter-jetbrains': {
    figure: 0.641,
    scale: 0.9,
    text: {
      name: 'Bitter',
      file: 'bitter',
      hasItalics: true,
      weights: '400 700',
      generic: 'Georgia, serif',
      fallbacks: [
        { fonts: SERIF, ascent: 81.7, descent: 23.1, size: 114.5 },
        { fonts: SERIF_ITALIC, style: 'italic', ascent: 84.7, descent: 24, size: 110.4 },
      ],
    },
    interface: {
      name: 'JetBrains',
      file: 'jetbrains',
      hasItalics: false,
      weights: '400 600',
      generic: 'monospace',
      fallbacks: [
        { fonts: ['Menlo', 'Liberation Mono', 'Courier New', 'Cousine'], ascent: 102, descent: 30, size: 100 },
      ],
    },
  },
  'hanken-hanken': { figure: 0.56, scale: 0.94, text: hanken, interface: hanken },
};

/** Returns the families of `font-family`, each with its fallbacks. `fonts.css` says why there are several. */
export const familiesOf = ({ name, generic }: FontFamily): string =>
  `${name}, ${name} Extended, ${name} Signs, like ${name}, ${generic}`;

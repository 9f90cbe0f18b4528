/** The looks' fonts. `fonts/subset.sh` creates their files, and `layouts/look-styles.ts` their `@font-face` rules. */
import families from './font-families.json' with { type: 'json' };
import type { FontPairName } from './looks/layouts.ts';

export interface FontFamily {
  readonly name: string;
  /** Prefix of the family's file names in `src/fonts`. */
  readonly file: string;
  readonly hasItalics: boolean;
  readonly weights: string;
  /** System fonts shown until the font file has loaded, scaled to match its metrics. Numbers are percentages. */
  readonly fallbacks: readonly {
    readonly fonts: readonly string[];
    readonly isItalic: boolean;
    readonly ascent: number;
    readonly descent: number;
    readonly size: number;
  }[];
  readonly generic: string;
}

interface FontPair {
  /** Width in em of the text font's digit zero, CSS's `ch`. */
  readonly figure: number;
  /** Text size relative to the default look's, because fonts look larger or smaller at the same size. */
  readonly scale: number;
  /** Absent for the default pair, which every page loads from `styles/fonts.css`. */
  readonly text?: FontFamily;
  readonly interface?: FontFamily;
}

/**
 * Returns the fonts of a pair. They are not in a constant, because browser scripts import `theme.ts`, and the bundler
 * would keep an unused constant in those scripts.
 */
export function fontPairOf(name: FontPairName): FontPair {
  const { brygada, cabin, bitter, jetbrains, hanken } = families;
  const pairs: Readonly<Record<FontPairName, FontPair>> = {
    'newsreader-inter': { figure: 0.5674, scale: 1 },
    'brygada-cabin': { figure: 0.58, scale: 0.98, text: brygada, interface: cabin },
    'bitter-jetbrains': { figure: 0.641, scale: 0.9, text: bitter, interface: jetbrains },
    'hanken-hanken': { figure: 0.56, scale: 0.94, text: hanken, interface: hanken },
  };
  return pairs[name];
}

/** Returns the value of `font-family`. `styles/fonts.css` explains why one font is several families. */
export const familiesOf = ({ name, generic }: FontFamily): string =>
  `${name}, ${name} Extended, ${name} Signs, like ${name}, ${generic}`;

/** The fonts of the looks. `fonts/subset.sh` makes their files, `layouts/look-styles.ts` the style sheet. */
import families from './font-families.json' with { type: 'json' };
import type { FontPairName } from './looks/layouts.ts';

export interface FontFamily {
  readonly name: string;
  /** The beginning of its file names in `src/fonts`. */
  readonly file: string;
  readonly hasItalics: boolean;
  readonly weights: string;
  /** Installed fonts with the widths and heights of ours, shown until our file arrives. Numbers in percent. */
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
  /** The width of the text font's zero in em. */
  readonly figure: number;
  /** The text's size as a share of the design's, because fonts of one size look unlike. */
  readonly scale: number;
  /** Absent for the pair in `styles/fonts.css`, which every page has. */
  readonly text?: FontFamily;
  readonly interface?: FontFamily;
}

/** A constant would be in the browser's scripts as well, which import `theme.ts`. */
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

/** Returns the families of `font-family`, each with its fallbacks. `fonts.css` says why there are several. */
export const familiesOf = ({ name, generic }: FontFamily): string =>
  `${name}, ${name} Extended, ${name} Signs, like ${name}, ${generic}`;

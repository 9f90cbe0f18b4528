/** A look: a file of values in this folder. A new look is a new file and its line in `index.ts`. */
import type { Palette } from '../colours.ts';

export const LIST_LAYOUTS = ['lead', 'plain', 'cover', 'grid'] as const;
export const POST_LAYOUTS = ['wide', 'inset', 'none'] as const;
export const FONT_PAIRS = ['newsreader-inter', 'pair-two', 'pair-three', 'pair-four'] as const;

export interface Look {
  readonly id: string;
  readonly palettes: { readonly light: Palette; readonly dark: Palette };
  readonly fonts: (typeof FONT_PAIRS)[number];
  /** `lead`: the newest post large, then a grid; `plain`: titles in a list; `cover`: one story over the whole width; `grid`: pictures. */
  readonly list: (typeof LIST_LAYOUTS)[number];
  /** Where a post's picture stands. */
  readonly post: (typeof POST_LAYOUTS)[number];
  /** Characters in a line of text. */
  readonly measure: number;
  /** Pixels. */
  readonly corners: number;
  readonly density: 'airy' | 'compact';
}

/** The looks (designs of the site), each a JSON file of values. A new look needs a new file and its entries here. */
import * as z from 'zod/mini';
import { LANGUAGES } from '../../messages/language.ts';
import { COLOUR_NAMES } from '../colours.ts';
import diary from './diary.json' with { type: 'json' };
import essay from './essay.json' with { type: 'json' };
import gallery from './gallery.json' with { type: 'json' };
import ink from './ink.json' with { type: 'json' };
import { FONT_PAIR_NAMES, HEADER_LAYOUTS, HEADLINES, LIST_LAYOUTS, POST_LAYOUTS } from './layouts.ts';
import letters from './letters.json' with { type: 'json' };
import magazine from './magazine.json' with { type: 'json' };
import notebook from './notebook.json' with { type: 'json' };

const palette = z.record(z.enum(COLOUR_NAMES), z.string());
const lookSchema = z.strictObject({
  id: z.string(),
  texts: z.record(z.enum(LANGUAGES), z.strictObject({ name: z.string(), help: z.string() })),
  palettes: z.strictObject({ light: palette, dark: palette }),
  fonts: z.enum(FONT_PAIR_NAMES),
  headlines: z.enum(HEADLINES),
  header: z.enum(HEADER_LAYOUTS),
  list: z.enum(LIST_LAYOUTS),
  post: z.enum(POST_LAYOUTS),
  widthRem: z.number(),
  /** Width of the text in digits, like CSS's `ch`. A line holds about a third more letters than digits. */
  measure: z.number(),
  cornersPx: z.number(),
  density: z.enum(['airy', 'compact']),
});
export type Look = z.infer<typeof lookSchema>;

/** Has the same values as `styles/tokens.css`. */
export const DEFAULT_LOOK = lookSchema.parse(ink);
/** Listed in the order in which the settings show them. */
export const LOOKS: readonly Look[] = [
  DEFAULT_LOOK,
  ...z.array(lookSchema).parse([diary, magazine, notebook, gallery, essay, letters]),
];

export const lookOf = (id: string): Look | undefined => LOOKS.find((look) => look.id === id);

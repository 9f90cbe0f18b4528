/** Options of a look (a design of the site). `styles/looks` styles each layout that the default look does not use. */

/**
 * Layouts of the home page and of tag and author lists. `lead`: the newest post large, then a grid. `plain`: one line
 * per post. `entries`: posts one below the other, with the day beside them. `titles`: only titles, centred. `cover`:
 * one story across the full width, then columns. `grid`: pictures. `rows`: the newest post large, all posts on sheets.
 */
export const LIST_LAYOUTS = ['lead', 'plain', 'entries', 'titles', 'cover', 'grid', 'rows'] as const;
export type ListLayout = (typeof LIST_LAYOUTS)[number];
/**
 * `inset`: the picture as wide as the text, above the title. `wide`: as wide as the page. `opening`: below a large
 * title, as wide as the page. `entry`: below the day and title, as wide as the text. `sheet`: like `entry`, but on a
 * sheet. `none`: no picture, paragraphs as in a book.
 */
export const POST_LAYOUTS = ['inset', 'wide', 'opening', 'entry', 'sheet', 'none'] as const;
/** `masthead`: the name in the middle, navigation below it. `rail`: a column on the left of wide screens. */
export const HEADER_LAYOUTS = ['bar', 'masthead', 'rail'] as const;
/** `interface`: set in the interface font instead of the text font. */
export const HEADLINES = ['medium', 'bold', 'italic', 'interface'] as const;

export const FONT_PAIR_NAMES = ['newsreader-inter', 'brygada-cabin', 'bitter-jetbrains', 'hanken-hanken'] as const;
export type FontPairName = (typeof FONT_PAIR_NAMES)[number];

export const showsPictures = (list: ListLayout): boolean => list !== 'plain' && list !== 'titles';
/** Returns true for list layouts whose first page begins with the newest post in `Lead.astro`. */
export const hasLead = (list: ListLayout): boolean => list === 'lead' || list === 'cover' || list === 'rows';

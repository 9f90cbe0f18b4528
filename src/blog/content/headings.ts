import type { Element } from 'hast';
import { textIn } from './tree.ts';

export interface Heading {
  /** `h-` and the slug, plus a number if the slug repeats. The prefix prevents clashes with other ids on the page. */
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/**
 * Maximum length of the text copied into an id or label, in characters. A heading's text includes that of headings
 * nested in it, so deep nesting could otherwise make the page very large.
 */
export const LONGEST_NAME = 500;

export const isHeading = (element: Element): boolean => /^h[1-6]$/.test(element.tagName);

/**
 * Returns a heading's URL fragment in the style of GitHub, Jekyll and Zola: `What's new?` → `whats-new`. Keeps letters
 * of all scripts.
 */
export const headingSlug = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * Sets the id and level of every heading. The page's title is the only h1. No level is skipped, because a gap would
 * make screen reader users think that a section is missing. Duplicate ids get a number.
 */
export function nameHeadings(elements: readonly Element[]): Heading[] {
  const headings = elements.filter(isHeading);
  const seen = new Map<string, number>();
  let above: number[] = [];
  return headings.map((element) => {
    const written = Number(element.tagName[1]);
    above = [...above.filter((each) => each < written), written];
    const level = Math.min(6, above.length + 1);
    const text = textIn(element, LONGEST_NAME).replace(/\s+/g, ' ').trim();
    const slug = headingSlug(text) || 'section';
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    const id = times === 0 ? `h-${slug}` : `h-${slug}-${times}`;
    element.tagName = `h${level}`;
    element.properties.id = id;
    return { id, text, level };
  });
}

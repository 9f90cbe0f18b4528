/** Headings of a post on its page: levels under the title, ids that links can name. */

import type { Element } from 'hast';
import { textIn } from './tree.ts';

export interface Heading {
  /** `h-` and the slug, unique in the post; the prefix keeps it apart from the ids of the page around. */
  readonly id: string;
  readonly text: string;
  /** 2 to 6 on the page. */
  readonly level: number;
}

/**
 * Characters of a heading that name it. A heading can hold others, each of which would be named with all the words of
 * those in it.
 */
export const LONGEST_NAME = 500;

export const isHeading = (element: Element): boolean => /^h[1-6]$/.test(element.tagName);

/** The name of a heading in links, as GitHub, Jekyll and Zola make it: `What's new?` → `whats-new`. Letters of any script stay. */
export const headingSlug = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * Gives every heading its id and its level: the title of the page is the only h1, and each heading is one level below
 * the one that it stands under, because who jumps from heading to heading takes a gap for something missed. Two headings
 * of one name are told apart by a number.
 */
export function nameHeadings(elements: readonly Element[]): Heading[] {
  const headings = elements.filter(isHeading);
  const seen = new Map<string, number>();
  /** Levels, as written, of the headings that the one before stands under, and its own. */
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

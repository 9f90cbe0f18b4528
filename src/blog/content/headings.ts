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
 * Gives every heading its id and its level: the title of the page is the only h1, so a text that uses h1 itself moves
 * down one level as a whole. Two headings of one name are told apart by a number.
 */
export function nameHeadings(elements: readonly Element[]): Heading[] {
  const headings = elements.filter(isHeading);
  const lower = headings.some(({ tagName }) => tagName === 'h1') ? 1 : 0;
  const seen = new Map<string, number>();
  return headings.map((element) => {
    const level = Math.min(6, Number(element.tagName[1]) + lower);
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

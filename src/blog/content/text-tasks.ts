/** What the site makes of whole texts: the work whose time grows with a text, so that a thread of its own can do it. */

import { type Match, matchOf } from '../search/match.ts';
import { feedHtml } from './feed-html.ts';
import { type RenderedContent, renderContent } from './render.ts';
import { excerpt } from './text.ts';

/** A text as feeds carry it. */
export interface FeedText {
  /** Its first words; empty for a text without words, such as a picture alone. */
  readonly summary: string;
  /** The whole text, every address in it absolute; undefined for one that is longer than a feed carries. */
  readonly html: string | undefined;
}

/** Each takes stored HTML, whoever wrote it, as its first argument. */
export interface TextTasks {
  /** The text as its page shows it; `siteUrl`: links to it are not external. */
  render(html: string, siteUrl: string): Promise<RenderedContent>;
  /** The text as feeds carry it; `page` is the absolute address of the post. */
  forFeed(html: string, page: string): Promise<FeedText>;
  /** The first words, in at most `length` characters. */
  excerpt(html: string, length: number): Promise<string>;
  /** What a search for `words` shows of the text under `title`; undefined where not all of them are seen there. */
  match(html: string, title: string, words: readonly string[]): Promise<Match | undefined>;
}

/** Bytes of a text that feeds carry whole. A long chapter has them; readers fetch the whole feed for each new post. */
export const FEED_TEXT_MOST = 100_000;
const SUMMARY = 300;

/** The tasks in the thread that asks. */
export const textTasks: TextTasks = {
  render: (html, siteUrl) => renderContent(html, { siteUrl }),
  async forFeed(html, page) {
    const summary = excerpt(html, SUMMARY);
    const whole = html.length > FEED_TEXT_MOST ? undefined : feedHtml(html, page);
    const isShort = whole !== undefined && Buffer.byteLength(whole) <= FEED_TEXT_MOST;
    return { summary, html: isShort ? whole : undefined };
  },
  excerpt: async (html, length) => excerpt(html, length),
  match: async (html, title, words) => matchOf(html, title, words),
};

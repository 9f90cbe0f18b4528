/** Text processing that may be slow for long texts, behind one interface that a worker thread can implement. */

import { type Match, matchOf } from '../search/match.ts';
import { feedHtml } from './feed-html.ts';
import { type RenderedContent, renderContent } from './render.ts';
import { excerpt } from './text.ts';

export interface FeedText {
  readonly summary: string;
  readonly html: string | undefined;
}

export interface TextTasks {
  render(html: string, siteUrl: string): Promise<RenderedContent>;
  forFeed(html: string, page: string): Promise<FeedText>;
  excerpt(html: string, length: number): Promise<string>;
  /** Returns the search result; undefined unless the title and the visible text together contain all of `words`. */
  match(html: string, title: string, words: readonly string[]): Promise<Match | undefined>;
}

/** Maximum bytes of one post in a feed, because feed readers download the whole feed for each new post. */
export const FEED_TEXT_MOST = 100_000;
const SUMMARY = 300;

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

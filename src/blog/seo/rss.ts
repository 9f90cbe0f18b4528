/** Formats a feed as RSS 2.0 (rssboard.org/rss-specification), with modules for full texts, authors and pictures. */

import type { Feed, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

/**
 * Escapes fields that feed readers parse as HTML (descriptions by the specification, titles by convention): first as
 * HTML, then as XML. An ampersand that starts no reference is escaped as XML only, for readers that expect plain text.
 */
const html = (text: string): string => xml(text.replace(/&(?=[\w#])/g, '&amp;').replaceAll('<', '&lt;'));

const date = (iso: string): string => new Date(iso).toUTCString();

const itemOf = ({ url, title, summary, html: text, image, published, author, tags }: FeedItem): string => `
    <item>
      <title>${html(title)}</title>
      <link>${xml(url)}</link>
      <guid isPermaLink="true">${xml(url)}</guid>
      <pubDate>${date(published)}</pubDate>
      <dc:creator>${xml(author)}</dc:creator>${tags.map((name) => `\n      <category>${xml(name)}</category>`).join('')}${summary && `\n      <description>${html(summary)}</description>`}
      <content:encoded>${xml(text)}</content:encoded>${
        image === undefined
          ? ''
          : `
      <media:content url="${xml(image)}" medium="image" type="image/jpeg" />`
      }
    </item>`;

export const rss = ({ title, description, home, self, hub, updated, items }: Feed): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>${html(title)}</title>
    <link>${xml(home)}</link>
    <description>${html(description)}</description>
    <lastBuildDate>${date(updated)}</lastBuildDate>
    <generator>Common Ink</generator>
    <docs>https://www.rssboard.org/rss-specification</docs>
    <atom:link href="${xml(self)}" rel="self" type="application/rss+xml" />${
      hub === undefined ? '' : `\n    <atom:link href="${xml(hub)}" rel="hub" />`
    }${items.map(itemOf).join('')}
  </channel>
</rss>
`;

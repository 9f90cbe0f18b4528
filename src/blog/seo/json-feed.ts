/** Formats a feed as JSON Feed 1.1 (jsonfeed.org/version/1.1). */

import type { Feed } from './feed.ts';

export const jsonFeed = ({ title, description, home, self, hub, items }: Feed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    home_page_url: home,
    feed_url: self,
    ...(hub !== undefined && { hubs: [{ type: 'WebSub', url: hub }] }),
    items: items.map((item) => ({
      id: item.url,
      url: item.url,
      title: item.title,
      ...(item.summary && { summary: item.summary }),
      content_html: item.html,
      ...(item.image !== undefined && { image: item.image }),
      date_published: item.published,
      date_modified: item.updated,
      authors: [{ name: item.author, url: item.authorUrl }],
      ...(item.tags.length > 0 && { tags: item.tags }),
    })),
  });

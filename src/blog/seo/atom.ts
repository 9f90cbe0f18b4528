import type { Feed, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

const entryOf = (item: FeedItem): string => `
  <entry>
    <title type="text">${xml(item.title)}</title>
    <link rel="alternate" type="text/html" href="${xml(item.url)}" />
    <id>${xml(item.url)}</id>
    <published>${item.published}</published>
    <updated>${item.updated}</updated>
    <author>
      <name>${xml(item.author)}</name>
      <uri>${xml(item.authorUrl)}</uri>
    </author>${item.tags.map((name) => `\n    <category term="${xml(name)}" />`).join('')}${item.summary && `\n    <summary type="text">${xml(item.summary)}</summary>`}
    <content type="html">${xml(item.html)}</content>${
      item.image === undefined
        ? ''
        : `
    <link rel="enclosure" type="image/jpeg" href="${xml(item.image)}" />`
    }
  </entry>`;

export const atom = ({ title, description, home, self, hub, updated, items }: Feed): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="text">${xml(title)}</title>
  <subtitle type="text">${xml(description)}</subtitle>
  <link rel="self" type="application/atom+xml" href="${xml(self)}" />${hub === undefined ? '' : `\n  <link rel="hub" href="${xml(hub)}" />`}
  <link rel="alternate" type="text/html" href="${xml(home)}" />
  <id>${xml(home)}</id>
  <updated>${updated}</updated>
  <generator>Common Ink</generator>${items.map(entryOf).join('')}
</feed>
`;

import type { Feed, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

const entryOf = ({
  url,
  title,
  summary,
  html,
  image,
  published,
  updated,
  author,
  authorUrl,
  tags,
}: FeedItem): string => `
  <entry>
    <title type="text">${xml(title)}</title>
    <link rel="alternate" type="text/html" href="${xml(url)}" />
    <id>${xml(url)}</id>
    <published>${published}</published>
    <updated>${updated}</updated>
    <author>
      <name>${xml(author)}</name>
      <uri>${xml(authorUrl)}</uri>
    </author>${tags.map((name) => `\n    <category term="${xml(name)}" />`).join('')}${summary && `\n    <summary type="text">${xml(summary)}</summary>`}
    <content type="html">${xml(html)}</content>${
      image === undefined
        ? ''
        : `
    <link rel="enclosure" type="image/jpeg" href="${xml(image)}" />`
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

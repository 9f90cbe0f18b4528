import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ });
/** RFC 3339. */
const moment = z.iso.datetime({ offset: true });

const item = z.strictObject({
  id: z.string().min(1),
  url: address,
  title: z.string(),
  summary: z.string().optional(),
  content_html: z.string(),
  image: address.optional(),
  date_published: moment,
  date_modified: moment,
  authors: z.array(z.strictObject({ name: z.string().min(1), url: address })),
  tags: z.array(z.string()).optional(),
});

/** The parts of JSON Feed 1.1 that the feed uses. */
export const jsonFeedSchema = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  home_page_url: address,
  feed_url: address,
  description: z.string().optional(),
  items: z
    .array(item)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'No two items have one id.'),
});

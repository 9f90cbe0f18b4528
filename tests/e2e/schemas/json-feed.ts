import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ });
/** RFC 3339. */
const moment = z.iso.datetime({ offset: true });
const author = z
  .strictObject({ name: z.string().min(1), url: address, avatar: address })
  .partial()
  .refine((given) => Object.keys(given).length > 0, 'An author has a name, an address or a picture.');

const item = z
  .strictObject({
    id: z.string().min(1),
    url: address.optional(),
    external_url: address.optional(),
    title: z.string().optional(),
    content_html: z.string().optional(),
    content_text: z.string().optional(),
    summary: z.string().optional(),
    image: address.optional(),
    banner_image: address.optional(),
    date_published: moment.optional(),
    date_modified: moment.optional(),
    authors: z.array(author).optional(),
    tags: z.array(z.string()).optional(),
    language: z.string().optional(),
  })
  .refine((given) => given.content_html !== undefined || given.content_text !== undefined, 'An item has content.');

export const jsonFeedSchema = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  home_page_url: address,
  feed_url: address,
  description: z.string().optional(),
  user_comment: z.string().optional(),
  next_url: address.optional(),
  icon: address.optional(),
  favicon: address.optional(),
  authors: z.array(author).optional(),
  language: z.string().optional(),
  expired: z.boolean().optional(),
  items: z
    .array(item)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'No two items have one id.'),
});

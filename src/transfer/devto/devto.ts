import { z } from 'zod';
import { OperatorError } from '#blog/errors.ts';
import { decoded } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import { isoDate } from '../dates.ts';
import type { NoPost } from '../document.ts';
import { futureDate } from '../extras.ts';
import type { Format } from '../format.ts';
import {
  type Article,
  articleNames,
  articlesIn,
  type Dialect,
  fieldsAt,
  openArticles,
  sourceOf,
  tagsField,
  textField,
} from '../markdown/dialect.ts';
import type { Fields } from '../markdown/fields.ts';
import { readDocument } from '../markdown/front-matter.ts';
import type { Source, Sources } from '../markdown/sources.ts';
import { pictureAt } from '../old-site.ts';
import { parseJson } from '../read-json.ts';
import { plainLiquid } from './liquid.ts';

const dialect: Dialect = {
  read,
  toMarkdown: plainLiquid,
  sites: ['https://dev.to'],
  fileOf: originalAt,
};

export const devto: Format = {
  async matches(archive) {
    if (exportIn(archive)) return /"body_markdown"\s*:/.test(await archive.head(exportIn(archive) ?? ''));
    for (const name of articleNames(archive).slice(0, 20)) if (isOwn(await fieldsAt(archive, name))) return true;
    return false;
  },
  async open(archive, options) {
    const file = exportIn(archive);
    const found = file
      ? exported(file, await archive.text(file, 512 * 1024 * 1024))
      : await articlesIn(archive, dialect);
    const isNamedByPath = file && found.sources.every(({ path }) => path.startsWith('/'));
    return openArticles(archive, found, dialect, options, isNamedByPath ? '' : undefined);
  },
};

const exportIn = ({ names }: Archive): string | undefined =>
  names.find((name) => /(?:^|\/)articles\.json$/i.test(name)) ??
  (names.length === 1 && /\.json$/i.test(names[0] ?? '') ? names[0] : undefined);

/** Returns true for the front matter of a DEV article. Jekyll has `published` too, but none of the other fields. */
const isOwn = (fields: Fields): boolean =>
  typeof fields.title === 'string' &&
  typeof fields.published === 'boolean' &&
  ['cover_image', 'canonical_url', 'series', 'main_image'].some((name) => name in fields) &&
  !('layout' in fields || 'permalink' in fields);

function read(path: string, fields: Fields): Article | string {
  const title = textField(fields, 'title');
  if (!title) return 'it has no title, so it is not a post';
  const own = /^https?:\/\/dev\.to\/[^/]+\/([^/?#]+)/.exec(
    textField(fields, 'canonical_url') || textField(fields, 'url'),
  );
  const stem = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '').replace(/^\d{4}-\d{2}-\d{2}[-_]/, '');
  const named = /^(?:index|readme)$/i.test(stem) ? (path.split('/').at(-2) ?? stem) : stem;
  const publishAt = futureDate(dateOf(fields));
  const [series, canonical] = [textField(fields, 'series'), textField(fields, 'canonical_url')];
  return {
    title,
    slug: textField(fields, 'slug') || own?.[1] || named,
    date: publishAt ? undefined : (dateOf(fields) ?? isoDate(/\d{4}-\d{2}-\d{2}/.exec(path)?.[0])),
    addresses: own ? [own[0]] : [],
    image: textField(fields, 'cover_image') || textField(fields, 'main_image') || undefined,
    extras: {
      hidden: fields.published === true ? [] : ['it was a draft'],
      publishAt,
      tags: tagsField(fields.tags),
      excerpt: textField(fields, 'description'),
      more: [
        ...(series ? [`the series “${series}”`] : []),
        ...(canonical && !own ? [`the canonical address ${canonical}`] : []),
      ],
    },
  };
}

const dateOf = (fields: Fields): string | undefined => isoDate(fields.published_at) ?? isoDate(fields.date);

const maybe = z.string().nullish();
const articles = z.array(
  z.looseObject({
    title: z.string(),
    slug: maybe,
    path: maybe,
    body_markdown: maybe,
    published: z.boolean().nullish(),
    published_at: maybe,
    created_at: maybe,
    edited_at: maybe,
    main_image: maybe,
    description: maybe,
    cached_tag_list: maybe,
    canonical_url: maybe,
    language: maybe,
  }),
);

function exported(file: string, text: string): Sources {
  const found = articles.safeParse(parseJson(file, text));
  if (!found.success) throw new OperatorError(`${file} is not a dev.to export: ${found.error.issues[0]?.message}.`);
  const [sources, others]: [Source[], NoPost[]] = [[], []];
  for (const [index, one] of found.data.entries()) {
    const path = one.path || one.slug || `article ${index + 1}`;
    const source = one.body_markdown ?? '';
    try {
      // Articles from the older editor have front matter in the text.
      const { fields, body } = readDocument(source);
      const [main, description] = [one.main_image ?? '', one.description ?? ''];
      const whole = { cover_image: main, description, tags: one.cached_tag_list ?? '', ...fields };
      const given = {
        ...whole,
        title: one.title,
        slug: one.slug ?? '',
        published: one.published === true,
        published_at: one.published_at ?? '',
        url: one.path ? `https://dev.to${one.path}` : '',
        canonical_url: one.canonical_url ?? '',
      };
      const article = read(path, given);
      if (typeof article === 'string') others.push({ path, reason: article, failed: false });
      else {
        const dates = { date: article.date ?? isoDate(one.created_at), updated: isoDate(one.edited_at) };
        sources.push(sourceOf(path, JSON.stringify(one), body, { ...article, ...dates }));
      }
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      others.push({ path, reason: error.message, failed: true });
    }
  }
  return { sources, others };
}

const PICTURE_HOST =
  /^(?:media\d*\.dev\.to|res\.cloudinary\.com|dev-to-uploads\.s3\.(?:[\w-]+\.)?amazonaws\.com|thepracticaldev\.s3\.amazonaws\.com)$/;

/** Returns the original picture. A scaled copy's URL contains the original's URL. */
function originalAt(url: URL) {
  if (!PICTURE_HOST.test(url.hostname)) return undefined;
  const inner = /\/(https?(?:%3A%2F%2F|:\/\/?).+)$/i.exec(url.pathname)?.[1];
  const address = inner && URL.parse(decoded(inner).replace(/^(https?):\/(?!\/)/, '$1://'));
  const original = address || url;
  return pictureAt(original.pathname.split('/').at(-1) || 'picture', original.href, url);
}

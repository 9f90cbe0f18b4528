/** Reads Ghost's export, a single JSON file. Pictures come from a copy of the content folder or from the old site. */

import type { Root } from 'hast';
import { z } from 'zod';
import { elementsIn } from '#blog/content/tree.ts';
import { OperatorError } from '#blog/errors.ts';
import { decoded } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import { isoDate } from '../dates.ts';
import { type Collection, type Person, type PostHead, type PostText, textsOf } from '../document.ts';
import { extrasOf, futureDate } from '../extras.ts';
import type { Format, OpenOptions } from '../format.ts';
import { classesOf, replaceElement } from '../html/figures.ts';
import { plainTitle, readHtml } from '../html/read-html.ts';
import { createOldSite } from '../old-site.ts';
import { parseJson } from '../read-json.ts';
import { lexicalHtml, markdownHtml, mobiledocHtml } from './cards.ts';

const GHOST_URL = /__GHOST_URL__/g;
/** Maximum size of the export in bytes. The limit exists because the entire export is read into memory. */
const MOST = 512 * 1024 * 1024;

const id = z.union([z.string(), z.number()]).transform(String);
const maybe = z.string().nullish();
const post = z.looseObject({
  id,
  title: z.string().default(''),
  slug: maybe,
  html: maybe,
  lexical: maybe,
  mobiledoc: maybe,
  markdown: maybe,
  feature_image: maybe,
  feature_image_alt: maybe,
  feature_image_caption: maybe,
  type: maybe,
  status: z.string().default('draft'),
  visibility: maybe,
  published_at: z.union([z.string(), z.number()]).nullish(),
  created_at: z.union([z.string(), z.number()]).nullish(),
  updated_at: z.union([z.string(), z.number()]).nullish(),
  custom_excerpt: maybe,
  codeinjection_head: maybe,
  codeinjection_foot: maybe,
  author_id: id.nullish(),
});
type GhostPost = z.infer<typeof post>;

const data = z.looseObject({
  posts: z.array(post),
  users: z.array(z.looseObject({ id, name: z.string().default(''), email: maybe })).default([]),
  tags: z.array(z.looseObject({ id, name: z.string().default(''), visibility: maybe })).default([]),
  posts_tags: z.array(z.looseObject({ post_id: id, tag_id: id, sort_order: z.number().nullish() })).default([]),
  posts_authors: z.array(z.looseObject({ post_id: id, author_id: id, sort_order: z.number().nullish() })).default([]),
  posts_meta: z
    .array(z.looseObject({ post_id: id, feature_image_alt: maybe, feature_image_caption: maybe }))
    .default([]),
});

export const ghost: Format = {
  async matches(archive) {
    const file = await exportIn(archive);
    return file !== undefined && (archive.isFolder || isExport(await archive.head(file)));
  },
  open: openGhost,
};

const isExport = (head: string): boolean => /^\s*\{[\s\S]*"(?:db|exported_on|posts)"\s*:/.test(head);

async function exportIn(archive: Archive): Promise<string | undefined> {
  const { names } = archive;
  if (names.length === 1) return names[0];
  const files = names.filter((name) => /\.json$/i.test(name) && name.split('/').length <= 4);
  for (const file of [...files.filter((name) => /ghost/i.test(name)), ...files].slice(0, 40))
    if (isExport(await archive.head(file))) return file;
  return undefined;
}

const OBJECT_ID = /^[0-9a-f]{24}$/;

const isUnique = ({ id, email }: z.infer<typeof data>['users'][number]): boolean => !!email || OBJECT_ID.test(id);

async function openGhost(archive: Archive, options: OpenOptions): Promise<Collection> {
  const file = await exportIn(archive);
  if (!file) throw new OperatorError(`There is no Ghost export (a .json file) in ${archive.path}.`);
  const { posts, users, tags, posts_tags, posts_authors, posts_meta } = await dataAt(archive, file);
  const people = new Map(
    users.map(({ id, name, email }): [string, Person] => [id, { key: email || id, name, email: email || undefined }]),
  );
  const authorsOf = Map.groupBy(inOrder(posts_authors), ({ post_id }) => post_id);
  // Tags that begin with `#` control layouts and emails; readers do not see them.
  const shown = tags.filter(({ name, visibility }) => visibility !== 'internal' && !name.startsWith('#'));
  const tagNames = new Map(shown.map((tag) => [tag.id, tag.name]));
  const tagsOf = Map.groupBy(inOrder(posts_tags), ({ post_id }) => post_id);
  const metas = new Map(posts_meta.map((meta) => [meta.post_id, meta]));
  const heads = posts.map((one): PostHead => {
    const author =
      people.get(authorsOf.get(one.id)?.[0]?.author_id ?? one.author_id ?? '') ?? people.values().next().value;
    const named = (tagsOf.get(one.id) ?? []).flatMap(({ tag_id }) => tagNames.get(tag_id) ?? []);
    const meta = metas.get(one.id);
    const alt = one.feature_image_alt ?? meta?.feature_image_alt ?? undefined;
    const caption = plainTitle(one.feature_image_caption ?? meta?.feature_image_caption ?? '');
    return { ...headOf(one, { tags: named, alt, caption }), author };
  });
  const members = new Map(
    archive.names.flatMap((name) => {
      const path = /(?:^|\/)(content\/images\/.+)$/.exec(`content/${name.replace(/^.*?content\//, '')}`)?.[1];
      return path ? [[path, name] as const] : [];
    }),
  );
  const sites = options.oldSite ? [options.oldSite] : [];
  const base = sites[0] ?? 'https://unknown.invalid';
  const toSite = createOldSite({
    ...options,
    sites,
    posts: heads,
    member(path) {
      const name = members.get(path);
      return name === undefined ? undefined : () => archive.read(name);
    },
    fetch: options.oldSite ? options.fetch : undefined,
    fileOf(url) {
      if (url.host !== new URL(base).host) return undefined;
      const found = /^(.*\/content\/images\/)(?:size\/w\d+(?:h\d+)?\/)?(.+)$/.exec(url.pathname);
      if (!found) return undefined;
      const [, folder = '', file = ''] = found;
      return { path: `content/images/${decoded(file)}`, candidates: [new URL(folder + file, url).href, url.href] };
    },
  });
  return {
    // Old releases of Ghost number posts and users from 1 in every blog; only an ObjectID is unique across blogs.
    origin: posts.every(({ id }) => OBJECT_ID.test(id)) && users.every(isUnique) ? '' : undefined,
    posts: heads,
    others: [],
    follow: (href) => toSite(href.replace(GHOST_URL, '')),
    texts: () => {
      const items = posts.map((one) => ({ path: pathOf(one), one }));
      return textsOf(items, ({ one }) => textOf(one), options);
    },
  };
}

const inOrder = <Row extends { readonly sort_order?: number | null | undefined }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0));

async function dataAt(archive: Archive, path: string): Promise<z.infer<typeof data>> {
  const whole = parseJson(path, await archive.text(path, MOST)) as { db?: { data?: unknown }[]; data?: unknown } | null;
  const read = data.safeParse(whole?.db?.[0]?.data ?? whole?.data ?? whole);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new OperatorError(`${path} is not a Ghost export: ${issue?.path.join('.')}: ${issue?.message}.`);
}

const pathOf = ({ type, id: number }: GhostPost): string => `${type ?? 'post'} ${number}`;

/** Returns an ISO date. Ghost 0 and 1 wrote Unix time in milliseconds. */
const dateOf = (value: string | number | null | undefined): string | undefined =>
  typeof value === 'number' ? new Date(value).toISOString() : isoDate(value);

interface PostRelations {
  readonly tags: readonly string[];
  readonly alt: string | undefined;
  readonly caption: string;
}

function headOf(one: GhostPost, { tags, alt, caption }: PostRelations): PostHead {
  const [slug, visibility] = [one.slug ?? '', one.visibility ?? 'public'];
  const title = plainText(one);
  const date = dateOf(one.published_at) ?? dateOf(one.created_at);
  const publishAt = one.status === 'scheduled' ? futureDate(date) : undefined;
  return {
    path: pathOf(one),
    name: slug || title,
    titles: [title],
    date: publishAt ? undefined : date,
    updated: dateOf(one.updated_at),
    addresses: slug ? [`/${slug}`] : [],
    image: one.feature_image ?? undefined,
    ...extrasOf({
      hidden: [
        ...(one.status === 'published' || publishAt ? [] : [`its status was ${one.status}`]),
        ...(visibility === 'public' ? [] : [`its visibility was “${visibility}”`]),
      ],
      publishAt,
      isPage: one.type === 'page',
      tags,
      excerpt: one.custom_excerpt ?? undefined,
      alt,
      more: caption ? [`the featured picture’s caption (${caption})`] : [],
    }),
  };
}

const plainText = ({ title }: GhostPost): string => title.replace(/\s+/g, ' ').trim();

function textOf(one: GhostPost): PostText {
  const lost: string[] = [];
  const html =
    one.html ||
    (one.lexical && lexicalHtml(one.lexical, lost)) ||
    (one.mobiledoc && mobiledocHtml(one.mobiledoc, lost)) ||
    (one.markdown && markdownHtml(one.markdown)) ||
    '';
  for (const name of ['codeinjection_head', 'codeinjection_foot'] as const)
    if (one[name]) lost.push(`${name}: a post cannot contain its own scripts`);
  const { tree, notes, losses, words } = readHtml(html, prepareBody);
  const title = plainText(one) || plainTitle(one.slug ?? '') || pathOf(one);
  return { path: pathOf(one), title, tree, words, source: JSON.stringify(one), notes, losses: [...lost, ...losses] };
}

const CONTROLS: ReadonlySet<string> = new Set([
  'kg-video-player-container',
  'kg-video-overlay',
  'kg-audio-player',
  'kg-toggle-card-icon',
  'kg-file-card-icon',
]);

function prepareBody(tree: Root): void {
  for (const [element, parent] of elementsIn(tree)) {
    const classes = classesOf(element);
    const isPlaceholder = classes.includes('kg-audio-thumbnail') && !element.properties.src;
    if (isPlaceholder || classes.some((each) => CONTROLS.has(each))) replaceElement(parent, element, []);
    else if (classes.includes('kg-bookmark-publisher'))
      replaceElement(parent, element, [{ type: 'text', value: ' ' }, element]);
  }
}

/** Exports pages exactly as the server sends them. Requests carry ETags, so that unchanged pages are skipped. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bodies, checksum, compress } from '@common-ink/http/compression.ts';
import type { Log } from '@common-ink/http/log.ts';
import { isPage } from '#blog/post.ts';
import { postSlugOf, slugOf } from '#blog/routes/canonical.ts';
import {
  APP_ICON_SIZES,
  APP_MANIFEST,
  appIconPath,
  editPostPath,
  postPath,
  SEARCH,
  SECURITY_TXT,
  SITEMAP,
} from '#blog/routes/paths.ts';
import { addressesOfSlug, addressOfPost, pageAddress } from '#blog/routes/post-address.ts';
import { ANY, fixedPaths, storedPaths } from '#blog/routes/table.ts';
import { POSTS, postTag } from '#blog/routes/tags.ts';
import type { Site } from '#blog/site.ts';
import { type Redirect, withoutDeadEnds } from '#redirects/redirects-file.ts';
import { COMPRESSED, fileOf, isText } from './file-paths.ts';
import type { ExportFolder } from './folder.ts';
import { EDIT_FILE, type FixedFile, headersFile, isHostsOwn, redirectsFile, rulesOf } from './hosting.ts';
import { EMPTY, type Manifest, type ManifestPage, readManifest, writeManifest } from './manifest.ts';
import { nginxFile } from './nginx.ts';
import { exportPictures, picturesIn } from './pictures.ts';
import { changedPosts, type ListedPost, postVersions } from './posts.ts';
import { exportSearchIndex } from './search-index.ts';
import type { Page, PageResponse, Source } from './source.ts';

export interface ExportOptions {
  readonly folder: ExportFolder;
  readonly source: Source;
  readonly site: Site;
  /** Identifies the build. If it changed, every page is requested without its ETag. */
  readonly build: () => string;
  readonly assets: string;
  readonly files?: ReadonlyMap<string, Buffer> | undefined;
  /** Returns the published posts and pages as guests see them, newest first. */
  readonly posts: () => Promise<readonly ListedPost[]>;
  readonly authorName: (userId: string) => Promise<string>;
  readonly redirects: () => Promise<readonly Redirect[]>;
  readonly islands: boolean;
  /** URL at which the host reaches the server for `/v1` and `/api`. */
  readonly server?: string | undefined;
  /** Makes the server rerender the pages that have these tags, in case it missed a change. */
  readonly refresh?: ((tags: readonly string[]) => Promise<void>) | undefined;
  readonly log: Log;
}

export interface ExportReport {
  readonly posts: number;
  readonly pages: number;
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files that were not exported, because a file or folder that no export wrote is in the way. */
  readonly foreign: readonly string[];
  readonly missing: readonly string[];
  readonly stale: number;
  readonly milliseconds: number;
}

const ISLANDS = fixedPaths('island');
const APP_FILES = [APP_MANIFEST, ...APP_ICON_SIZES.map(appIconPath)];
/** The hyphen is a placeholder that no post can have as its slug. */
const EDIT_FORM = editPostPath('-');
const MISSING_POST = postPath('-');
const MISSING_POST_FILE = `${postPath('404').slice(1)}.html`;
const EXPORTED_SEARCH = `${SEARCH}?exported`;
/** Pages processed concurrently. `createSource` requests fewer at a time, so that readers do not wait. */
const WIDTH = 8;
const FORMER_ASSETS_KEPT = 30 * 24 * 3600 * 1000;
const MOST_AUTHORS = 20;
const ATTEMPTS = 4;

export interface Exporter {
  /** @param how `all` requests every page without its ETag */
  run(how?: { readonly all?: boolean }): Promise<ExportReport>;
  /** Returns paths of pages that reveal changes: the sitemap, its parts and page 1 of up to `MOST_AUTHORS` authors. */
  signs(): readonly string[];
}

export function createExporter(options: ExportOptions): Exporter {
  let manifest: Manifest | undefined;
  let signs: readonly string[] = [SITEMAP];
  return {
    async run({ all = false } = {}) {
      const before = manifest ?? (await readManifest(options.folder));
      manifest = EMPTY;
      const done = await run(options, before, all);
      manifest = done.manifest;
      const paths = [...manifest.pages.keys()];
      const authors = paths.filter((path) => /^\/author\/[^/]+$/.test(path)).slice(0, MOST_AUTHORS);
      signs = [SITEMAP, ...paths.filter((path) => path.startsWith('/sitemap-')), ...authors];
      return done.report;
    },
    signs: () => signs,
  };
}

async function run(
  options: ExportOptions,
  before: Manifest,
  all: boolean,
): Promise<{ manifest: Manifest; report: ExportReport }> {
  const start = performance.now();
  const { folder, site } = options;
  folder.begin();
  const [posts, files] = await Promise.all([options.posts(), fixedFiles(options)]);
  const fixed = withMissingPostPage(posts, files);
  const names = await namesOf(posts, options.authorName);
  const versions = postVersions(posts, names);
  const siteChecksum = checksum(JSON.stringify([options.build(), site]));
  // Requests all pages without ETags if the build or the site changed, because headers may change while bytes do not.
  const known = all || siteChecksum !== before.siteChecksum ? EMPTY : before;

  const kept = new Set<string>();
  const put = (file: string, body: Buffer | undefined) => putWithForms(folder, file, body, kept);
  const indexing = { folder, siteChecksum, timeZone: site.timeZone, versions, names, put };
  let { searchParts } = known;
  if (await removeGonePosts(folder, posts)) searchParts = (await exportSearchIndex(posts, searchParts, indexing)).made;
  if (fixed !== files) await folder.remove(withCompressed(MISSING_POST_FILE));
  for (const { file, body } of fixed) await put(file, body);

  const changed = changedPosts(known.posts, versions);
  if (changed.length > 0) await options.refresh?.([...changed.map(postTag), POSTS]);
  const { pages, stale } = await exportPages(options, known.pages, storedPaths(posts, site));
  for (const path of pages.keys()) for (const file of withCompressed(fileOf(path))) kept.add(file);

  const there = posts.filter((post) => pages.has(addressOfPost(post)));
  const index = await exportSearchIndex(there, searchParts, indexing);
  for (const file of index.files) for (const form of withCompressed(file)) kept.add(form);

  const wanted = new Set<string>();
  // Uses a set, because many pictures appear in several lists of posts.
  for (const page of pages.values()) for (const picture of page.pictures) wanted.add(picture);
  const { files: pictures, missing } = await exportPictures(options, wanted);
  for (const file of pictures) kept.add(file);

  const addresses = new Map(there.map((post) => [post.id, addressOfPost(post)]));
  const formerPages = formerPagesOf(before, addresses);
  const moved = [...formerPages, ...there.filter(isPage).map(({ id }) => id)].flatMap((slug) => {
    const to = addresses.get(slug) ?? '';
    return addressesOfSlug(slug).flatMap((from) => (from === to ? [] : [{ from, to }]));
  });
  const redirected = (await options.redirects()).map(({ from, to }) => ({
    from,
    to: addresses.get(postSlugOf(to) ?? '') ?? to,
  }));
  // A page takes precedence over a redirect from its path.
  const leading = redirected.filter(
    ({ from, to }) =>
      from !== to &&
      !isHostsOwn(from) &&
      (from.includes('?') || (!folder.owns(fileOf(from)) && !folder.owns(from.slice(1)))),
  );
  const redirects = [...moved, ...withoutDeadEnds(leading, site.url, (slug) => addresses.has(slug))];
  const hosting = {
    site,
    redirects,
    directory: folder.directory,
    pages: Array.from(pages, ([path, { headers }]) => ({ path, headers })),
    fixed,
    server: options.server,
  };
  const rules = rulesOf(hosting);
  for (const [file, text] of [
    ['_headers', headersFile(hosting, rules)],
    ['_redirects', redirectsFile(hosting)],
  ] as const) {
    await folder.put(file, Buffer.from(text));
    kept.add(file);
  }
  const formerAssets = formerAssetsOf(folder, before.formerAssets, kept);
  for (const file of Object.keys(formerAssets)) kept.add(file);
  await folder.keepOnly(kept);
  const manifest = { siteChecksum, pages, posts: versions, searchParts: index.made, formerAssets, formerPages };
  await writeManifest(folder, manifest);
  await folder.putNote('nginx.conf', nginxFile(hosting, rules));
  await folder.settle();
  const report = {
    posts: posts.length,
    pages: pages.size,
    written: [...folder.written],
    removed: [...folder.removed],
    foreign: [...folder.foreign],
    missing,
    stale,
    milliseconds: Math.round(performance.now() - start),
  };
  return { manifest, report };
}

/** Returns the slugs of posts that were pages such as `/about` in an earlier export. */
function formerPagesOf(before: Manifest, addresses: ReadonlyMap<string, string>): string[] {
  const pages = [...before.pages.keys()].flatMap((path) => {
    const slug = postSlugOf(path);
    return slug !== undefined && path === pageAddress(slug) ? [slug] : [];
  });
  const isPost = (slug: string) => addresses.has(slug) && addresses.get(slug) !== pageAddress(slug);
  return [...new Set([...before.formerPages, ...pages])].filter(isPost);
}

/** Removes the files of posts that are no longer published. Returns true if it removed any. */
async function removeGonePosts(folder: ExportFolder, posts: readonly ListedPost[]): Promise<boolean> {
  const published = new Set(posts.map(({ id }) => id));
  const gone = [...folder.files()].filter((file) => {
    const path = `/${dirname(file)}`;
    const slug = file.startsWith(fileOf(path)) || path.startsWith(postPath('')) ? slugOf(path) : undefined;
    return slug !== undefined && !published.has(slug);
  });
  await folder.remove(gone);
  return gone.length > 0;
}

async function fixedFiles({ folder, source, assets, files, islands }: ExportOptions): Promise<FixedFile[]> {
  const page = async (path: string, file: string, served: string = path): Promise<FixedFile> => {
    const { body, headers } = await source.file(path);
    return { file, body, page: { path: served, headers } };
  };
  const securityText = await source.file(SECURITY_TXT);
  const pages = [
    ...(securityText.status === 200 ? [page(SECURITY_TXT, SECURITY_TXT.slice(1))] : []),
    page('/404', '404.html', '/404.html'),
    page(MISSING_POST, MISSING_POST_FILE, `/${MISSING_POST_FILE}`),
    page(EXPORTED_SEARCH, fileOf(SEARCH), SEARCH),
    ...(islands ? ISLANDS.map((path) => page(path, `${path.slice(1)}/index.html`)) : []),
    ...(islands ? [page(EDIT_FORM, EDIT_FILE, editPostPath(ANY))] : []),
    ...(islands ? APP_FILES.map((path) => page(path, path.slice(1))) : []),
  ];
  const entries = await readdir(assets, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const built = names.map(async (path) => {
    const file = path.slice(assets.length + 1);
    return { file, body: isThere(folder, file) ? undefined : await readFile(path) };
  });
  const more = [...(files ?? [])].map(([address, body]) => ({ file: address.slice(1), body }));
  return Promise.all([...pages, ...built, ...more]);
}

function withMissingPostPage(posts: readonly ListedPost[], files: readonly FixedFile[]): readonly FixedFile[] {
  const taken = new Set(withCompressed(MISSING_POST_FILE));
  if (!posts.some(({ id }) => taken.has(postPath(id).slice(1)))) return files;
  const elsewhere = `${postPath('-').slice(1)}/404.html`;
  return files.map((fixed) =>
    fixed.file === MISSING_POST_FILE && fixed.page
      ? { ...fixed, file: elsewhere, page: { ...fixed.page, path: `/${elsewhere}` } }
      : fixed,
  );
}

async function exportPages(
  { folder, source, site }: Pick<ExportOptions, 'folder' | 'source' | 'site'>,
  known: Manifest['pages'],
  paths: readonly string[],
): Promise<{ pages: Map<string, ManifestPage>; stale: number }> {
  const found: (ManifestPage | undefined)[] = [];
  let stale = 0;
  async function exportPage(path: string): Promise<ManifestPage | undefined> {
    const before = folder.owns(fileOf(path)) ? known.get(path) : undefined;
    const page = await freshPage(source, path, before?.etag);
    if (page.isStale) stale++;
    if (!('bodies' in page)) return page.status === 304 ? before : undefined;
    await putPage(folder, path, page);
    const namesPictures = isText(fileOf(path)) && site.endpoint.startsWith('/');
    const pictures = namesPictures ? picturesIn(page.bodies.identity.toString(), site.url) : [];
    return { etag: page.etag, headers: page.headers, pictures };
  }

  const left = (function* () {
    yield* paths.entries();
  })();
  const work = async () => {
    for (const [at, path] of left) found[at] = await exportPage(path);
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  const pages = paths.flatMap((path, at) => (found[at] ? [[path, found[at]] as const] : []));
  return { pages: new Map(pages), stale };
}

async function freshPage(source: Source, path: string, etag: string | undefined): Promise<Page | PageResponse> {
  for (let attempt = 1; ; attempt++) {
    const page = await source.page(path, etag);
    if (!page.isStale || attempt === ATTEMPTS) return page;
    await sleep(50 * attempt);
  }
}

function formerAssetsOf(
  folder: ExportFolder,
  before: Manifest['formerAssets'],
  kept: ReadonlySet<string>,
): Record<string, number> {
  const now = Date.now();
  const former: Record<string, number> = {};
  for (const file of folder.files()) {
    if (!file.startsWith('_astro/') || kept.has(file)) continue;
    const since = before[file] ?? now;
    if (now - since < FORMER_ASSETS_KEPT) former[file] = since;
  }
  return former;
}

async function putPage(folder: ExportFolder, path: string, { bodies }: Page): Promise<void> {
  const file = fileOf(path);
  // Writes the page first, because its compressed forms must not be written if a foreign file is in its place. A host
  // that prefers compressed files sends the old ones until they are replaced.
  if ((await folder.put(file, bodies.identity)) !== 'foreign' && isText(file)) await putForms(folder, file, bodies);
}

async function putForms(folder: ExportFolder, file: string, { br, gzip }: Pick<Bodies, 'br' | 'gzip'>): Promise<void> {
  await folder.put(file + COMPRESSED.br, br);
  await folder.put(file + COMPRESSED.gzip, gzip);
}

const withCompressed = (file: string): string[] =>
  isText(file) ? [file, file + COMPRESSED.br, file + COMPRESSED.gzip] : [file];

/** Returns true if the folder already has this content. Only names in `_astro` prove this, as they contain a hash. */
const isThere = (folder: ExportFolder, file: string): boolean =>
  file.startsWith('_astro/') && withCompressed(file).every((name) => folder.owns(name));

async function putWithForms(
  folder: ExportFolder,
  file: string,
  body: Buffer | undefined,
  kept: Set<string>,
): Promise<void> {
  const forms = withCompressed(file);
  for (const name of forms) kept.add(name);
  if (!body || isThere(folder, file)) return;
  const put = await folder.put(file, body);
  const areOne = put === 'same' && !folder.wasInterrupted && forms.every((name) => folder.owns(name));
  if (put === 'foreign' || areOne || forms.length === 1) return;
  await putForms(folder, file, await compress(body));
}

async function namesOf(posts: readonly ListedPost[], authorName: ExportOptions['authorName']) {
  const names = new Map<string, string>();
  for (const userId of new Set(posts.map((post) => post.userId))) {
    names.set(userId, await authorName(userId).catch(() => ''));
  }
  return names;
}

/**
 * The static export: a site's pages as files, with the bytes that its server sends.
 *
 * Which posts there are is asked of the backend; every other page is one that a page names. A page is asked for when
 * its posts changed since it was written, and written when its bytes did. The steps stand together here, each a few
 * lines; what they are done with has files of its own beside this one.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '#blog/site.ts';
import { postPath } from '../canonical.ts';
import { type MovedPage, withoutCircles } from '../moved.ts';
import type { Log } from '../page-store.ts';
import { checksum, compress } from '../store/bodies.ts';
import type { ExportFolder } from './folder.ts';
import { headersFile, isHostsOwn, redirectsFile, rulesOf } from './hosting.ts';
import type { KnownPage, Ledger, ListedPost } from './ledger.ts';
import { createListing, type Listing, SITEMAP } from './listing.ts';
import { namedIn } from './named.ts';
import { nginxFile } from './nginx.ts';
import { exportPictures } from './pictures.ts';
import { COMPRESSED, fileOf, isText } from './places.ts';
import { exportSearchIndex } from './search-index.ts';
import type { Page, Source } from './source.ts';
import { changedPosts, EVERY_POST, isTouched, remembered, Versions } from './versions.ts';

export interface ExportOptions {
  readonly folder: ExportFolder;
  /** What the last run wrote down there. */
  readonly ledger: Ledger;
  readonly source: Source;
  readonly site: Site;
  /** Names the build of the site: with another one every page is asked for. */
  readonly build: () => string;
  /** The folder of the build's scripts, fonts and icons. */
  readonly assets: string;
  /** Further files of the site, by their addresses. */
  readonly files?: ReadonlyMap<string, Buffer> | undefined;
  /** Every published post, newest first, and those of them that are named; their authors' names. As a guest may know them. */
  readonly posts: () => Promise<readonly ListedPost[]>;
  readonly postsOf: (ids: readonly string[]) => Promise<readonly ListedPost[]>;
  readonly authorName: (userId: string) => Promise<string>;
  /** The server hears of every write before the writer has the answer: its sitemap is right. */
  readonly hearsEveryWrite: boolean;
  /** Addresses that posts had elsewhere. */
  readonly moved: () => Promise<readonly MovedPage[]>;
  /** The writers' pages too. */
  readonly islands: boolean;
  /** Where the host finds the server behind `/v1` and `/api`. */
  readonly server?: string | undefined;
  /** Has the server render pages before they are asked for, where it may not have heard of a change. */
  readonly refresh?: ((paths: readonly string[]) => Promise<void>) | undefined;
  readonly log: Log;
}

export interface ExportReport {
  readonly posts: number;
  readonly pages: number;
  /** Files, relative paths. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Left alone although the export has a file of that name. */
  readonly foreign: readonly string[];
  /** Pictures that pages name and a guest may not have. */
  readonly missing: readonly string[];
  /** Pages that the server had not rendered anew, or may not have: another run brings them. */
  readonly behind: number;
  readonly milliseconds: number;
}

/** Pages that stand by themselves; a site without one of them answers 404. */
const FIRST_PAGES = ['/', '/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml', '/robots.txt', '/archive'];
const ISLANDS = ['/login', '/signup', '/all-posts', '/add-post'];
/** Any slug's form: the island reads it from the address. A hyphen is no slug. */
const EDIT_FORM = '/edit-post/-';
const LOST_POST = '/post/-';
/** Where hosts look for it by themselves. */
const LOST_FILE = 'post/404.html';
/** The search page that asks the index of the export. */
const SEARCH = '/search?exported';
/** Requests to the server at once: rendering takes one processor, compressing another. */
const WIDTH = 4;
/** As long as the server keeps them. */
const FORMER_ASSETS_KEPT = 30 * 24 * 3600 * 1000;
/** Milliseconds for which the sitemap is believed, after all posts were asked for. */
const BELIEVED = 3600 * 1000;
/** Posts that are asked for by their ids; of more, all are asked for. */
const MOST_ASKED = 1000;
/** Authors whose pages are looked at while nothing is known to have changed. */
const MOST_AUTHORS = 20;
/** Attempts to get a page that the server is rendering anew. */
const PATIENCE = 4;

export interface Run {
  /** Asks for every page again. */
  readonly all?: boolean;
  /** Asks the backend for every post, whatever the sitemap says. */
  readonly walk?: boolean;
}

export interface Exporter {
  run(how?: Run): Promise<ExportReport>;
  /** Pages that show together whether something changed: the sitemap with its parts, and the first authors' own. */
  signs(): readonly string[];
}

export function createExporter(options: ExportOptions): Exporter {
  const { ledger } = options;
  const state: State = { ledger, listed: createListing(options.source, options.site.url), isSettled: true };
  return {
    run: (how = {}) => run(options, state, how),
    signs() {
      const parts = ledger.pages.get(SITEMAP)?.pages.filter((path) => path.startsWith('/sitemap-')) ?? [];
      const authors = ledger.pages.keys().filter((path) => /^\/author\/[^/]+$/.test(path));
      return [SITEMAP, ...parts, ...authors.take(MOST_AUTHORS)];
    },
  };
}

/** What is kept from one run to the next. */
interface State {
  readonly ledger: Ledger;
  readonly listed: () => Promise<Listing | undefined>;
  /** What the ledger says of the posts is what its pages were made of: no run was broken off since. */
  isSettled: boolean;
}

async function run(options: ExportOptions, state: State, { all = false, walk = all }: Run): Promise<ExportReport> {
  const start = performance.now();
  const { ledger, listed } = state;
  const { folder, site } = options;
  folder.begin();
  const [posts, files] = await Promise.all([postsNow(options, ledger, listed, walk), fixedFiles(options)]);
  const fixed = beside(posts, files);
  const names = await namesOf(posts, options.authorName);
  const namesNow = checksum(JSON.stringify([...names]));
  const changed = state.isSettled && namesNow === ledger.head.names ? changedPosts(ledger.posts, posts) : undefined;
  state.isSettled = false;
  ledger.setPosts(posts);
  const versions = new Versions(posts, names);
  const bodies = fixed.map(({ file, body }) => (body && !isNamedByBytes(file) ? checksum(body) : file));
  const look = checksum(JSON.stringify([options.build(), site, ...bodies]));
  const askAll = all || look !== ledger.head.look;

  const kept = new Set<string>();
  const searchIndex = (of: string) =>
    exportSearchIndex({
      folder,
      ledger,
      look: of,
      posts,
      nameOf: (userId) => names.get(userId) ?? '',
      put: (file, body) => putWithForms(folder, file, body, kept),
    });
  // Before all pages that follow from it, which may be many.
  if (await takeAway(folder, ledger, posts)) await searchIndex(ledger.head.look);
  if (fixed !== files) await folder.remove(withCompressed(LOST_FILE));
  for (const { file, body } of fixed) await putWithForms(folder, file, body, kept);
  const visited = await visitPages(options, { ledger, versions, changed, posts, askAll });
  for (const path of ledger.pages.keys()) if (!visited.has(path)) ledger.deletePage(path);
  for (const path of visited) for (const file of filesOf(path)) kept.add(file);

  for (const file of await searchIndex(look)) for (const form of withCompressed(file)) kept.add(form);

  const wanted = new Set(Array.from(ledger.pages.values(), ({ pictures }) => pictures).flat());
  const { files: pictures, missing } = await exportPictures(options, wanted);
  for (const file of pictures) kept.add(file);

  // A page of the site stands before what is said of its address, and what is not published is nowhere to be sent to.
  const leading = (await options.moved()).filter(
    ({ from, to }) =>
      !isHostsOwn(from) &&
      (from.includes('?') || (!folder.owns(fileOf(from)) && !folder.owns(from.slice(1)))) &&
      (!to.startsWith('/post/') || visited.has(to)),
  );
  const moved = withoutCircles(leading, site.url);
  const hosting = {
    site,
    moved,
    directory: folder.directory,
    pages: Array.from(ledger.pages, ([path, { headers }]) => ({
      path,
      headers: ledger.head.headerSets[headers] ?? [],
    })),
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
  keepFormerAssets(folder, ledger, kept);
  await folder.keepOnly(kept);
  ledger.head = { ...ledger.head, look, names: namesNow };
  await ledger.write(folder);
  state.isSettled = true;
  await folder.putNote('nginx.conf', nginxFile(hosting, rules));
  await folder.settle();
  return {
    posts: posts.length,
    pages: visited.size,
    written: [...folder.written],
    removed: [...folder.removed],
    foreign: [...folder.foreign],
    missing,
    behind: ledger.pages
      .values()
      .filter(({ version, doubt }) => version === '' || doubt)
      .toArray().length,
    milliseconds: Math.round(performance.now() - start),
  };
}

/** The files of posts that are no longer published go at once. False when there are none. */
async function takeAway(folder: ExportFolder, ledger: Ledger, posts: readonly ListedPost[]): Promise<boolean> {
  const published = new Set(posts.map(({ id }) => id));
  const gone = [...ledger.pages.keys()].filter((path) => {
    const [, slug] = /^\/post\/([^/]+)/.exec(path) ?? [];
    return slug !== undefined && !published.has(slug);
  });
  await folder.remove(gone.flatMap(filesOf));
  for (const path of gone) ledger.deletePage(path);
  return gone.length > 0;
}

/** Newest first. What the sitemap says of a post that is known needs no question to the backend. */
async function postsNow(
  { hearsEveryWrite, posts, postsOf }: ExportOptions,
  ledger: Ledger,
  listed: () => Promise<Listing | undefined>,
  walk: boolean,
): Promise<readonly ListedPost[]> {
  const believed = hearsEveryWrite && !walk && Date.now() - ledger.head.walkedAt < BELIEVED;
  const listing = believed ? await listed() : undefined;
  if (listing) {
    const found = new Map(ledger.posts);
    const there = new Set(listing.map(({ id }) => id));
    const unknown = listing.filter(({ id, updatedAt }) => found.get(id)?.updatedAt !== updatedAt);
    const gone = [...found.keys()].filter((id) => !there.has(id));
    if (unknown.length + gone.length <= MOST_ASKED) {
      const asked = new Set([...unknown.map(({ id }) => id), ...gone]);
      for (const id of asked) found.delete(id);
      for (const post of asked.size > 0 ? await postsOf([...asked]) : []) found.set(post.id, post);
      // The sitemap may be the owner's own, and leave out posts.
      if (!gone.some((id) => found.has(id))) return listing.flatMap(({ id }) => found.get(id) ?? []);
    }
  }
  const all = await posts();
  if (hearsEveryWrite) ledger.head = { ...ledger.head, walkedAt: Date.now() };
  return all;
}

export interface FixedFile {
  readonly file: string;
  /** Absent for what is there, and is never another. */
  readonly body?: Buffer | undefined;
  /** Absent for files of the build. */
  readonly page?: { readonly path: string; readonly headers: readonly string[] };
}

/** What does not depend on posts: the islands' pages, the error pages, scripts, fonts and icons. */
async function fixedFiles({ folder, source, assets, files, islands }: ExportOptions): Promise<FixedFile[]> {
  const page = async (path: string, file: string, served: string = path): Promise<FixedFile> => {
    const { body, headers } = await source.file(path);
    return { file, body, page: { path: served, headers } };
  };
  const pages = [
    page('/404', '404.html', '/404.html'),
    page(LOST_POST, LOST_FILE, `/${LOST_FILE}`),
    page(SEARCH, 'search/index.html', '/search'),
    ...(islands ? ISLANDS.map((path) => page(path, `${path.slice(1)}/index.html`)) : []),
    ...(islands ? [page(EDIT_FORM, 'edit-post/index.html', '/edit-post/*')] : []),
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

/** The page for a post that there is not makes room for a post of that name. */
function beside(posts: readonly ListedPost[], files: readonly FixedFile[]): readonly FixedFile[] {
  const taken = new Set(withCompressed(LOST_FILE));
  if (!posts.some(({ id }) => taken.has(`post/${id}`))) return files;
  const elsewhere = 'post/-/404.html';
  return files.map((fixed) =>
    fixed.file === LOST_FILE && fixed.page
      ? { ...fixed, file: elsewhere, page: { ...fixed.page, path: `/${elsewhere}` } }
      : fixed,
  );
}

interface Visit {
  readonly ledger: Ledger;
  readonly versions: Versions;
  /** The posts that changed since the last run; undefined where more did. */
  readonly changed: ReadonlySet<string> | undefined;
  readonly posts: readonly ListedPost[];
  readonly askAll: boolean;
}

/** Brings every page's files up to date; gives the paths of the pages there are. */
async function visitPages(
  options: ExportOptions,
  { ledger, versions, changed, posts, askAll }: Visit,
): Promise<Set<string>> {
  const { folder, source, site } = options;
  const queue = [...FIRST_PAGES, ...posts.map(({ id }) => postPath(id))];
  const queued = new Set(queue);
  const visited = new Set<string>();
  const judged = new Map<string, boolean>();
  const isCurrent = (path: string): boolean => {
    const known = judged.get(path) ?? isKnown(path);
    judged.set(path, known);
    return known;
  };
  const isKnown = (path: string): boolean => {
    const known = ledger.pages.get(path);
    if (askAll || !known?.version || known.doubt || !folder.owns(fileOf(path))) return false;
    if (changed && !isTouched(known.posts, changed)) return true;
    return known.version === versions.of(path, known.posts);
  };
  await options.refresh?.(queue.filter((path) => !isCurrent(path)));

  async function visit(path: string): Promise<void> {
    const known = ledger.pages.get(path);
    if (!isCurrent(path)) {
      const page = await fresh(source, path, known && folder.owns(fileOf(path)) ? known.etag : undefined);
      if (page === 'same' || page === 'behind') {
        const version = known && page === 'same' ? versions.of(path, known.posts) : '';
        if (known) ledger.setPage(path, confirmed(known, version));
      } else if (page.status === 200) {
        await putPage(folder, path, page);
        ledger.setPage(path, knownPage(ledger, path, page, versions, site));
      } else return;
    }
    visited.add(path);
    for (const next of ledger.pages.get(path)?.pages ?? []) {
      if (queued.has(next)) continue;
      queued.add(next);
      queue.push(next);
    }
  }

  let active = 0;
  let at = 0;
  // A page that is visited may name further ones: the workers end when none is left and none can come.
  await new Promise<void>((resolve, reject) => {
    const next = () => {
      while (active < WIDTH && at < queue.length) {
        active++;
        visit(queue[at++] as string).then(() => {
          active--;
          next();
        }, reject);
      }
      if (active === 0) resolve();
    };
    next();
  });
  return visited;
}

/** Renders under way are waited for: a moment, then the older page is taken. */
async function fresh(source: Source, path: string, etag: string | undefined): Promise<Page | 'same' | 'behind'> {
  for (let attempt = 1; ; attempt++) {
    const page = await source.page(path, etag);
    const isStale = page === 'behind' || (page !== 'same' && page.isStale);
    if (!isStale || attempt === PATIENCE) return page;
    await sleep(50 * attempt);
  }
}

function confirmed({ doubt, ...known }: KnownPage, version: string): KnownPage {
  return known.version === version || doubt ? { ...known, version } : { ...known, version, doubt: true };
}

function knownPage(ledger: Ledger, path: string, page: Page, versions: Versions, site: Site): KnownPage {
  const named = namedIn(isText(fileOf(path)) ? page.bodies.identity.toString() : '', site.url);
  const own = /^\/post\/([^/]+)/.exec(path)?.[1];
  const shown = own && !named.posts.includes(own) ? [own, ...named.posts] : named.posts;
  // A part of the sitemap says of lists when any of their posts changed, wherever these are named.
  const posts = path.startsWith('/sitemap') ? [EVERY_POST] : remembered(shown);
  return {
    etag: page.etag,
    // What the server could not render anew is asked for again.
    version: page.isStale ? '' : versions.of(path, posts),
    headers: ledger.headerSetOf(page.headers),
    posts,
    pages: named.pages,
    pictures: site.endpoint.startsWith('/') ? named.pictures : [],
  };
}

/** Open tabs and pages in caches still name the scripts and fonts with which they were made. */
function keepFormerAssets(folder: ExportFolder, ledger: Ledger, kept: Set<string>): void {
  const now = Date.now();
  const former: Record<string, number> = {};
  for (const file of folder.files()) {
    if (!file.startsWith('_astro/') || kept.has(file)) continue;
    const since = ledger.head.formerAssets[file] ?? now;
    if (now - since < FORMER_ASSETS_KEPT) former[file] = since;
  }
  for (const file of Object.keys(former)) kept.add(file);
  ledger.head = { ...ledger.head, formerAssets: former };
}

async function putPage(folder: ExportFolder, path: string, { bodies }: Page): Promise<void> {
  const file = fileOf(path);
  // The compressed forms follow the page itself: a host that takes them shows a new page late, never a lost one.
  if ((await folder.put(file, bodies.identity)) === 'foreign' || !isText(file)) return;
  await folder.put(file + COMPRESSED.br, bodies.br);
  await folder.put(file + COMPRESSED.gzip, bodies.gzip);
}

const withCompressed = (file: string): string[] =>
  isText(file) ? [file, file + COMPRESSED.br, file + COMPRESSED.gzip] : [file];

const filesOf = (path: string): string[] => withCompressed(fileOf(path));

/** Such a file, once it is there, is not compared, nor compressed twice. */
const isNamedByBytes = (file: string): boolean => file.startsWith('_astro/');
const isThere = (folder: ExportFolder, file: string): boolean =>
  isNamedByBytes(file) && withCompressed(file).every((name) => folder.owns(name));

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
  const { br, gzip } = await compress(body);
  await folder.put(file + COMPRESSED.br, br);
  await folder.put(file + COMPRESSED.gzip, gzip);
}

async function namesOf(posts: readonly ListedPost[], authorName: ExportOptions['authorName']) {
  const names = new Map<string, string>();
  for (const userId of new Set(posts.map((post) => post.userId))) {
    names.set(userId, await authorName(userId).catch(() => ''));
  }
  return names;
}

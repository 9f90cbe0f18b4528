/** Renders pages from the backend's current data, so repeated, late or forged calls do no harm. */

import type { Log } from '@common-ink/http/log.ts';
import { postSlugOf } from '#blog/routes/canonical.ts';
import { HOME, postPath } from '#blog/routes/paths.ts';
import { addressesOfSlug } from '#blog/routes/post-address.ts';
import { pathsOfTag } from '#blog/routes/table.ts';
import { AUTHOR_TAG, POST_DATES, POST_TAG, POSTS, postTag, SITE, TAG_COUNTS } from '#blog/routes/tags.ts';
import type { PageStore, Refreshed } from '#page-store/page-store.ts';
import { BackgroundRenders } from './background-renders.ts';
import type { Changed } from './purge/purge-queue.ts';
import { isTagTag, outdatedTags, shownTags } from './tag-pages.ts';

export interface Revalidation {
  readonly slugs?: readonly string[];
  /** Posts among `slugs` that are known to be gone. Their pages are removed even if the backend is down. */
  readonly gone?: readonly string[];
  /** True if only the posts' text fields have changed, but not who may read the posts or where lists show them. */
  readonly isInPlace?: boolean | undefined;
  readonly tags?: readonly string[];
  /** Pages to mark as outdated and to render before the report is returned. */
  readonly paths?: readonly string[];
  readonly all?: boolean;
  /** True if the stored settings may have changed; if they have, every page is outdated. */
  readonly settings?: true;
  /** True for a rebuild, which renders every outdated page before it returns the report. */
  readonly complete?: boolean;
  readonly userId?: string;
  /** With `receivesEveryWrite`, a `writer` call marks no page as outdated: the backend's event already did so. */
  readonly from: 'writer' | 'backend' | 'webhook' | 'poll' | 'operator' | 'peer' | 'schedule';
}

export interface RevalidationReport {
  readonly revalidated: readonly string[];
  readonly removed: readonly string[];
  /** Pages that could not be rendered. The server keeps serving their stored versions. */
  readonly failed: readonly { readonly path: string; readonly why: string }[];
  /** Number of pages that are left to be rendered on request. */
  readonly outdated: number;
  readonly milliseconds: number;
}

export type Revalidate = (revalidation: Revalidation) => Promise<RevalidationReport>;

export interface RevalidateOptions {
  readonly store: PageStore;
  /** True if the backend, like the embedded one, sends an event for each write before it responds to the writer. */
  readonly receivesEveryWrite?: boolean;
  /** Clears caches of backend responses. Called with the outdated tags before anything is rendered. */
  readonly forget?: (tags: readonly string[]) => void;
  /** Called once the new pages are stored, with the outdated tags and the pages known to differ. Must not block. */
  readonly purge?: (purge: Changed) => void;
  /** Called after `purge` with the new, changed and removed pages of posts that are or were public. Must not block. */
  readonly notifySearchEngines?: (paths: readonly string[]) => void;
  readonly log: Log;
}

/** The home page is rendered after each write, because it shows every new post. */
const FIRST_PAGE = HOME;

const REBUILD_WIDTH = 2;

export function createRevalidate(options: RevalidateOptions): Revalidate {
  const { store, receivesEveryWrite = false, forget, purge, notifySearchEngines, log } = options;
  /**
   * Running revalidations with the slugs of their posts. A writer's call waits for the revalidation that the backend's
   * event for the same write has started.
   */
  const running = new Map<Promise<unknown>, readonly string[]>();
  const backgroundRenders = new BackgroundRenders(store, () => {
    store.invalidate({ tags: [SITE] });
    purge?.({ tags: [SITE], paths: [] });
    notifySearchEngines?.([FIRST_PAGE]);
  });

  async function settle({ slugs = [], paths = [], userId }: Revalidation, reason: string, start: number) {
    const same = [...running].filter(([, others]) => others.some((slug) => slugs.includes(slug)));
    store.prioritise(pagesOfWrite(slugs, paths), reason, userId);
    await Promise.allSettled(same.map(([work]) => work));
    const settle = (path: string) => store.settle(path, reason, userId);
    return report(start, await renderAll(rendersOf(store, slugs, paths), settle), [], 0);
  }

  async function change(revalidation: Revalidation, named: string[], reason: string) {
    const { slugs = [], gone = [], paths = [], isInPlace = false, complete, from, userId } = revalidation;
    const start = performance.now();
    const rendered = backgroundRenders.choose(revalidation);
    const before = shownTags(store, slugs);
    // If only text fields other than the tags have changed, `postTag` is enough: it selects the post's tag pages.
    const isRetagged = named.some(isTagTag);
    const tags = [...new Set([...named, ...(isInPlace && !isRetagged ? [] : [...before, ...countsOf(named, before)])])];
    const now = rendersOf(store, rendered, paths);
    const authorPages = () => {
      const tags = purge ? slugs.flatMap((slug) => pageTags(store, slug)) : [];
      return tags.filter((tag) => tag.startsWith(AUTHOR_TAG)).flatMap(pathsOfTag);
    };
    // Looked up before the change: these pages must be purged, but may no longer show the post afterwards.
    const former = purge ? [...store.paths({ tags: slugs.map(postTag) }), ...authorPages()] : [];
    forget?.(tags);
    // Old pages are served until the new ones are stored, except where they show a removed post.
    const change = store.invalidate({ tags, paths: now }, gone.length > 0 ? [] : now);
    const removed: string[] = [];
    if (gone.length > 0) removed.push(...(await store.remove({ paths: gone.flatMap(addressesOfSlug) }, change)));

    const priority = from === 'writer' ? 'write' : 'publish';
    const renders = renderAll(now, (path) => store.refresh(path, change, reason, priority, userId));
    const refreshed = await (from === 'writer' ? renders : backgroundRenders.during(rendered, renders));
    // Removes pages that show a removed post and have not been rendered since its removal.
    const unkept = new Set(missing(refreshed));
    const vanished = slugs.filter((slug) => gone.includes(slug) || unkept.has(postPath(slug)));
    if (vanished.length > 0) removed.push(...(await store.remove({ tags: vanished.map(postTag) }, change)));

    // The tags of a post that was not rendered are unknown.
    const areUnknown = !isInPlace && !isRetagged && slugs.some((slug) => !rendered.includes(slug));
    const late = outdatedTags(before, shownTags(store, rendered), { isInPlace, areUnknown }).filter(
      (tag) => !tags.includes(tag),
    );
    if (late.length > 0) store.invalidate({ tags: late });

    // If a post is published again, or imported with an old date, the pages of adjacent posts do not show it yet.
    const strangers = slugs.flatMap((slug) =>
      namedPosts(store, slug).filter((other) => !pageTags(store, other).includes(postTag(slug))),
    );
    const strange = strangers.map(postPath).filter((path) => store.holds(path));
    if (strange.length > 0) store.invalidate({ paths: strange });

    if (complete) {
      const done = new Set(now);
      const rest = store.paths({ tags }).filter((path) => !done.has(path));
      const refresh = (path: string) => store.refresh(path, change, reason, 'background');
      refreshed.push(...(await concurrently(rest, REBUILD_WIDTH, refresh)));
    }
    const pages = new Set([
      ...now,
      ...removed,
      ...former,
      ...late.flatMap(pathsOfTag),
      ...strangers.map(postPath),
      ...authorPages(),
    ]);
    // CDNs know a list only by the tag `posts`, because its headers omit the tags of its posts.
    const lists = slugs.length > 0 ? [POSTS] : [];
    purge?.({ tags: [...new Set([...tags, ...late, ...lists, ...strangers.map(postTag)])], paths: [...pages] });
    const done = report(start, refreshed, removed, store.outdated({ tags, paths: now }));
    // A change from a peer is not announced again, because the peer has already notified search engines.
    if (from !== 'peer') notifySearchEngines?.(announced(slugs.flatMap(addressesOfSlug), done.revalidated, removed));
    return done;
  }

  return async function revalidate(revalidation) {
    const tags = tagsOf(revalidation);
    const reason = reasonOf(revalidation, tags);
    if (revalidation.from === 'writer' && receivesEveryWrite) return settle(revalidation, reason, performance.now());
    const work = change(revalidation, tags, reason);
    running.set(work, revalidation.slugs ?? []);
    try {
      const done = await work;
      for (const { path, why } of done.failed) log('warn', `${path} was not revalidated (${reason}): ${why}.`);
      return done;
    } finally {
      running.delete(work);
    }
  };
}

/** Returns `TAG_COUNTS` if `tags` contains the cache tag of any post tag; otherwise an empty list. */
const countsOf = (...tags: readonly (readonly string[])[]): string[] =>
  tags.flat().some(isTagTag) ? [TAG_COUNTS] : [];

/** Returns the `written` paths that also occur in `seen`: those of posts that are or were public. */
const announced = (written: readonly string[], ...seen: readonly (readonly string[])[]): string[] =>
  written.filter((path) => seen.some((paths) => paths.includes(path)));

export function pagesOfWrite(slugs: readonly string[], paths: readonly string[] = []): string[] {
  return [...new Set([...slugs.flatMap(addressesOfSlug), FIRST_PAGE, ...paths])];
}

/** Returns the pages to render after a write. Includes `/x` for the post `/post/x` only if a page is stored there. */
function rendersOf(store: PageStore, slugs: readonly string[], paths: readonly string[]): string[] {
  const posts = new Set(slugs.map(postPath));
  return pagesOfWrite(slugs, paths).filter(
    (path) => posts.has(path) || path === FIRST_PAGE || paths.includes(path) || store.holds(path),
  );
}

/** Renders `paths`. If a path redirects because a post became a page or vice versa, renders its target as well. */
async function renderAll(paths: readonly string[], render: (path: string) => Promise<Refreshed>): Promise<Refreshed[]> {
  const first = await Promise.all(paths.map(render));
  const moved = first.flatMap((page) => otherAddressOf(page) ?? []).filter((path) => !paths.includes(path));
  return [...first, ...(await Promise.all(moved.map(render)))];
}

/** Returns the other address of a post if the rendered one redirects there: the post became a page or vice versa. */
function otherAddressOf(page: Refreshed): string | undefined {
  const slug = page.kind === 'unkept' && page.response.status === 301 ? postSlugOf(page.path) : undefined;
  if (page.kind !== 'unkept' || slug === undefined) return undefined;
  const { head } = page.response;
  return addressesOfSlug(slug).find((path) => path === head[head.indexOf('Location') + 1]);
}

async function concurrently<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

function tagsOf({ slugs = [], isInPlace, tags = [], all }: Revalidation): string[] {
  if (all) return [SITE];
  const lists = slugs.length > 0 ? [isInPlace ? POST_DATES : POSTS] : [];
  return [...new Set([...slugs.map(postTag), ...lists, ...tags])];
}

const LISTS: ReadonlySet<string> = new Set([POSTS, POST_DATES]);

function reasonOf({ from, paths = [] }: Revalidation, tags: readonly string[]): string {
  const what = [...tags.filter((tag) => !LISTS.has(tag) || tags.length === 1), ...paths].slice(0, 3).join(' ');
  return `${from}: ${what}`;
}

function report(
  start: number,
  refreshed: readonly Refreshed[],
  removed: Iterable<string>,
  outdated: number,
): RevalidationReport {
  const revalidated = refreshed.filter(({ kind }) => kind === 'stored').map(({ path }) => path);
  const failed = refreshed.flatMap((page) => (page.kind === 'failed' ? [{ path: page.path, why: page.why }] : []));
  return {
    revalidated,
    removed: [...new Set([...removed, ...missing(refreshed)])].filter((path) => !revalidated.includes(path)),
    failed,
    outdated,
    milliseconds: Math.round((performance.now() - start) * 10) / 10,
  };
}

const missing = (refreshed: readonly Refreshed[]): string[] =>
  refreshed
    .filter((page) => page.kind === 'unkept' && page.response.status !== 200 && !otherAddressOf(page))
    .map(({ path }) => path);

const pageTags = (store: PageStore, slug: string): readonly string[] =>
  addressesOfSlug(slug).flatMap((path) => store.explain(path)?.tags ?? []);

const namedPosts = (store: PageStore, slug: string): string[] =>
  pageTags(store, slug)
    .filter((tag) => tag.startsWith(POST_TAG) && tag !== postTag(slug))
    .map((tag) => tag.slice(POST_TAG.length));

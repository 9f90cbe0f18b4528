/**
 * The service worker of the writers' pages (docs/decisions/033-offline.md). Tries the network first and falls back to
 * stored copies. The build bundles it into one file, so it imports only from its own folder.
 */

import { filesNamedIn, isDown, isPage, kindOf, listNamedIn } from './addresses.ts';

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  readonly request: Request;
  readonly clientId: string;
  respondWith(response: Promise<Response>): void;
}
interface Page {
  readonly id: string;
  readonly url: string;
  postMessage(message: unknown): void;
}
interface Told extends Lasting {
  /** `pages`: scopes of all writers' pages. `list`: path of the JSON list of their scripts in the sender's build. */
  readonly data: { readonly pages: readonly string[]; readonly list: string };
  readonly source: Page;
}
interface Worker {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    get(id: string): Promise<Page | undefined>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Page[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listen: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listen: (event: Fetching) => void): void;
  addEventListener(type: 'message', listen: (event: Told) => void): void;
}
const worker = self as unknown as Worker;

const PAGES = 'common-ink:pages';
const FILES = 'common-ink:files';
/** Cache for content that other apps have shared, until the form takes it over. */
const SHARED = 'common-ink:shared';
/** Prefix of cache names. Each user has two caches, whose names end in the user's id. */
const OF_USER = 'common-ink:user:';
const ANSWERS = 500;
const PICTURE_BYTES = 50_000_000;
/** Maximum time to wait for the network before a stored copy is shown. */
const PATIENCE_MS = 5000;
/** Without this option, the `Vary` header would hide copies that were requested with other headers. */
const ANY = { ignoreVary: true };

const { origin, searchParams } = new URL(worker.location.href);
const site = {
  origin,
  endpoint: new URL(searchParams.get('endpoint') ?? '/v1', origin).href.replace(/\/$/, ''),
  scope: new URL(worker.registration.scope).pathname,
};

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('message', (event) => event.waitUntil(keepPages(event).catch(() => {})));
worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, site);
  if (kind === 'page') event.respondWith(page(event));
  else if (kind === 'share') event.respondWith(shared(event.request));
  else if (kind === 'file') event.respondWith(file(event));
  else if (kind !== 'other' && !event.request.headers.has('range')) event.respondWith(answer(event, kind));
});

/**
 * Resolves to the network's response. Resolves to undefined if the network or the server fails, or if the response is
 * late and `copy` resolves to a stored one.
 */
async function fromNetwork(asked: Promise<Response>, copy: Promise<unknown>): Promise<Response | undefined> {
  const sound = asked.then(
    (response) => (isDown(response.status) ? undefined : response),
    () => undefined,
  );
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => void copy.then((found) => found && resolve(undefined)), PATIENCE_MS);
  });
  return Promise.race([sound, late]);
}

async function page(event: Fetching): Promise<Response> {
  const asked = fetch(event.request);
  const copy = caches.match(site.scope, { cacheName: PAGES, ...ANY });
  const kept = asked.then((response) => keepPage(site.scope, response.clone(), false));
  event.waitUntil(kept.catch(() => {}));
  return (await fromNetwork(asked, copy)) ?? (await copy) ?? asked;
}

/** Stores a page if all its files are stored. Loads missing files first if `mayLoad` is true. */
async function keepPage(at: string, response: Response, mayLoad: boolean): Promise<void> {
  if (response.status !== 200 || response.redirected) return;
  const html = await response.clone().text();
  const list = listNamedIn(html);
  if (!list) return;
  const files = await caches.open(FILES);
  const listed = (await files.match(list)) ?? (mayLoad ? await fetch(list) : undefined);
  if (listed?.status !== 200) return;
  const needed = [...new Set([list, ...filesNamedIn(html), ...((await listed.json()) as string[])])];
  const stored = new Set((await files.keys()).map(({ url }) => new URL(url).pathname));
  const missing = needed.filter((address) => !stored.has(address));
  if (missing.length > 0 && !mayLoad) return;
  await files.addAll(missing);
  await (await caches.open(PAGES)).put(at, response);
}

/** Stores the current build's pages and files, then removes older files unless another writers' page is open. */
function keepPages({ data: { pages, list }, source }: Told): Promise<void> {
  return navigator.locks.request('common-ink:keep-pages', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const cache = await caches.open(PAGES);
    for (const at of pages) {
      const copy = await cache.match(at, ANY);
      if (copy && listNamedIn(await copy.text()) === list) continue;
      await keepPage(at, await fetch(at.endsWith('/') ? `${at}new` : at), true);
    }
    const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const others = open.filter(
      ({ id, url }) => id !== source.id && pages.some((at) => isPage(new URL(url).pathname, at)),
    );
    if (others.length === 0) await removeOld(cache, list);
  });
}

async function removeOld(pages: Cache, open: string): Promise<void> {
  const files = await caches.open(FILES);
  const copies = await Promise.all((await pages.matchAll()).map((copy) => copy.text()));
  const lists = new Set([open, ...copies.map((html) => listNamedIn(html) ?? '')]);
  let used = copies.join() + [...lists].join();
  for (const list of lists) used += (await (await files.match(list))?.text()) ?? '';
  for (const request of await files.keys())
    if (!used.includes(new URL(request.url).pathname)) await files.delete(request);
}

async function file(event: Fetching): Promise<Response> {
  const { request } = event;
  // Ignores the query string, which the page adds when it retries a failed import.
  const stored = await caches.match(request, { cacheName: FILES, ignoreSearch: true, ...ANY });
  if (stored) return stored;
  const response = await fetch(request);
  if (response.status === 200 && response.type === 'basic') event.waitUntil(put(FILES, request.url, response.clone()));
  return response;
}

async function answer(event: Fetching, kind: 'account' | 'data' | 'picture'): Promise<Response> {
  const { request } = event;
  const before = await userCache(kind);
  const copy = before ? copyOf(request.url, before) : Promise.resolve(undefined);
  const asked = kind === 'picture' ? fetchPicture(request) : fetch(request);
  const settled = asked.then(async (response) => {
    const name = kind === 'account' ? await meetUser(response) : before;
    if (name && response.status === 200) event.waitUntil(put(name, request.url, response.clone()));
    return response;
  });
  event.waitUntil(settled.catch(() => {}));
  const response = await fromNetwork(settled, copy);
  const stored = response ? undefined : await copy;
  if (kind !== 'picture' && (response || stored)) {
    const page = await worker.clients.get(event.clientId);
    page?.postMessage({ isStored: !response });
  }
  return response ?? stored ?? settled;
}

/** Returns the stored response. For a picture that is not stored in this size, returns another size. */
async function copyOf(url: string, cacheName: string): Promise<Response | undefined> {
  const exact = await caches.match(url, { cacheName, ...ANY });
  const [file] = /^.*\/files\/[^/]+\//.exec(url) ?? [];
  if (exact || !file || !(await caches.has(cacheName))) return exact;
  const cache = await caches.open(cacheName);
  const other = (await cache.keys()).find((each) => each.url.startsWith(file));
  return other && cache.match(other, ANY);
}

/** Fetches a picture from another origin with CORS, so that its status is visible and it can be stored. */
const fetchPicture = (request: Request): Promise<Response> =>
  request.mode === 'no-cors' && !request.url.startsWith(`${origin}/`)
    ? fetch(request.url, { mode: 'cors', credentials: 'include' }).catch(() => fetch(request))
    : fetch(request);

const nameOf = (kind: string, user: string): string =>
  `${OF_USER}${kind === 'picture' ? 'pictures' : 'answers'}:${user}`;

/** Returns the name of the `kind` cache of the only user whose data is stored; undefined if no data is stored. */
async function userCache(kind: string): Promise<string | undefined> {
  const prefix = nameOf(kind, '');
  return (await caches.keys()).find((name) => name.startsWith(prefix));
}

/** Deletes other users' caches before the response is shown. Returns the name of this user's cache of answers. */
async function meetUser(response: Response): Promise<string | undefined> {
  if (response.status !== 200 && response.status !== 401) return undefined;
  const { $id: user } = response.status === 200 ? ((await response.clone().json()) as { $id: string }) : { $id: '' };
  for (const name of await caches.keys())
    if (name.startsWith(OF_USER) && !(user && name.endsWith(`:${user}`))) await caches.delete(name);
  if (!user) return undefined;
  await caches.open(nameOf('picture', user));
  await caches.open(nameOf('answers', user));
  return nameOf('answers', user);
}

/** Stores a response unless its cache was deleted in the meantime. If storage is full, drops the stored pictures. */
async function put(name: string, url: string, response: Response): Promise<void> {
  try {
    if (name !== FILES && !(await caches.has(name))) return;
    const cache = await caches.open(name);
    const isPicture = name.startsWith(nameOf('picture', ''));
    if (isPicture && (await cache.match(url, ANY))) return;
    // Moves the entry to the end, so that the oldest responses come first and are dropped first.
    if (name !== FILES) await cache.delete(url);
    await cache.put(url, response);
    if (name !== FILES) await (isPicture ? limitBytes(cache) : limitCount(cache));
  } catch {
    const pictures = await userCache('picture');
    if (pictures) await caches.delete(pictures);
  }
}

async function limitCount(cache: Cache): Promise<void> {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - ANSWERS))) await cache.delete(key);
}

async function limitBytes(cache: Cache): Promise<void> {
  const [keys, pictures] = await Promise.all([cache.keys(), cache.matchAll()]);
  let bytes = pictures.reduce((sum, { headers }) => sum + Number(headers.get('content-length')), 0);
  for (const [place, key] of keys.entries()) {
    if (bytes <= PICTURE_BYTES) return;
    bytes -= Number(pictures[place]?.headers.get('content-length'));
    await cache.delete(key);
  }
}

/** Stores the form data that another app has shared. The form for a new post makes a draft from it. */
async function shared(request: Request): Promise<Response> {
  let isKept = true;
  try {
    const headers = { 'content-type': request.headers.get('content-type') ?? '', date: new Date().toUTCString() };
    await (await caches.open(SHARED)).put('/add-post', new Response(await request.blob(), { headers }));
  } catch {
    isKept = false;
  }
  return Response.redirect(`/add-post?${isKept ? 'shared' : 'share-failed'}`, 303);
}

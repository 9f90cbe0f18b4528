import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

const ORIGIN = 'https://ink.example';
const LIST = '/_astro/writers-files.aa.json';

/** A fake of the browser's `Cache` that matches by URL only and ignores headers. */
class FakeCache {
  readonly entries = new Map<string, Response>();
  static isFull = false;
  readonly #address = (asked: string | Request) => new URL(typeof asked === 'string' ? asked : asked.url, ORIGIN).href;
  async put(asked: string, response: Response) {
    if (FakeCache.isFull) throw new DOMException('', 'QuotaExceededError');
    this.entries.set(this.#address(asked), response);
  }
  match = async (asked: string | Request) => this.entries.get(this.#address(asked))?.clone();
  matchAll = async () => [...this.entries.values()].map((response) => response.clone());
  keys = async () => [...this.entries.keys()].map((url) => new Request(url));
  delete = async (asked: string | Request) => this.entries.delete(this.#address(asked));
  async addAll(all: string[]) {
    for (const each of all) await this.put(each, await fetch(each));
  }
}

const stores = new Map<string, FakeCache>();
const open = async (name: string) => {
  const store = stores.get(name) ?? new FakeCache();
  stores.set(name, store);
  return store;
};
vi.stubGlobal('caches', {
  ...{ open, keys: async () => [...stores.keys()], has: async (name: string) => stores.has(name) },
  delete: async (name: string) => stores.delete(name),
  match: async (asked: string, { cacheName }: { cacheName: string }) => stores.get(cacheName)?.match(asked),
});
const network = vi.fn<(address: string) => Promise<Response>>();
vi.stubGlobal('fetch', (asked: string | Request) => network(typeof asked === 'string' ? asked : asked.url));

type Listener = (event: object) => void;
const listeners = new Map<string, Listener>();
const messages = vi.fn();
vi.stubGlobal('self', {
  location: { href: `${ORIGIN}/writers-worker.js?endpoint=/v1` },
  registration: { scope: `${ORIGIN}/all-posts` },
  clients: { claim: vi.fn(), get: async () => ({ postMessage: messages }), matchAll: async () => [] },
  skipWaiting: vi.fn(),
  addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
});
await import('./worker.ts');

/** Sends a request through the worker and waits until its background work is done. */
async function ask(path: string, mode = 'cors'): Promise<Response | 'failed'> {
  const work: Promise<unknown>[] = [];
  let response: Promise<Response> | undefined;
  const request = { method: 'GET', mode, url: ORIGIN + path, headers: new Headers() };
  listeners.get('fetch')?.({
    ...{ request, clientId: 'tab', waitUntil: (each: Promise<unknown>) => work.push(each) },
    respondWith: (each: Promise<Response>) => {
      response = each;
    },
  });
  const answer = await response?.catch(() => 'failed' as const);
  for (const each of work) await each;
  return answer ?? 'failed';
}
const words = async (path: string, mode?: string) => {
  const answer = await ask(path, mode);
  return answer === 'failed' ? answer : answer.text();
};
const cut = () => network.mockRejectedValue(new TypeError('Failed to fetch'));
const answers = (table: Readonly<Record<string, Response>>) =>
  network.mockImplementation(async (address) => {
    const found = table[address.replace(ORIGIN, '')];
    if (!found) throw new TypeError('Failed to fetch');
    return found.clone();
  });
const account = (id: string) => Response.json({ $id: id });
const POST = '/v1/databases/blog/collections/articles/documents/x';

beforeEach(() => {
  stores.clear();
  FakeCache.isFull = false;
  vi.clearAllMocks();
});

test('shows a user’s own answers when the network fails, and tells the page so', async () => {
  answers({ '/v1/account': account('ann'), [POST]: new Response('Ann’s') });
  await ask('/v1/account');
  expect(await words(POST)).toBe('Ann’s');
  expect(messages).toHaveBeenLastCalledWith({ isStored: false });
  cut();
  expect(await words(POST)).toBe('Ann’s');
  expect(messages).toHaveBeenLastCalledWith({ isStored: true });
  network.mockResolvedValue(new Response('', { status: 503 }));
  expect(await words(POST)).toBe('Ann’s');
  network.mockResolvedValue(new Response('Refused', { status: 500 }));
  expect(await words(POST)).toBe('Refused');
});

test('shows a stored answer if the network takes five seconds, and waits on without one', async () => {
  answers({ '/v1/account': account('ann'), [POST]: new Response('Ann’s') });
  await ask('/v1/account');
  await ask(POST);
  const late = Promise.withResolvers<Response>();
  network.mockReturnValue(late.promise);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told = messages.mock.calls.length;
  const [stored, unknown] = [ask(POST), ask(`${POST}2`)];
  await vi.advanceTimersByTimeAsync(4900);
  expect(messages).toHaveBeenCalledTimes(told);
  await vi.advanceTimersByTimeAsync(200);
  expect(messages).toHaveBeenCalledTimes(told + 1);
  expect(messages).toHaveBeenLastCalledWith({ isStored: true });
  late.resolve(new Response('Late'));
  expect(await Promise.all([stored, unknown].map(async (each) => ((await each) as Response).text()))).toEqual([
    'Ann’s',
    'Late',
  ]);
  cut();
  expect(await words(POST)).toBe('Late');
});

test('stores nothing before a user is known, and no answer but a 200', async () => {
  answers({ '/v1/account': account('ann'), [POST]: new Response('Somebody’s') });
  await ask(POST);
  expect(stores.size).toBe(0);
  await ask('/v1/account');
  answers({ [POST]: new Response('Gone', { status: 404 }) });
  expect(await words(POST)).toBe('Gone');
  cut();
  expect(await ask(POST)).toBe('failed');
});

test.each([
  ['another user signs in', account('ben')],
  ['the session has ended', new Response('', { status: 401 })],
])('deletes everything of a user when %s', async (_, next) => {
  answers({ '/v1/account': account('ann'), [POST]: new Response('Ann’s') });
  await ask('/v1/account');
  await ask(POST);
  answers({ '/v1/account': next });
  await ask('/v1/account');
  expect([...stores.keys()].filter((name) => name.includes('ann'))).toEqual([]);
  cut();
  expect(await ask(POST)).toBe('failed');
});

test('does not store an answer that arrives after its user has gone', async () => {
  answers({ '/v1/account': account('ann') });
  await ask('/v1/account');
  network.mockImplementation(async () => {
    stores.clear();
    return new Response('Ann’s');
  });
  expect(await words(POST)).toBe('Ann’s');
  expect(stores.size).toBe(0);
});

test('on a full device, answers as usual and gives up the pictures', async () => {
  answers({ '/v1/account': account('ann'), [POST]: new Response('Ann’s') });
  await ask('/v1/account');
  FakeCache.isFull = true;
  expect(await words(POST)).toBe('Ann’s');
  expect([...stores.keys()]).toEqual(['common-ink:user:answers:ann']);
});

test('keeps the newest 500 answers', async () => {
  answers({ '/v1/account': account('ann') });
  await ask('/v1/account');
  network.mockImplementation(async (address) => new Response(address));
  for (let i = 0; i < 501; i++) await ask(`${POST}${i}`);
  expect(stores.get('common-ink:user:answers:ann')?.entries.size).toBe(500);
  cut();
  expect(await ask(`${POST}0`)).toBe('failed');
  expect(await words(`${POST}500`)).toContain('/x500');
});

test('keeps 50 MB of pictures', async () => {
  answers({ '/v1/account': account('ann') });
  await ask('/v1/account');
  network.mockImplementation(async () => new Response('', { headers: { 'content-length': '10000000' } }));
  for (let i = 0; i < 6; i++) await ask(`/v1/storage/buckets/media/files/p${i}/view`);
  const kept = [...(stores.get('common-ink:user:pictures:ann')?.entries.keys() ?? [])];
  expect(kept.map((url) => /p\d/.exec(url)?.[0])).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
});

test('offline, shows a picture in another size than the one that is stored', async () => {
  const files = '/v1/storage/buckets/media/files';
  answers({ '/v1/account': account('ann'), [`${files}/p/preview?width=640`]: new Response('640') });
  await ask('/v1/account');
  await ask(`${files}/p/preview?width=640`);
  cut();
  expect(await words(`${files}/p/preview?width=320`)).toBe('640');
  expect(await ask(`${files}/p2/preview?width=320`)).toBe('failed');
});

test('stores a page only once all files of its build are stored', async () => {
  const page = new Response(`<p data-offline="${LIST}"></p>`, { headers: { 'content-type': 'text/html' } });
  answers({ '/all-posts': page, [LIST]: Response.json(['/_astro/a.js']), '/_astro/a.js': new Response('a') });
  await ask('/all-posts', 'navigate');
  expect(stores.get('common-ink:pages')?.entries.size ?? 0).toBe(0);
  await (await open('common-ink:files')).addAll([LIST, '/_astro/a.js']);
  await ask('/all-posts', 'navigate');
  cut();
  expect(await words('/all-posts', 'navigate')).toContain(LIST);
  network.mockResolvedValue(new Response('Nothing here', { status: 502 }));
  expect(await words('/all-posts', 'navigate')).toContain(LIST);
});

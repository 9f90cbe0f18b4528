import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Post } from '#blog/post.ts';
import type { Draft, Queued } from '../post-form/draft/draft-store.ts';

class EditConflict extends Error {}
const backend = {
  EditConflict,
  createPost: vi.fn(),
  updatePost: vi.fn(),
  uploadPicture: vi.fn(),
  hasSession: vi.fn(),
  isTaken: vi.fn(),
};
vi.mock('#stores/posts/post-actions.ts', () => backend);
vi.mock('#stores/posts/queued-posts.ts', () => backend);
vi.mock('#stores/pictures/media.ts', () => ({ ...backend, prepared: async (file: File) => file }));
vi.mock('#stores/account/auth.ts', async () => ({ $auth: (await import('nanostores')).atom({ user: null }) }));

const unreachable = Object.assign(new Error('Failed to fetch'), { code: 0 });
const picture = (name: string) => new File([name], name, { type: 'image/png' });
const base = { id: 'old', title: 'Old', userId: 'ann', updatedAt: 'v1' } as Post;

/** Fakes the browser's locks. `holds` contains the names of the locks that forms and other tabs hold. */
function locks(holds: Set<string>) {
  const queues = new Map<string, Promise<unknown>>();
  return {
    request: async (name: string, { ifAvailable }: LockOptions, work: (lock: object | null) => Promise<unknown>) => {
      if (ifAvailable && holds.has(name)) return work(null);
      const last = queues.get(name) ?? Promise.resolve();
      const mine = last.then(() => work({}));
      queues.set(
        name,
        mine.catch(() => {}),
      );
      return mine;
    },
  };
}

let store: typeof import('../post-form/draft/draft-store.ts');
let queue: typeof import('./send-queue.ts') & typeof import('./in-line.ts');
let state: typeof import('./in-line.ts');
let holds: Set<string>;
let stops: (() => void)[];

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false });
  holds = new Set();
  stops = [];
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('navigator', { locks: locks(holds), onLine: true });
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
      close() {}
    },
  );
  vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const each of Object.values(backend)) if (vi.isMockFunction(each)) each.mockReset();
  backend.hasSession.mockResolvedValue(true);
  backend.isTaken.mockResolvedValue(false);
  backend.createPost.mockImplementation(async ({ slug, status }) => ({ id: slug, status }));
  backend.updatePost.mockImplementation(async ({ id }, { status }) => ({ id, status }));
  let files = 0;
  backend.uploadPicture.mockImplementation(async () => {
    files += 1;
    return { id: `file-${files}`, src: `/v1/file-${files}`, width: 80, height: 50 };
  });
  store = await import('../post-form/draft/draft-store.ts');
  queue = { ...(await import('./send-queue.ts')), ...(await import('./in-line.ts')) };
  state = await import('./in-line.ts');
});
afterEach(() => {
  for (const stop of stops) stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function put(
  copy: string,
  change: Partial<Draft> = {},
  queued: Partial<Queued> = {},
  files: [string, File][] = [],
) {
  const draft: Draft = {
    ...{ userId: 'ann', post: '', copy, title: `Title ${copy}`, slug: `slug-${copy}`, slugEdited: true },
    ...{ content: '<p>Words.</p>', status: 'active', savedAt: 1, picture: true },
    queued: { at: Number(copy), state: 'waiting', ...queued },
    ...change,
  };
  expect(await store.writeDraft(draft)).toBe('kept');
  expect(await store.writePictures(draft, files, [])).toBe('kept');
  return draft;
}
const follow = () => void stops.push(queue.followQueue('ann'));
const drafts = async () =>
  (await store.draftsOf('ann')).map(({ copy, queued }) => `${copy} ${queued?.state}`).toSorted();
const news = () => state.$queue.get().news.map(({ what, title }) => `${what} ${title}`);
const created = () => backend.createPost.mock.calls.map(([{ slug }]) => slug);
/** Retries `check` while advancing fake timers, which `expect.poll` does not do. */
const waitFor = (check: () => unknown) => vi.waitFor(check, { timeout: 120_000 });
const leaves = (...left: string[]) => waitFor(async () => expect(await drafts()).toEqual(left));
const isIdle = () => waitFor(() => expect(state.$queue.get().sending).toBeUndefined());

test('drafts are sent in the order in which they were put in line, each once, by two tabs', async () => {
  for (const copy of ['3', '1', '2']) await put(copy);
  await put('4', { queued: undefined });
  await put('5', { userId: 'bob' });
  follow();
  follow();
  await leaves('4 undefined');
  expect(created()).toEqual(['slug-1', 'slug-2', 'slug-3']);
  expect(news()).toEqual(['published Title 1', 'published Title 2', 'published Title 3']);
  expect(await store.draftsOf('bob')).toHaveLength(1);
});

test('a draft that is open in a form is left alone', async () => {
  await put('1');
  await put('2');
  holds.add('common-ink:drafts:1');
  follow();
  await leaves('1 waiting');
  expect(created()).toEqual(['slug-2']);
  // A retry is scheduled, because the form that has the draft open may be closed soon.
  await waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await queue.takeOutOfLine(await put('1'));
  expect(await drafts()).toEqual(['1 waiting']);
  holds.clear();
  await vi.advanceTimersByTimeAsync(1000);
  await leaves();
});

test('pictures are uploaded once, even if the browser is killed before the post is created', async () => {
  const content = '<p><img src="blob:x/1" alt="a > b" width="40"></p><p>Words.</p>';
  await put('1', { content }, {}, [
    ['', picture('featured.png')],
    ['blob:x/1', picture('text.png')],
  ]);
  // Simulates a browser that is killed before it receives the response.
  backend.createPost.mockImplementationOnce(() => new Promise(() => {}));
  follow();
  await waitFor(() => expect(backend.createPost).toHaveBeenCalledOnce());
  vi.stubGlobal('navigator', { locks: locks(holds), onLine: true });
  follow();
  await leaves();
  expect(backend.uploadPicture).toHaveBeenCalledTimes(2);
  const [values, { attempt }] = backend.createPost.mock.calls[1] ?? [];
  expect(values.content).toBe('<p><img src="/v1/file-1" alt="a > b" width="40" height="25"></p><p>Words.</p>');
  expect(attempt).toMatchObject({ slug: 'slug-1', fileId: 'file-2', file: values.image });
  // The retry skips the slug check, because `createPost` recognises a post that the first attempt has created.
  expect(backend.isTaken).toHaveBeenCalledOnce();
});

test('without an answer everything waits, and is tried again after growing pauses and when the connection returns', async () => {
  await put('1');
  await put('2');
  backend.createPost.mockRejectedValue(unreachable);
  follow();
  // Uses `expect.poll`, because `waitFor` would advance the fake timers and so shorten the pause under way.
  const pausesAfter = (tries: number) => expect.poll(() => [created().length, vi.getTimerCount()]).toEqual([tries, 1]);
  for (const [tries, pause] of [1000, 2000, 4000].entries()) {
    await pausesAfter(tries + 1);
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(created()).toHaveLength(tries + 1);
    await vi.advanceTimersByTimeAsync(1);
  }
  await pausesAfter(4);
  expect(new Set(created())).toEqual(new Set(['slug-1']));
  expect(news()).toEqual([]);
  backend.createPost.mockImplementation(async ({ slug, status }) => ({ id: slug, status }));
  dispatchEvent(new Event('online'));
  await leaves();
  expect(created().slice(-2)).toEqual(['slug-1', 'slug-2']);
});

test('without a session drafts wait for their author', async () => {
  await put('1');
  backend.hasSession.mockResolvedValue(false);
  follow();
  await waitFor(() => expect(state.$queue.get().isSignedOut).toBe(true));
  await isIdle();
  expect([created(), await drafts()]).toEqual([[], ['1 waiting']]);
  // The session ends while the post is being sent.
  backend.hasSession.mockResolvedValueOnce(true).mockResolvedValueOnce(false);
  backend.createPost.mockRejectedValueOnce(Object.assign(new Error('Not you'), { code: 401 }));
  dispatchEvent(new Event(state.QUEUED));
  await waitFor(() => expect(created()).toHaveLength(1));
  await isIdle();
  expect(await drafts()).toEqual(['1 waiting']);
  backend.hasSession.mockResolvedValue(true);
  dispatchEvent(new Event(state.QUEUED));
  await leaves();
  expect(state.$queue.get().isSignedOut).toBe(false);
});

test('a change of somebody else, a taken slug and a field that is no longer valid wait for the author; the next is sent', async () => {
  await put('1', { post: 'old', slug: 'old' }, { base });
  await put('2');
  await put('3', { status: 'inactive', publishAt: '2020-01-01T00:00:00.000Z' });
  await put('4');
  await put('5', { post: 'old', slug: 'old', status: 'inactive' }, { base });
  backend.updatePost.mockRejectedValueOnce(new EditConflict());
  backend.isTaken.mockResolvedValueOnce(true);
  follow();
  await leaves('1 conflict', '2 refused', '3 refused');
  const reasons = (await store.draftsOf('ann')).map(({ copy, queued }) => `${copy} ${queued?.reason}`).toSorted();
  expect(reasons).toEqual([
    '1 undefined',
    expect.stringMatching(/^2 A post with this slug/),
    expect.stringMatching(/^3 /),
  ]);
  expect(news()).toEqual([
    'stopped Title 1',
    'stopped Title 2',
    'stopped Title 3',
    'published Title 4',
    'saved Title 5',
  ]);
  expect(backend.updatePost.mock.calls.map(([post]) => post)).toEqual([base, base]);
  // Drafts that need a decision by their author are not retried automatically.
  dispatchEvent(new Event('online'));
  await isIdle();
  expect(created()).toEqual(['slug-4']);
});

test('the draft of a deleted post becomes one of a new post', async () => {
  await put('1', { post: 'old', slug: 'old', basedOn: 'v1' }, { base }, [['', picture('featured.png')]]);
  backend.updatePost.mockRejectedValue(Object.assign(new Error('Gone'), { code: 404, type: 'document_not_found' }));
  follow();
  const found = async () =>
    (await store.draftsOf('ann')).map(({ post, queued }) => [post, queued?.state, queued?.base]);
  await waitFor(async () => expect(await found()).toEqual([['', 'refused', undefined]]));
  const [draft] = await store.draftsOf('ann');
  expect(draft).not.toHaveProperty('basedOn');
  expect([...((await store.picturesOf(draft ?? expect.fail())) ?? []).keys()]).toEqual(['']);
});

test('a draft taken out of line is an ordinary one', async () => {
  const draft = await put('1');
  await queue.takeOutOfLine(draft);
  follow();
  await isIdle();
  expect([created(), await drafts()]).toEqual([[], ['1 undefined']]);
});

test('the second of two changes of one post meets the first as a conflict', async () => {
  await put('1', { post: 'old', slug: 'old' }, { base });
  await put('2', { post: 'old', slug: 'old' }, { base });
  let stored = 'v1';
  backend.updatePost.mockImplementation(async ({ id, updatedAt }, { status }) => {
    if (updatedAt !== stored) throw new EditConflict();
    stored = 'v2';
    return { id, status };
  });
  follow();
  await leaves('2 conflict');
  expect(news()).toEqual(['published Title 1', 'stopped Title 2']);
});

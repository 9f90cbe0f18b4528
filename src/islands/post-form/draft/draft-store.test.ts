import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Draft } from './draft-store.ts';

const DAY = 24 * 60 * 60 * 1000;
const place = { userId: 'ann', post: 'my-post' };
const draft: Draft = {
  ...{ ...place, copy: '1', title: 'Half a thought', slug: 'my-post', slugEdited: false, content: '<p>And half</p>' },
  ...{ status: 'active', savedAt: 5, basedOn: '2026-11-21T12:00:00.000+00:00', picture: true },
};
const picture = new File(['not really a picture'], 'ink.png', { type: 'image/png' });
const featured = ['', picture] as const;

let drafts: typeof import('./draft-store.ts');
/** Fakes the timers, so that the store's timeouts cannot elapse on a busy machine. */
const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
beforeEach(async () => {
  stopTimers();
  vi.resetModules();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
      close() {}
    },
  );
  vi.spyOn(console, 'error').mockImplementation(() => {});
  drafts = await import('./draft-store.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const addressesOf = async (of: Draft) => [...((await drafts.picturesOf(of)) ?? []).keys()];
const wordsAt = async (post = 'my-post', userId = 'ann') =>
  (await drafts.draftsAt({ userId, post })).map(({ copy, title }) => `${copy} ${title}`);
const write = async (change: Partial<Draft> = {}) =>
  expect(await drafts.writeDraft({ ...draft, ...change })).toBe('kept');
/** Makes writes to these stores fail as if the device were out of storage. */
const fill = (...stores: string[]) => {
  const put = IDBObjectStore.prototype.put;
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...values) {
    if (stores.includes(this.name)) throw new DOMException('full', 'QuotaExceededError');
    return put.apply(this, values);
  });
};

test('what is kept comes back whole, its picture too, which is stored as bytes', async () => {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  await write();
  expect(await drafts.writePictures(draft, [featured], [])).toBe('kept');
  const stored = { name: 'ink.png', type: 'image/png', bytes: expect.any(ArrayBuffer) };
  expect(put).toHaveBeenLastCalledWith(stored, ['ann', 'my-post', '1']);
  expect(await drafts.draftsAt(place)).toEqual([draft]);
  const kept = (await drafts.picturesOf(draft))?.get('');
  expect(kept).toMatchObject({ name: 'ink.png', type: 'image/png' });
  expect(await kept?.text()).toBe('not really a picture');
});

test('later words are kept without writing the picture anew; both are gone when the draft is dropped', async () => {
  await write();
  await drafts.writePictures(draft, [featured], []);
  await write({ title: 'A whole thought' });
  expect([await wordsAt(), await addressesOf(draft)]).toEqual([['1 A whole thought'], ['']]);
  await drafts.deleteDraft(draft);
  // Pictures that are written after their draft was deleted are not stored.
  for (const late of [[], [featured]]) {
    await drafts.writePictures(draft, late, []);
    expect([await wordsAt(), await addressesOf(draft)]).toEqual([[], []]);
  }
});

test('pictures of the text come back by their addresses, until they are no longer in it', async () => {
  const [one, two] = ['blob:http://here/1', 'blob:http://here/2'];
  await write();
  const all = ['', one, two].map((address) => [address, picture] as const);
  expect(await drafts.writePictures(draft, all, [])).toBe('kept');
  expect(await addressesOf(draft)).toEqual(['', one, two]);
  expect(await (await drafts.picturesOf(draft))?.get(two)?.text()).toBe('not really a picture');
  expect(await addressesOf({ ...draft, copy: '10' })).toEqual([]);
  await drafts.writePictures(draft, [], [one]);
  expect(await addressesOf(draft)).toEqual(['', two]);
  await drafts.deleteDraft(draft);
  expect(await addressesOf(draft)).toEqual([]);
});

test('two tabs keep two copies, the newer first; other posts and other users have theirs', async () => {
  await write({ title: 'a', savedAt: 1 });
  await write({ title: 'b', copy: '2', savedAt: 2 });
  await write({ title: 'c', post: 'my-post-2', copy: '3', savedAt: 4 });
  await write({ title: 'd', post: '', copy: '4', savedAt: 3 });
  await write({ title: 'e', userId: 'bob', copy: '5' });
  await write({ title: 'f', userId: 'anna', copy: '6' });
  expect([await wordsAt(), await wordsAt('')]).toEqual([['2 b', '1 a'], ['4 d']]);
  expect([await wordsAt('my-post', 'bob'), await wordsAt('', 'bob')]).toEqual([['5 e'], []]);
  expect((await drafts.draftsOf('ann')).map(({ title }) => title)).toEqual(['c', 'd', 'b', 'a']);
});

test('copies go after 90 days, not before', async () => {
  for (const [copy, savedAt] of Object.entries({ old: 1000, younger: 1001 })) {
    await write({ copy, savedAt });
    await drafts.writePictures({ ...draft, copy }, [featured], []);
  }
  await drafts.pruneDrafts(1000 + 90 * DAY);
  expect(await wordsAt()).toEqual(['younger Half a thought']);
  expect(await addressesOf({ ...draft, copy: 'old' })).toEqual([]);
  expect(await addressesOf({ ...draft, copy: 'younger' })).toEqual(['']);
});

test('copies of a deleted post become copies of a new one, with all their pictures; one without room stays', async () => {
  const { unusedDraftsAt, moveToNewPost } = await import('./move-to-new-post.ts');
  await write();
  await drafts.writePictures(draft, [featured, ['blob:1', picture]], []);
  const left = await unusedDraftsAt(place);
  const full = fill('drafts', 'pictures');
  await moveToNewPost(left);
  full.mockRestore();
  expect([await unusedDraftsAt(place), await wordsAt('')]).toEqual([left, []]);

  await moveToNewPost(left);
  expect(await unusedDraftsAt(place)).toEqual([]);
  const [turned = draft] = await drafts.draftsAt({ ...place, post: '' });
  expect(turned).toMatchObject({ title: draft.title, slug: draft.slug, content: draft.content, picture: true });
  expect(turned).not.toHaveProperty('basedOn');
  expect(await addressesOf(turned)).toEqual(['', 'blob:1']);
});

test('where transactions are never answered, pictures have longer; those that cannot be read are not taken for none, nor moved to a new post', async () => {
  // Opens the database before all timers are faked.
  await write();
  vi.useFakeTimers();
  const silent = new Proxy({}, { get: () => () => ({}) });
  const transaction = { commit: () => {}, objectStore: () => silent };
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockReturnValue(transaction as never);
  const { copyToNewPost } = await import('./move-to-new-post.ts');
  const all = [drafts.writePictures(draft, [featured], []), drafts.picturesOf(draft), copyToNewPost(draft)];
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await Promise.all(all)).toEqual(['refused', undefined, false]);
});

test('a storage that never answers keeps nothing, says so, and holds nobody up; later it is asked again', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('indexedDB', { open: () => ({}) });
  const all = [drafts.writeDraft(draft), drafts.deleteDraft(draft)];
  await vi.advanceTimersByTimeAsync(3000);
  expect(await Promise.all(all)).toEqual(['refused', undefined]);
  stopTimers();
  vi.stubGlobal('indexedDB', new IDBFactory());
  await write();
});

test('a storage that was deleted under the form is known to have been made anew', async () => {
  await write();
  const made = drafts.databaseCreations();
  await write();
  expect(drafts.databaseCreations()).toBe(made);
  await new Promise((resolve) => {
    indexedDB.deleteDatabase('common-ink').onsuccess = resolve;
  });
  await write();
  expect(drafts.databaseCreations()).toBe(made + 1);
});

test('a browser that keeps nothing says so, and offers nothing', async () => {
  const fault = new DOMException('no', 'SecurityError');
  vi.stubGlobal('indexedDB', { open: vi.fn().mockThrow(fault) });
  expect(await drafts.writeDraft(draft)).toBe('refused');
  expect(await wordsAt()).toEqual([]);
});

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Draft } from './draft-store.ts';

const DAY = 24 * 60 * 60 * 1000;
const draft: Draft = {
  userId: 'ann',
  post: 'my-post',
  copy: '1',
  title: 'Half a thought',
  slug: 'my-post',
  slugEdited: false,
  content: '<p>And half</p>',
  status: 'active',
  savedAt: 5,
  basedOn: '2026-11-21T12:00:00.000+00:00',
  picture: false,
};
const place = { userId: 'ann', post: 'my-post' };
const picture = new File(['not really a picture'], 'ink.png', { type: 'image/png' });

const featured = ['', picture] as const;

let drafts: typeof import('./draft-store.ts');
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.spyOn(console, 'error').mockImplementation(() => {});
  drafts = await import('./draft-store.ts');
});
const featuredOf = async (of: Draft) => (await drafts.picturesOf(of))?.get('');
const addressesOf = async (of: Draft) => [...((await drafts.picturesOf(of)) ?? []).keys()];
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('what is kept comes back whole, its picture too', async () => {
  const whole = { ...draft, picture: true };
  expect(await drafts.writeDraft(whole)).toBe('kept');
  expect(await drafts.writePictures(whole, [featured], [])).toBe('kept');
  expect(await drafts.draftsAt(place)).toEqual([whole]);
  const kept = await featuredOf(whole);
  expect(kept).toMatchObject({ name: 'ink.png', type: 'image/png' });
  expect(await kept?.text()).toBe('not really a picture');
});

test('stores pictures as bytes', async () => {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  await drafts.writeDraft(draft);
  await drafts.writePictures(draft, [featured], []);
  expect(put).toHaveBeenLastCalledWith({ name: 'ink.png', type: 'image/png', bytes: expect.any(ArrayBuffer) }, [
    'ann',
    'my-post',
    '1',
  ]);
});

test('a picture that comes after its draft was dropped is not stored', async () => {
  await drafts.writeDraft(draft);
  await drafts.deleteDraft(draft);
  await drafts.writePictures(draft, [featured], []);
  expect(await drafts.picturesOf(draft)).toEqual(new Map());
});

describe('where transactions are never answered', () => {
  beforeEach(async () => {
    // Opens the database before the clock is fake.
    await drafts.writeDraft(draft);
    vi.useFakeTimers();
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(
      () =>
        ({
          objectStore: () =>
            new Proxy(
              { transaction: { commit: () => {} } },
              { get: (given, name) => Reflect.get(given, name) ?? (() => ({})) },
            ),
        }) as never,
    );
  });
  afterEach(() => vi.useRealTimers());

  test('words are told to be refused, and reading and dropping end', async () => {
    const all = [drafts.writeDraft(draft), drafts.draftsAt(place), drafts.deleteDraft(draft)];
    await vi.advanceTimersByTimeAsync(3000);
    expect(await Promise.all(all)).toEqual(['refused', [], undefined]);
  });

  test('pictures have longer, and those that cannot be read are not taken for none', async () => {
    const all = [drafts.writePictures(draft, [featured], []), drafts.picturesOf(draft)];
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await Promise.all(all)).toEqual(['refused', undefined]);
  });

  test('a draft whose pictures cannot be read is not moved to a new post', async () => {
    const { copyToNewPost } = await import('./move-to-new-post.ts');
    const moved = copyToNewPost(draft);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await moved).toBe(false);
  });
});

test('a storage that never answers keeps nothing, says so, and holds nobody up; later it is asked again', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('indexedDB', { open: () => ({}) });
  const [kept, dropped] = [drafts.writeDraft(draft), drafts.deleteDraft(draft)];
  await vi.advanceTimersByTimeAsync(3000);
  expect(await kept).toBe('refused');
  await dropped;
  vi.useRealTimers();
  vi.stubGlobal('indexedDB', new IDBFactory());
  expect(await drafts.writeDraft(draft)).toBe('kept');
});

test('a storage that was deleted under the form is known to have been made anew', async () => {
  await drafts.writeDraft({ ...draft, picture: true });
  const made = drafts.databaseCreations();
  await drafts.writeDraft({ ...draft, picture: true });
  expect(drafts.databaseCreations()).toBe(made);
  await new Promise((resolve) => {
    indexedDB.deleteDatabase('common-ink').onsuccess = resolve;
  });
  expect(await drafts.writeDraft({ ...draft, picture: true })).toBe('kept');
  expect(drafts.databaseCreations()).toBe(made + 1);
});

test('copies of a deleted post become copies of a new one, with all their pictures; one without room stays', async () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
      close() {}
    },
  );
  const { unusedDraftsAt, moveToNewPost } = await import('./move-to-new-post.ts');
  await drafts.writeDraft({ ...draft, picture: true });
  await drafts.writePictures(draft, [featured, ['blob:1', picture]], []);
  const left = await unusedDraftsAt(place);
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  await moveToNewPost(left);
  put.mockRestore();
  expect(await unusedDraftsAt(place)).toHaveLength(1);
  expect(await drafts.draftsAt({ ...place, post: '' })).toEqual([]);

  await moveToNewPost(left);
  expect(await unusedDraftsAt(place)).toEqual([]);
  const [turned] = await drafts.draftsAt({ ...place, post: '' });
  expect(turned).toMatchObject({ title: draft.title, slug: draft.slug, content: draft.content, picture: true });
  expect(turned).not.toHaveProperty('basedOn');
  const kept = turned && (await featuredOf(turned));
  expect(await kept?.text()).toBe('not really a picture');
  expect(await addressesOf(turned ?? draft)).toEqual(['', 'blob:1']);
});

test('later words are kept without writing the picture anew', async () => {
  await drafts.writeDraft({ ...draft, picture: true });
  await drafts.writePictures(draft, [featured], []);
  await drafts.writeDraft({ ...draft, picture: true, title: 'A whole thought' });
  const [kept] = await drafts.draftsAt(place);
  expect(kept?.title).toBe('A whole thought');
  expect(await featuredOf(kept as Draft)).toBeDefined();
});

test('pictures of the text come back by their addresses; those that are no longer in it go, all of them with the copy', async () => {
  const [one, two] = ['blob:http://here/1', 'blob:http://here/2'];
  await drafts.writeDraft({ ...draft, picture: true });
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

test('what is dropped is gone, with its picture', async () => {
  await drafts.writeDraft({ ...draft, picture: true });
  await drafts.writePictures(draft, [featured], []);
  await drafts.deleteDraft(draft);
  expect(await drafts.draftsAt(place)).toEqual([]);
  expect(await addressesOf(draft)).toEqual([]);
});

test('two tabs keep two copies, the newer comes first; other posts and other users have theirs', async () => {
  await drafts.writeDraft({ ...draft, copy: '1', savedAt: 1 });
  await drafts.writeDraft({ ...draft, copy: '2', savedAt: 2 });
  await drafts.writeDraft({ ...draft, post: 'my-post-2', copy: '3' });
  await drafts.writeDraft({ ...draft, post: '', copy: '4' });
  await drafts.writeDraft({ ...draft, userId: 'bob', copy: '5' });
  const copies = async (userId: string, post: string) =>
    (await drafts.draftsAt({ userId, post })).map(({ copy }) => copy);
  expect(await copies('ann', 'my-post')).toEqual(['2', '1']);
  expect(await copies('ann', '')).toEqual(['4']);
  expect(await copies('bob', 'my-post')).toEqual(['5']);
  expect(await copies('bob', '')).toEqual([]);
});

test('all drafts of a user are listed, the newest first, and nobody else’s', async () => {
  await drafts.writeDraft({ ...draft, copy: '1', savedAt: 1 });
  await drafts.writeDraft({ ...draft, post: '', copy: '2', savedAt: 3 });
  await drafts.writeDraft({ ...draft, post: 'another', copy: '3', savedAt: 2 });
  await drafts.writeDraft({ ...draft, userId: 'anna', copy: '4' });
  expect((await drafts.draftsOf('ann')).map(({ copy }) => copy)).toEqual(['2', '3', '1']);
});

test('copies go after 90 days, not before', async () => {
  for (const [copy, savedAt] of [
    ['old', 1000],
    ['younger', 1001],
  ] as const) {
    await drafts.writeDraft({ ...draft, copy, savedAt, picture: true });
    await drafts.writePictures({ ...draft, copy }, [featured], []);
  }
  await drafts.pruneDrafts(1000 + 90 * DAY);
  expect((await drafts.draftsAt(place)).map(({ copy }) => copy)).toEqual(['younger']);
  expect(await featuredOf({ ...draft, copy: 'old' })).toBeUndefined();
  expect(await featuredOf({ ...draft, copy: 'younger' })).toBeDefined();
});

describe('where there is no room', () => {
  const fullFor = (store: string) => {
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...values) {
      if (this.name === store) throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, values);
    });
  };

  test('for the words, that is said, and the former copy stays', async () => {
    await drafts.writeDraft(draft);
    fullFor('drafts');
    expect(await drafts.writeDraft({ ...draft, title: 'More' })).toBe('full');
    expect((await drafts.draftsAt(place))[0]?.title).toBe('Half a thought');
  });

  test('for the picture, that is said, and the words are kept without it', async () => {
    fullFor('pictures');
    expect(await drafts.writeDraft(draft)).toBe('kept');
    expect(await drafts.writePictures(draft, [featured], [])).toBe('full');
    expect(await drafts.draftsAt(place)).toEqual([draft]);
    expect(await addressesOf(draft)).toEqual([]);
  });
});

test('a browser that keeps nothing says so, and offers nothing', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('no', 'SecurityError');
    },
  });
  expect(await drafts.writeDraft(draft)).toBe('refused');
  expect(await drafts.draftsAt(place)).toEqual([]);
});

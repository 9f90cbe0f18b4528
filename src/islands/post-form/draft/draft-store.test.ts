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

let drafts: typeof import('./draft-store.ts');
let importFormerDrafts: () => Promise<void>;
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.spyOn(console, 'error').mockImplementation(() => {});
  drafts = await import('./draft-store.ts');
  ({ importFormerDrafts } = await import('./import-former-drafts.ts'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('what is kept comes back whole, its picture too', async () => {
  const whole = { ...draft, picture: true };
  expect(await drafts.writeDraft(whole, picture)).toBe('kept');
  expect(await drafts.draftsAt(place)).toEqual([whole]);
  const kept = await drafts.pictureOf(whole);
  expect(await kept?.text()).toBe('not really a picture');
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
  await drafts.writeDraft({ ...draft, picture: true }, picture);
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
  await drafts.writeDraft({ ...draft, picture: true }, picture);
  await drafts.writePictures(draft, [['blob:1', picture]], []);
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
  const kept = turned && (await drafts.pictureOf(turned));
  expect(await kept?.text()).toBe('not really a picture');
  expect([...(await drafts.picturesInText(turned ?? draft)).keys()]).toEqual(['blob:1']);
});

test('later words are kept without writing the picture anew', async () => {
  await drafts.writeDraft({ ...draft, picture: true }, picture);
  await drafts.writeDraft({ ...draft, picture: true, title: 'A whole thought' });
  const [kept] = await drafts.draftsAt(place);
  expect(kept?.title).toBe('A whole thought');
  expect(await drafts.pictureOf(kept as Draft)).toBeDefined();
});

test('pictures of the text come back by their addresses; those that are no longer in it go, all of them with the copy', async () => {
  const [one, two] = ['blob:http://here/1', 'blob:http://here/2'];
  await drafts.writeDraft({ ...draft, picture: true }, picture);
  const both = [one, two].map((address) => [address, picture] as const);
  expect(await drafts.writePictures(draft, both, [])).toBe(true);
  expect([...(await drafts.picturesInText(draft)).keys()]).toEqual([one, two]);
  expect(await (await drafts.picturesInText(draft)).get(two)?.text()).toBe('not really a picture');
  expect((await drafts.picturesInText({ ...draft, copy: '10' })).size).toBe(0);
  await drafts.writePictures(draft, [], [one]);
  expect([...(await drafts.picturesInText(draft)).keys()]).toEqual([two]);
  await drafts.deleteDraft(draft);
  expect((await drafts.picturesInText(draft)).size).toBe(0);
});

test('what is dropped is gone, with its picture', async () => {
  await drafts.writeDraft({ ...draft, picture: true }, picture);
  await drafts.deleteDraft(draft);
  expect(await drafts.draftsAt(place)).toEqual([]);
  expect(await drafts.pictureOf({ ...draft, picture: true })).toBeUndefined();
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
  await drafts.writeDraft({ ...draft, copy: 'old', savedAt: 1000, picture: true }, picture);
  await drafts.writeDraft({ ...draft, copy: 'younger', savedAt: 1001, picture: true }, picture);
  await drafts.pruneDrafts(1000 + 90 * DAY);
  expect((await drafts.draftsAt(place)).map(({ copy }) => copy)).toEqual(['younger']);
  expect(await drafts.pictureOf({ ...draft, copy: 'old', picture: true })).toBeUndefined();
  expect(await drafts.pictureOf({ ...draft, copy: 'younger', picture: true })).toBeDefined();
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

  test('for the picture, the words are kept without it', async () => {
    fullFor('pictures');
    expect(await drafts.writeDraft({ ...draft, picture: true }, picture)).toBe('without-picture');
    expect(await drafts.draftsAt(place)).toEqual([{ ...draft, picture: false }]);
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

describe('copies of earlier versions of the site', () => {
  const storage = (entries: Record<string, string>) =>
    Object.assign(
      Object.create({
        getItem(this: Record<string, string>, key: string) {
          return this[key] ?? null;
        },
        removeItem(this: Record<string, string>, key: string) {
          delete this[key];
        },
      }),
      entries,
    );
  const words = {
    title: 'From before',
    slug: 's',
    slugEdited: true,
    content: '<p>x</p>',
    status: 'inactive',
    savedAt: 7,
  };

  test('are taken over once', async () => {
    const old = storage({
      'common-ink:draft:ann:post:my-post': JSON.stringify(words),
      'common-ink:draft:ann:new:1-2': JSON.stringify({ ...words, title: 'New' }),
      'common-ink:theme': 'dark',
    });
    vi.stubGlobal('localStorage', old);
    await importFormerDrafts();
    await importFormerDrafts();
    expect(await drafts.draftsAt(place)).toEqual([{ ...words, ...place, copy: expect.any(String), picture: false }]);
    expect((await drafts.draftsAt({ userId: 'ann', post: '' })).map(({ title }) => title)).toEqual(['New']);
    expect(Object.keys(old)).toEqual(['common-ink:theme']);
  });

  test('stay where they are when they cannot be taken over', async () => {
    const old = storage({ 'common-ink:draft:ann:post:my-post': JSON.stringify(words) });
    vi.stubGlobal('localStorage', old);
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('no', 'SecurityError');
      },
    });
    await importFormerDrafts();
    expect(Object.keys(old)).toEqual(['common-ink:draft:ann:post:my-post']);
  });
});

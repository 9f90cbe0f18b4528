import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { abandonedDraft, draftAt, dropDraft, keepDraft, keyOfNewPost, keyOfPost } from './draft.ts';

const draft = { title: 'Half a thought', slug: '', slugEdited: false, content: '<p>And half</p>', status: 'active' };

/** Storage as browsers have it: its keys are its own properties. */
function storage() {
  return Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  });
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
  vi.stubGlobal('navigator', {});
});
afterEach(() => void vi.unstubAllGlobals());

test('what is kept comes back whole', () => {
  const key = keyOfPost('ann', 'my-post');
  expect(keepDraft(key, { ...draft, savedAt: 5 })).toBe(true);
  expect(draftAt(key)).toEqual({ ...draft, savedAt: 5 });
});

test('what is dropped is gone', () => {
  const key = keyOfPost('ann', 'my-post');
  keepDraft(key, { ...draft, savedAt: 5 });
  dropDraft(key);
  expect(draftAt(key)).toBeUndefined();
});

test('a tab keeps its place over a reload, another tab has another', () => {
  const first = keyOfNewPost('ann');
  expect(keyOfNewPost('ann')).toBe(first);
  vi.stubGlobal('sessionStorage', storage());
  expect(keyOfNewPost('ann')).not.toBe(first);
});

test('another user of the same tab has a place of his own', () => {
  expect(keyOfNewPost('bob')).not.toBe(keyOfNewPost('ann'));
});

test('of several abandoned new posts the newest is found, never another user’s', async () => {
  keepDraft('common-ink:draft:ann:new:1', { ...draft, title: 'Old', savedAt: 1 });
  keepDraft('common-ink:draft:ann:new:2', { ...draft, title: 'New', savedAt: 2 });
  keepDraft('common-ink:draft:bob:new:3', { ...draft, title: 'His', savedAt: 3 });
  expect((await abandonedDraft('ann'))?.draft.title).toBe('New');
});

test('a new post that another tab is writing is not offered', async () => {
  keepDraft('common-ink:draft:ann:new:1', { ...draft, savedAt: 1 });
  vi.stubGlobal('navigator', { locks: { query: async () => ({ held: [{ name: 'common-ink:draft:ann:new:1' }] }) } });
  expect(await abandonedDraft('ann')).toBeUndefined();
});

test('a full device says so and loses nothing that was there', () => {
  const key = keyOfPost('ann', 'my-post');
  keepDraft(key, { ...draft, savedAt: 5 });
  localStorage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  expect(keepDraft(key, { ...draft, title: 'More', savedAt: 6 })).toBe(false);
  expect(draftAt(key)?.title).toBe('Half a thought');
});

test('a spoilt copy is no copy', () => {
  localStorage.setItem('common-ink:draft:ann:post:x', '{"title":');
  expect(draftAt(keyOfPost('ann', 'x'))).toBeUndefined();
});

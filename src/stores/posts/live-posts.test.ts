import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { PostEvent, PostListQuery } from '#backend/browser.ts';
import type { PostSummary } from '#blog/post.ts';

let listener: { changed(news: PostEvent): void; missed(): Promise<void> };
const stop = vi.fn();
const backend = {
  listPosts: vi.fn(),
  getPost: vi.fn(),
  changeStatus: vi.fn(),
  stillListed: vi.fn(),
  sessionUser: vi.fn(),
  dropStored: vi.fn(),
  subscribeToPosts: (given: typeof listener) => {
    listener = given;
    return stop;
  },
};
vi.mock('#backend/browser.ts', () => backend);
const page = Object.assign(new EventTarget(), { hidden: false, documentElement: { lang: 'en' } });
vi.stubGlobal('document', page);
vi.stubGlobal('window', new EventTarget());
const { $posts, loadingStarted, NO_POSTS, postsLoaded, statusChanging } = await import('./posts.ts');
const { applyPostEvent, followPosts, removeUnpublished } = await import('./live-posts.ts');
const { followPost } = await import('./live-post.ts');
const { $auth } = await import('../account/auth.ts');
const { changeStatus, deleteListed, fetchPosts } = await import('./post-lists.ts');

/** Returns a post created on the given day of January 2026. Lists show the newest post first. */
const post = (id: string, day: number, change: Partial<PostSummary> = {}): PostSummary => ({
  ...{ id, title: id, featuredImage: 'image', status: 'active', userId: 'ann' },
  createdAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  updatedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  permissions: ['read("any")', 'update("user:ann")', 'delete("user:ann")'],
  ...change,
});
const written = (each: PostSummary) => ({ post: each, deleted: false });
const deleted = (each: PostSummary) => ({ post: each, deleted: true });
const ids = () => $posts.get().posts.map(({ id }) => id);
const total = () => $posts.get().totalPosts;
const NOTHING = { posts: [], total: 0, cursor: undefined };

beforeEach(() => {
  $posts.set(NO_POSTS);
  postsLoaded({ posts: [post('new', 30), post('old', 10)], total: 5, cursor: 'old' });
  vi.clearAllMocks();
});

const taken = post('new', 30, { status: 'inactive' });
const byOther = { permissions: ['read("any")', 'update("user:bob")'] };
const ALL_OWN = { status: 'any', userId: 'ann' } as const;
const INACTIVE = { status: 'inactive', userId: 'ann' } as const;

/** Applies the events. Returns how each was applied, and the list's ids and total afterwards. */
const apply = (wanted: PostListQuery, news: readonly PostEvent[]) => [
  news.map((event) => applyPostEvent(event, wanted)),
  ids(),
  total(),
];

test('a list takes a published post in at its place, unless that is not loaded', () => {
  const news = [post('newest', 31), post('middle', 20), post('oldest', 9)].map(written);
  expect(apply({}, news)).toEqual([['shown', 'shown', 'elsewhere'], ['newest', 'new', 'middle', 'old'], 7]);
});

test('a list shows a change, and counts nothing twice', () => {
  expect(apply({}, [written(post('old', 10, { title: 'Better' }))])).toEqual([['shown'], ['new', 'old'], 5]);
  expect($posts.get().posts[1]?.title).toBe('Better');
});

test('a list lets go what was deleted or taken back, once', () => {
  const news = [deleted(post('old', 10)), deleted(post('old', 10)), written(taken)];
  expect(apply({}, news)).toEqual([['gone', 'elsewhere', 'gone'], [], 3]);
});

test('a list takes no draft and no forgery', () => {
  const news = [post('draft', 31, { status: 'inactive' }), post('forged', 31, byOther)].map(written);
  expect(apply({}, news)).toEqual([['elsewhere', 'elsewhere'], ['new', 'old'], 5]);
});

test('a list of a search takes what its title holds, and lets go what it holds no more', () => {
  const titles = { other: 'Inkwell', found: 'Papers and inks', late: 'Paper, ink' };
  const news = Object.entries(titles).map(([id, title]) => written(post(id, 31, { title })));
  const renamed = written(post('found', 31, { title: 'Renamed' }));
  const told = ['elsewhere', 'shown', 'shown', 'gone'];
  expect(apply({ search: 'ink  PAPER' }, [...news, renamed])).toEqual([told, ['late', 'new', 'old'], 6]);
});

test('a list of one’s own inactive posts takes those alone', () => {
  const news = [post('own', 31, { status: 'inactive' }), post('public', 31)].map(written);
  expect(apply(INACTIVE, news)).toEqual([['shown', 'elsewhere'], ['own', 'new', 'old'], 6]);
});

test('a list of all one’s own posts takes active and inactive ones, and none of others', () => {
  const theirs = post('theirs', 32, { userId: 'bob', ...byOther });
  const news = [post('hidden', 31, { status: 'inactive' }), taken, theirs, post('in-anns-name', 32, byOther)];
  const told = ['shown', 'shown', 'elsewhere', 'elsewhere'];
  expect(apply(ALL_OWN, news.map(written))).toEqual([told, ['hidden', 'new', 'old'], 6]);
});

test('a list that is loaded whole takes in the post behind its last one, by its order', () => {
  postsLoaded({ posts: [post('new', 30), post('old', 10)], total: 2 });
  applyPostEvent(written(post('oldest', 9)), {});
  expect([ids(), total()]).toEqual([['new', 'old', 'oldest'], 3]);
  postsLoaded({ posts: [post('old', 10), post('new', 30)], total: 2 });
  for (const each of [post('first', 1), post('middle', 20), post('last', 31)])
    applyPostEvent(written(each), { order: 'oldest' });
  expect(ids()).toEqual(['first', 'old', 'middle', 'new', 'last']);
});

test('a list goes on behind a post that is still there', () => {
  applyPostEvent(deleted(post('old', 10)), {});
  expect($posts.get().cursor).toBe('new');
});

test('a list keeps a post in its place whose status was changed here, and counts it as it is', () => {
  statusChanging('new', true);
  for (let time = 0; time < 2; time += 1) expect(applyPostEvent(written(taken), {})).toBe('shown');
  expect([ids(), total()]).toEqual([['new', 'old'], 4]);
  applyPostEvent(written(post('new', 30)), {});
  expect(total()).toBe(5);
  applyPostEvent(written(taken), {});
  expect(applyPostEvent(deleted(taken), {})).toBe('gone');
  expect([ids(), total()]).toEqual([['old'], 4]);
});

const follow = (...given: Parameters<typeof followPosts>) => {
  const end = followPosts(...given);
  onTestFinished(end);
  return end;
};

test('news that come while the list is loading wait for it', () => {
  follow({});
  loadingStarted();
  listener.changed(written(post('newest', 31)));
  listener.changed(deleted(post('old', 10)));
  expect(ids()).toEqual(['new', 'old']);
  postsLoaded({ posts: [post('newest', 31), post('new', 30), post('old', 10)], total: 3 });
  expect([ids(), total()]).toEqual([['newest', 'new'], 2]);
});

test('after a gap the list is fetched in its length; when that fails it stays', async () => {
  follow({ status: 'active' });
  backend.listPosts.mockRejectedValueOnce(new Error('No.'));
  await listener.missed();
  expect(ids()).toEqual(['new', 'old']);
  backend.listPosts.mockResolvedValue({ posts: [post('other', 3)], total: 1, cursor: 'c' });
  await listener.missed();
  expect(backend.listPosts).toHaveBeenLastCalledWith({ status: 'active', limit: 24 });
  expect(ids()).toEqual(['other']);
  expect($posts.get().cursor).toBe('c');
});

test('following ends', async () => {
  const end = follow({});
  backend.listPosts.mockResolvedValue(NOTHING);
  const late = listener.missed();
  end();
  await late;
  expect(stop).toHaveBeenCalled();
  expect(ids()).toEqual(['new', 'old']);
});

const guest = Object.assign(new Error('missing scopes'), { code: 401 });
const present = { id: 'ann', email: '', name: 'Ann' };

test.each([
  [INACTIVE, [], []],
  [ALL_OWN, [post('old', 10)], ['old']],
] as const)('one’s own posts of %o stay without a session; with one, the others go', async (own, rest, left) => {
  follow(own);
  backend.listPosts.mockResolvedValue({ posts: rest, total: rest.length, cursor: undefined });
  backend.stillListed.mockResolvedValue(new Set(left));
  backend.sessionUser.mockRejectedValue(guest);
  await listener.missed();
  await removeUnpublished(own);
  expect(ids()).toEqual(['new', 'old']);
  expect($auth.get()).toMatchObject({ status: false, checked: true });
  await fetchPosts(own);
  expect($posts.get().error).toBe('You are no longer signed in.');
  postsLoaded({ posts: [post('new', 30), post('old', 10)], total: 2 });
  backend.sessionUser.mockResolvedValue(present);
  await removeUnpublished(own);
  expect(ids()).toEqual(left);
  await fetchPosts(own);
  expect([ids(), $posts.get().error]).toEqual([left, null]);
});

test('one’s own posts are not deleted or published in vain: the session has ended, or the server cannot be reached', async () => {
  backend.getPost.mockResolvedValue(undefined);
  backend.changeStatus.mockResolvedValue(undefined);
  backend.listPosts.mockResolvedValue(NOTHING);
  backend.sessionUser.mockRejectedValue(guest);
  const mine = post('old', 10, { status: 'inactive' });
  await expect(deleteListed(mine, INACTIVE)).rejects.toMatchObject({ code: 401 });
  await expect(changeStatus(mine, 'active', INACTIVE)).rejects.toMatchObject({ code: 401 });
  expect(ids()).toEqual(['new', 'old']);
  backend.sessionUser.mockRejectedValue(new TypeError('Failed to fetch'));
  await fetchPosts(INACTIVE);
  expect($posts.get().error).toMatch(/server cannot be reached/);
});

test('one’s own posts are asked for without a look at the session when an inactive one is among them', async () => {
  backend.listPosts.mockResolvedValue({ posts: [post('old', 10, { status: 'inactive' })], total: 1 });
  await fetchPosts(ALL_OWN);
  expect(backend.sessionUser).not.toHaveBeenCalled();
});

test('what another writer took back, of which no news come, goes at the next poll; what was changed here stays; a failed poll changes nothing', async () => {
  postsLoaded({ posts: [post('a', 3), post('b', 2), post('c', 1)], total: 3 });
  statusChanging('b', true);
  backend.stillListed.mockRejectedValueOnce(new Error('No.')).mockResolvedValue(new Set(['a']));
  await removeUnpublished({});
  expect(ids()).toEqual(['a', 'b', 'c']);
  await removeUnpublished({});
  expect([ids(), total()]).toEqual([['a', 'b'], 2]);
  expect(backend.stillListed).toHaveBeenLastCalledWith(['a', 'b', 'c'], {});
});

test('what another writer took back, of which no news come, is looked for each minute and when somebody comes back, not behind their back, and not after the end', () => {
  vi.useFakeTimers();
  backend.stillListed.mockResolvedValue(new Set(['new', 'old']));
  const end = follow({});
  const looks = () => backend.stillListed.mock.calls.length;
  page.hidden = true;
  vi.advanceTimersByTime(120_000);
  expect(looks()).toBe(0);
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('focus'));
  expect(looks()).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(looks()).toBe(2);
  end();
  vi.advanceTimersByTime(120_000);
  window.dispatchEvent(new Event('focus'));
  expect(looks()).toBe(2);
  vi.useRealTimers();
});

test('an open post is told changed when its time differs, and deleted when it is gone, after a gap too', async () => {
  const tell = vi.fn();
  const open = { ...post('open', 5), content: '' };
  followPost(open, tell);
  listener.changed(written(open));
  expect(tell).not.toHaveBeenCalled();
  const changed = { ...open, updatedAt: '2026-02-01T00:00:00.000+00:00' };
  for (const news of [written(changed), deleted(open)]) listener.changed(news);
  backend.sessionUser.mockResolvedValue({ id: 'ann', email: '', name: 'Ann' });
  backend.getPost.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('No.')).mockResolvedValueOnce(open);
  backend.getPost.mockResolvedValueOnce(changed);
  for (let gap = 0; gap < 4; gap += 1) await listener.missed();
  expect(tell.mock.calls.flat()).toEqual(['changed', 'deleted', 'deleted', 'changed', changed]);
});

test('an open post that is not published is not said to be deleted when its writer’s session has ended', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const tell = vi.fn();
  followPost({ ...post('open', 5, { status: 'inactive' }), content: '' }, tell);
  backend.getPost.mockResolvedValue(undefined);
  for (const fault of [Object.assign(new Error('missing scopes'), { code: 401 }), new TypeError('Failed to fetch')]) {
    backend.sessionUser.mockRejectedValue(fault);
    await listener.missed();
  }
  expect(tell).not.toHaveBeenCalled();
});

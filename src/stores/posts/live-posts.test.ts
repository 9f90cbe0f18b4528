import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PostSummary } from '#blog/post.ts';

interface Listener {
  changed(news: { post: PostSummary; deleted: boolean }): void;
  missed(): Promise<void>;
}
let listener: Listener;
const stop = vi.fn();
const backend = {
  listPosts: vi.fn(),
  getPost: vi.fn(),
  changeStatus: vi.fn(),
  stillListed: vi.fn(),
  sessionUser: vi.fn(),
  subscribeToPosts: (given: Listener) => {
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

/** Returns a post made on `day`; lists are newest first. */
const post = (id: string, day: number, change: Partial<PostSummary> = {}): PostSummary => ({
  id,
  title: id,
  featuredImage: 'image',
  status: 'active',
  userId: 'ann',
  createdAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  updatedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  permissions: ['read("any")', 'update("user:ann")', 'delete("user:ann")'],
  ...change,
});
const written = (each: PostSummary) => ({ post: each, deleted: false });
const deleted = (each: PostSummary) => ({ post: each, deleted: true });
const ids = () => $posts.get().posts.map(({ id }) => id);
const total = () => $posts.get().totalPosts;

beforeEach(() => {
  $posts.set(NO_POSTS);
  postsLoaded({ posts: [post('new', 30), post('old', 10)], total: 5, cursor: 'old' });
  vi.clearAllMocks();
});

describe('a list of active posts', () => {
  test('takes a published post in at its place', () => {
    expect(applyPostEvent(written(post('newest', 31)), {})).toBe('shown');
    expect(applyPostEvent(written(post('middle', 20)), {})).toBe('shown');
    expect(ids()).toEqual(['newest', 'new', 'middle', 'old']);
    expect(total()).toBe(7);
  });

  test('leaves alone what belongs to its part that is not loaded, and takes it when all is loaded', () => {
    expect(applyPostEvent(written(post('oldest', 9)), {})).toBe('elsewhere');
    expect([ids(), total()]).toEqual([['new', 'old'], 5]);
    postsLoaded({ posts: [post('new', 30), post('old', 10)], total: 2 });
    applyPostEvent(written(post('oldest', 9)), {});
    expect([ids(), total()]).toEqual([['new', 'old', 'oldest'], 3]);
  });

  test('shows a change, and counts nothing twice', () => {
    applyPostEvent(written(post('old', 10, { title: 'Better' })), {});
    expect($posts.get().posts[1]?.title).toBe('Better');
    expect(total()).toBe(5);
  });

  test('lets go what was deleted or taken back, once', () => {
    expect(applyPostEvent(deleted(post('old', 10)), {})).toBe('gone');
    expect(applyPostEvent(deleted(post('old', 10)), {})).toBe('elsewhere');
    expect(applyPostEvent(written(post('new', 30, { status: 'inactive' })), {})).toBe('gone');
    expect([ids(), total()]).toEqual([[], 3]);
  });

  test('goes on behind a post that is still there', () => {
    applyPostEvent(deleted(post('old', 10)), {});
    expect($posts.get().cursor).toBe('new');
  });

  test('keeps a post in its place whose status was changed here, and counts it as it is', () => {
    statusChanging('new', true);
    const taken = post('new', 30, { status: 'inactive' });
    for (let time = 0; time < 2; time += 1) expect(applyPostEvent(written(taken), {})).toBe('shown');
    expect([ids(), total()]).toEqual([['new', 'old'], 4]);
    applyPostEvent(written(post('new', 30)), {});
    expect(total()).toBe(5);
    applyPostEvent(written(taken), {});
    expect(applyPostEvent(deleted(taken), {})).toBe('gone');
    expect([ids(), total()]).toEqual([['old'], 4]);
  });

  test('in the order of age takes a post in at its place', () => {
    postsLoaded({ posts: [post('old', 10), post('new', 30)], total: 2 });
    for (const [id, day] of [
      ['first', 1],
      ['middle', 20],
      ['last', 31],
    ] as const) {
      applyPostEvent(written(post(id, day)), { order: 'oldest' });
    }
    expect(ids()).toEqual(['first', 'old', 'middle', 'new', 'last']);
  });

  test('of a search takes what its title holds, and lets go what it holds no more', () => {
    const wanted = { search: 'ink  PAPER' };
    applyPostEvent(written(post('other', 31, { title: 'Inkwell' })), wanted);
    applyPostEvent(written(post('found', 31, { title: 'Papers and inks' })), wanted);
    expect(ids()).toEqual(['found', 'new', 'old']);
    applyPostEvent(written(post('found', 31, { title: 'Renamed' })), wanted);
    expect(ids()).toEqual(['new', 'old']);
  });

  test('takes no draft and no forgery', () => {
    applyPostEvent(written(post('draft', 31, { status: 'inactive' })), {});
    applyPostEvent(written(post('forged', 31, { permissions: ['read("any")', 'update("user:eve")'] })), {});
    expect(ids()).toEqual(['new', 'old']);
  });
});

test('a list of one’s own inactive posts takes those alone', () => {
  const wanted = { status: 'inactive', userId: 'ann' } as const;
  applyPostEvent(written(post('own', 31, { status: 'inactive' })), wanted);
  applyPostEvent(written(post('public', 31)), wanted);
  expect(ids()).toEqual(['own', 'new', 'old']);
});

const followed: (() => void)[] = [];
const follow = (...given: Parameters<typeof followPosts>) => {
  const end = followPosts(...given);
  followed.push(end);
  return end;
};
afterEach(() => {
  for (const end of followed.splice(0)) end();
});

describe('following', () => {
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

  test('ends', async () => {
    const end = follow({});
    backend.listPosts.mockResolvedValue({ posts: [], total: 0, cursor: undefined });
    const late = listener.missed();
    end();
    await late;
    expect(stop).toHaveBeenCalled();
    expect(ids()).toEqual(['new', 'old']);
  });
});

describe('one’s own inactive posts, which a guest’s list leaves out', () => {
  const own = { status: 'inactive', userId: 'ann' } as const;
  const guest = Object.assign(new Error('missing scopes'), { code: 401 });

  test('stay when the session has ended; when there is one, they are gone', async () => {
    const end = followPosts(own);
    backend.listPosts.mockResolvedValue({ posts: [], total: 0, cursor: undefined });
    backend.stillListed.mockResolvedValue(new Set());
    backend.sessionUser.mockRejectedValue(guest);
    await listener.missed();
    await removeUnpublished(own);
    expect(ids()).toEqual(['new', 'old']);
    expect($auth.get()).toMatchObject({ status: false, checked: true });
    backend.sessionUser.mockResolvedValue({ id: 'ann', email: '', name: 'Ann' });
    await removeUnpublished(own);
    expect(ids()).toEqual([]);
    end();
  });

  test('are not asked for, deleted or published in vain: what comes is that the session has ended', async () => {
    backend.listPosts.mockResolvedValue({ posts: [], total: 0, cursor: undefined });
    backend.getPost.mockResolvedValue(undefined);
    backend.changeStatus.mockResolvedValue(undefined);
    backend.sessionUser.mockRejectedValue(guest);
    const mine = post('old', 10, { status: 'inactive' });
    await expect(deleteListed(mine, own)).rejects.toMatchObject({ code: 401 });
    await expect(changeStatus(mine, 'active', own)).rejects.toMatchObject({ code: 401 });
    expect(ids()).toEqual(['new', 'old']);
    await fetchPosts(own);
    expect($posts.get().error).toBe('You are no longer signed in.');
    backend.sessionUser.mockRejectedValue(new TypeError('Failed to fetch'));
    await fetchPosts(own);
    expect($posts.get().error).toMatch(/server cannot be reached/);
  });
});

describe('all of one’s own posts', () => {
  const own = { status: 'any', userId: 'ann' } as const;

  test('are active and inactive ones; those of others are not among them', () => {
    expect(applyPostEvent(written(post('hidden', 31, { status: 'inactive' })), own)).toBe('shown');
    expect(applyPostEvent(written(post('new', 30, { status: 'inactive' })), own)).toBe('shown');
    const permissions = ['read("any")', 'update("user:bob")'];
    expect(applyPostEvent(written(post('theirs', 32, { userId: 'bob', permissions })), own)).toBe('elsewhere');
    expect(applyPostEvent(written(post('in-anns-name', 32, { permissions })), own)).toBe('elsewhere');
    expect([ids(), total()]).toEqual([['hidden', 'new', 'old'], 6]);
  });

  test('are not shortened to what a guest may read when the session has ended', async () => {
    backend.listPosts.mockResolvedValue({ posts: [post('old', 10)], total: 1, cursor: undefined });
    backend.stillListed.mockResolvedValue(new Set(['old']));
    backend.sessionUser.mockRejectedValue(Object.assign(new Error('missing scopes'), { code: 401 }));
    await removeUnpublished(own);
    expect(ids()).toEqual(['new', 'old']);
    await fetchPosts(own);
    expect($posts.get().error).toBe('You are no longer signed in.');
    backend.sessionUser.mockResolvedValue({ id: 'ann', email: '', name: 'Ann' });
    await fetchPosts(own);
    expect([ids(), $posts.get().error]).toEqual([['old'], null]);
    backend.sessionUser.mockClear();
    backend.listPosts.mockResolvedValue({ posts: [post('old', 10, { status: 'inactive' })], total: 1 });
    await fetchPosts(own);
    expect(backend.sessionUser).not.toHaveBeenCalled();
  });
});

describe('what another writer took back, of which no news come', () => {
  test('goes at the next poll; what was changed here stays; a failed poll changes nothing', async () => {
    postsLoaded({ posts: [post('a', 3), post('b', 2), post('c', 1)], total: 3 });
    statusChanging('b', true);
    backend.stillListed.mockRejectedValueOnce(new Error('No.')).mockResolvedValue(new Set(['a']));
    await removeUnpublished({});
    expect(ids()).toEqual(['a', 'b', 'c']);
    await removeUnpublished({});
    expect([ids(), total()]).toEqual([['a', 'b'], 2]);
    expect(backend.stillListed).toHaveBeenLastCalledWith(['a', 'b', 'c'], {});
  });

  test('is looked for each minute and when somebody comes back, not behind their back, and not after the end', () => {
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
});

test('an open post is told changed when its time differs, and deleted when it is gone, after a gap too', async () => {
  const tell = vi.fn();
  const open = { ...post('open', 5), content: '' };
  followPost(open, tell);
  listener.changed(written(open));
  expect(tell).not.toHaveBeenCalled();
  listener.changed(written({ ...open, updatedAt: '2026-02-01T00:00:00.000+00:00' }));
  listener.changed(deleted(open));
  const changed = { ...open, updatedAt: '2026-02-01T00:00:00.000+00:00' };
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
  backend.sessionUser.mockRejectedValue(Object.assign(new Error('missing scopes'), { code: 401 }));
  await listener.missed();
  backend.sessionUser.mockRejectedValue(new TypeError('Failed to fetch'));
  await listener.missed();
  expect(tell).not.toHaveBeenCalled();
});

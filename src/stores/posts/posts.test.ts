import { beforeEach, expect, test } from 'vitest';
import type { Post } from '#blog/post.ts';
import * as store from './posts.ts';

const { $posts, loadingStarted, NO_POSTS, postRemoved, postReplaced, postsLoaded } = store;

const post = (id: string, title = id) => ({ id, title, status: 'active', userId: 'author' }) as Post;
const shown = () => {
  const { posts, totalPosts, currentPost } = $posts.get();
  return [posts.map(({ title }) => title), totalPosts, currentPost?.title];
};

beforeEach(() => {
  $posts.set(NO_POSTS);
  postsLoaded({ posts: [post('a'), post('b')], total: 2 });
  store.postShown(post('b'));
});

test('loading starts on, and goes off with posts and total or with an error, which the next start forgets', () => {
  $posts.set(NO_POSTS);
  expect($posts.get()).toMatchObject({ loading: true, error: null, totalPosts: 0 });
  store.loadingFailed('No.');
  expect($posts.get()).toMatchObject({ loading: false, error: 'No.', totalPosts: 0 });
  loadingStarted();
  expect($posts.get()).toMatchObject({ loading: true, error: null, totalPosts: 0 });
  postsLoaded({ posts: [post('a')], total: 7 });
  expect($posts.get()).toMatchObject({ loading: false, error: null, totalPosts: 7 });
});

const next = { posts: [post('b'), post('c')], total: 3 };
test.each([
  ['page that overlaps the one before shows no post twice', () => store.postsAppended(next), [['a', 'b', 'c'], 3, 'b']],
  ['created post is put on top and raises the total', () => store.postAdded(post('new')), [['new', 'a', 'b'], 3, 'b']],
  ['updated post is replaced, as the current one too', () => postReplaced(post('b', 'B2')), [['a', 'B2'], 2, 'B2']],
  ['other updated post leaves the current one', () => postReplaced(post('a', 'A2')), [['A2', 'b'], 2, 'b']],
  ['deleted post is removed and lowers the total', () => postRemoved('b'), [['a'], 1, undefined]],
  ['deletion of no listed post counts nothing', () => ['a', 'b', 'c'].map((id) => postRemoved(id)), [[], 0, undefined]],
])('a %s', (_, write, after) => {
  write();
  expect(shown()).toEqual(after);
});

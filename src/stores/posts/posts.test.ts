import { beforeEach, describe, expect, test } from 'vitest';
import type { Post } from '#blog/post.ts';
import {
  $posts,
  loadingFailed,
  loadingStarted,
  NO_POSTS,
  postAdded,
  postRemoved,
  postReplaced,
  postShown,
  postsAppended,
  postsLoaded,
} from './posts.ts';

const post = (id: string, title = id): Post => ({
  id,
  title,
  content: '<p>Text</p>',
  featuredImage: 'image',
  status: 'active',
  userId: 'author',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  permissions: [],
});
const titles = () => $posts.get().posts.map(({ title }) => title);

beforeEach(() => $posts.set(NO_POSTS));

describe('the list of posts', () => {
  test('starts with loading on', () => expect($posts.get().loading).toBe(true));

  test('stores posts and total, and loading goes off', () => {
    postsLoaded({ posts: [post('a'), post('b')], total: 7 });
    expect($posts.get()).toMatchObject({ totalPosts: 7, loading: false, error: null });
    expect(titles()).toEqual(['a', 'b']);
  });

  test('stores an error, and loading goes off', () => {
    loadingFailed('Failed to fetch posts');
    expect($posts.get()).toMatchObject({ error: 'Failed to fetch posts', loading: false });
  });

  test('forgets an error when loading starts again', () => {
    loadingFailed('No.');
    loadingStarted();
    expect($posts.get()).toMatchObject({ error: null, loading: true });
  });

  test('shows no post twice when a page overlaps the one before', () => {
    postsLoaded({ posts: [post('a'), post('b')], total: 3 });
    postsAppended({ posts: [post('b'), post('c')], total: 3 });
    expect(titles()).toEqual(['a', 'b', 'c']);
  });
});

describe('a write', () => {
  beforeEach(() => {
    postsLoaded({ posts: [post('a'), post('b')], total: 2 });
    postShown(post('b'));
  });

  test('puts a created post on top and raises the total by one', () => {
    postAdded(post('new'));
    expect(titles()).toEqual(['new', 'a', 'b']);
    expect($posts.get().totalPosts).toBe(3);
  });

  test('replaces an updated post in the list and as the current one', () => {
    postReplaced(post('b', 'B again'));
    expect(titles()).toEqual(['a', 'B again']);
    expect($posts.get().currentPost?.title).toBe('B again');
  });

  test('leaves the current post alone when another is updated', () => {
    postReplaced(post('a', 'A again'));
    expect($posts.get().currentPost?.title).toBe('b');
  });

  test('removes a deleted post and lowers the total', () => {
    postRemoved('b');
    expect(titles()).toEqual(['a']);
    expect($posts.get()).toMatchObject({ totalPosts: 1, currentPost: null });
  });

  test('never lowers the total below nothing', () => {
    for (const id of ['a', 'b', 'c']) postRemoved(id);
    expect($posts.get().totalPosts).toBe(0);
  });
});

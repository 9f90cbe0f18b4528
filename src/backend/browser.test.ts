import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { fileUrl } from '#blog/images.ts';
import type { Post } from '#blog/post.ts';
import { standInBrowser } from '../../tests/support/browser.ts';
import { contentOf } from '../../tests/support/content.ts';
import { sharedSite } from '../../tests/support/shared-site.ts';
import * as backend from './browser.ts';
import { createAdmin } from './server-key/admin.ts';

const site = await sharedSite();
const picture = await readFile(new URL('../../tests/import/fixtures/posts/type-sizes/sizes.png', import.meta.url));
standInBrowser(site.site);
for (const kind of ['error', 'info', 'warn'] as const) vi.spyOn(console, kind).mockImplementation(() => {});
afterEach(() => vi.mocked(console.error).mockClear());
afterAll(() => void vi.unstubAllGlobals());

const people = { ann: 'Secret1!', eve: 'Secret2!' };
const ANN = 'ann@example.com';
const image = (name = 'a.png') => new File([picture], name);
const logInAs = async (name: keyof typeof people) => {
  await backend.logOut().catch(() => {});
  return backend.logIn({ email: `${name}@example.com`, password: people[name] });
};
const draft = async (slug: string, change: object = {}) => {
  const { id: userId } = (await backend.currentUser()) ?? expect.fail();
  return { slug, title: slug, content: '<p>x</p>', status: 'active' as const, userId, image: image(), ...change };
};
const guestSees = async (address: string) => (await fetch(`${site.site.url}${address}`)).status;
const view = (fileId: string) => fileUrl(site.site, fileId, 'view');
const seen = (...ids: string[]) => Promise.all(ids.map((id) => guestSees(view(id))));
const found = async (options: backend.ListOptions) => (await backend.listPosts(options)).posts.map(({ id }) => id);

it('a guest is nobody, and no error', async () => {
  expect(await backend.currentUser()).toBeNull();
  expect(console.info).toHaveBeenCalledWith('User not authenticated - guest access');
  expect(console.error).not.toHaveBeenCalled();
});

it('sign-up creates the account and signs in', async () => {
  await backend.signUp({ name: 'Eve', email: 'eve@example.com', password: people.eve });
  await backend.logOut();
  const user = await backend.signUp({ name: 'Ann', email: ANN, password: people.ann });
  expect(user).toEqual({ id: expect.any(String), name: 'Ann', email: ANN });
  expect(await backend.currentUser()).toEqual(user);
});

it('sign-up where somebody else’s session is signs in the new user', async () => {
  const user = await backend.signUp({ name: 'Bob', email: 'bob@example.com', password: people.eve });
  expect(user.name).toBe('Bob');
  expect(await backend.currentUser()).toEqual(user);
});

it('login where a session exists goes on with it, and logout ends all sessions', async () => {
  await logInAs('ann');
  expect((await backend.logIn({ email: ANN, password: people.ann })).name).toBe('Ann');
  await backend.logOut();
  expect(await backend.currentUser()).toBeNull();
});

it('failures are logged and handed on as the SDK throws them', async () => {
  const refused = { code: 401, type: 'user_invalid_credentials' };
  await expect(backend.logIn({ email: ANN, password: 'wrong-one' })).rejects.toMatchObject(refused);
  const signUp = backend.signUp({ name: 'A', email: ANN, password: people.ann });
  await expect(signUp).rejects.toMatchObject({ code: 409 });
  expect(console.error).toHaveBeenCalledTimes(2);
});

let post: Post;

it('posts are created with their picture, readable by anyone when active', async () => {
  await logInAs('ann');
  const progress: number[] = [];
  post = await backend.createPost(await draft('hello'), { onProgress: ({ percent }) => progress.push(percent) });
  expect(post).toMatchObject({ id: 'hello', title: 'hello', status: 'active' });
  expect(progress.at(-1)).toBe(100);
  expect(await guestSees(view(post.featuredImage))).toBe(200);
});

it('a taken slug is a 409 and leaves no picture behind', async () => {
  const requests = vi.spyOn(globalThis, 'fetch');
  await expect(backend.createPost(await draft('hello'))).rejects.toMatchObject({ code: 409 });
  const sent = requests.mock.calls.map(([address, init]) => `${init?.method} ${address}`);
  requests.mockRestore();
  expect(sent.filter((each) => !each.startsWith('GET'))).toEqual([
    expect.stringMatching(/^POST .*\/storage\/buckets\/media\/files$/),
    expect.stringMatching(/^POST .*\/databases\/blog\/collections\/articles\/documents$/),
    expect.stringMatching(/^DELETE .*\/storage\/buckets\/media\/files\/[^/]+$/),
  ]);
});

it('posts keep a title that a real Appwrite would execute on update', async () => {
  const title = '{"method":"stringConcat","values":["!"]}';
  const given = await draft('operators');
  const made = await backend.createPost(given);
  const sent = vi.spyOn(globalThis, 'fetch');
  const changed = await backend.updatePost(made, { title, content: 'Words.', status: 'active' });
  const bodies = sent.mock.calls.map(([, init]) => `${init?.body}`).filter((body) => body.includes('stringConcat'));
  sent.mockRestore();
  expect(changed.title).toBe(title);
  expect((await backend.getPost('operators'))?.title).toBe(title);
  expect(bodies).toHaveLength(1);
  const stored = (JSON.parse(bodies[0] ?? '') as { data: { title: string } }).data.title;
  expect(() => JSON.parse(stored)).toThrow();
  await backend.deletePost(changed);
});

it('posts are not published while a picture of their text cannot be; the next attempt publishes both', async () => {
  const { id: userId } = (await backend.currentUser()) ?? expect.fail();
  const fileId = await backend.uploadFile(image('in-text.png'), { userId, status: 'inactive' });
  const content = `<p><img src="/v1/storage/buckets/media/files/${fileId}/view?project=common-ink" alt=""></p>`;
  const given = await draft('with-a-hole', { content });
  const attempt = {};
  /** Makes every request that changes the picture's permissions (PUT) fail with `status`. */
  const failing = (status: number) => {
    const real = globalThis.fetch;
    const spy = vi.spyOn(globalThis, 'fetch');
    spy.mockImplementation(async (address, init) => {
      if (init?.method !== 'PUT') return real(address, init);
      return Response.json({ message: 'Busy.', code: status, type: 'general_unknown' }, { status });
    });
    return spy;
  };
  for (const status of [503, 429]) {
    const server = failing(status);
    await expect(backend.createPost(given, { attempt })).rejects.toMatchObject({ code: status });
    server.mockRestore();
    expect(await backend.getPost(given.slug)).toBeUndefined();
  }
  const made = await backend.createPost(given, { attempt });
  expect(await guestSees(view(fileId))).toBe(200);

  await backend.changeStatus(made.id, 'inactive');
  expect(await guestSees(view(fileId))).toBe(404);
  const server = failing(500);
  await expect(backend.changeStatus(made.id, 'active')).rejects.toMatchObject({ code: 500 });
  server.mockRestore();
  expect((await backend.getPost(made.id))?.status).toBe('inactive');
  await backend.deletePost(made);
});

it('posts that are refused leave no picture public but those that a published post shows', async () => {
  const { id: userId } = (await backend.currentUser()) ?? expect.fail();
  const upload = () => backend.uploadFile(image('in-text.png'), { userId, status: 'inactive' });
  const showing = (...ids: string[]) => ids.map((id) => `<p><img src="${view(id)}" alt=""></p>`).join('');
  const [first, second, third] = [await upload(), await upload(), await upload()];

  const taken = await draft('hello', { content: showing(first) });
  await expect(backend.createPost(taken)).rejects.toMatchObject({ code: 409 });
  expect(await seen(first)).toEqual([404]);

  const made = await backend.createPost(await draft('refused', { content: showing(first) }));
  const now = await backend.updatePost(made, { title: 'Newer', content: showing(first), status: 'active' });
  const older = { title: 'Older', content: showing(first, second), status: 'active' as const };
  await expect(backend.updatePost(made, older)).rejects.toBeInstanceOf(backend.EditConflict);
  expect(await seen(made.featuredImage, first, second)).toEqual([200, 200, 404]);

  const hidden = await backend.updatePost(now, { title: 'Hidden', content: showing(third), status: 'inactive' });
  const { storage } = contentOf(site);
  const files = async () => (await storage.listFiles({ bucketId: 'media' })).files.map(({ $id }) => $id);
  const before = await files();
  const tooLong = { title: 'x'.repeat(300), content: showing(third), status: 'active' as const, image: image() };
  await expect(backend.updatePost(hidden, tooLong)).rejects.toMatchObject({ code: 400 });
  await expect.poll(files).toEqual(before);
  expect(await seen(made.featuredImage, third)).toEqual([404, 404]);
  await backend.deletePost(hidden);
  for (const id of [first, second]) await backend.deleteFile(id);
});

it('a picture with a misleading name is stored under its true ending', async () => {
  const { id } = (await backend.currentUser()) ?? expect.fail();
  const fileId = await backend.uploadFile(image('photo.webp'), { userId: id });
  expect(await backend.deleteFile(fileId)).toBe(true);
  expect(await backend.deleteFile(fileId)).toBe(false);
});

it('an edit with a new image deletes the old one after the post names the new', async () => {
  const old = post.featuredImage;
  post = await backend.updatePost(post, {
    title: 'Hello',
    content: post.content,
    status: 'active',
    image: image('b.png'),
  });
  expect(post.title).toBe('Hello');
  expect(post.featuredImage).not.toBe(old);
  expect(await seen(old, post.featuredImage)).toEqual([404, 200]);
});

it('unpublishing hides the post and all its pictures, publishing shows them again', async () => {
  const shown = await backend.uploadFile(image('d.png'), { userId: post.userId, status: 'active' });
  const content = `<p><img src="${view(shown)}"></p>`;
  post = await backend.updatePost(post, { title: 'Hello', content, status: 'inactive' });
  expect(await seen(post.featuredImage, shown)).toEqual([404, 404]);
  expect(await found({})).toEqual([]);
  expect(await found({ status: 'inactive', userId: post.userId })).toEqual(['hello']);
  post = await backend.updatePost(post, { title: 'Hello', content, status: 'active' });
  expect(await seen(post.featuredImage, shown)).toEqual([200, 200]);
});

it('posts are listed newest first without their text, a page at a time', async () => {
  for (const slug of ['one', 'two']) await backend.createPost(await draft(slug));
  const first = await backend.listPosts({ limit: 2 });
  expect(first.posts.map(({ id }) => id)).toEqual(['two', 'one']);
  expect(first.posts[0]).not.toHaveProperty('content');
  expect(first.total).toBe(3);
  const second = await backend.listPosts({ limit: 2, cursor: first.cursor });
  expect([second.posts.map(({ id }) => id), second.cursor]).toEqual([['hello'], undefined]);
  expect(await found({ search: 'hel' })).toEqual(['hello']);
});

it('posts are found by parts of words of their title, in either order of age', async () => {
  expect(await found({ search: 'ELL' })).toEqual(['hello']);
  expect(await found({ search: 'ell nowhere' })).toEqual([]);
  expect(await found({ search: '%' })).toEqual([]);
  expect(await found({ order: 'oldest' })).toEqual(['hello', 'one', 'two']);
  expect(await found({ order: 'oldest', search: 'o', limit: 2 })).toEqual(['hello', 'one']);
});

it('posts are published and taken back in place, with the pictures that no other published post shows', async () => {
  const [, inText = ''] = /files\/([^/]+)\/view/.exec(post.content) ?? [];
  const pictures = () => seen(post.featuredImage, inText);
  const other = await backend.createPost(await draft('beside', { content: post.content }));
  const hidden = { status: 'inactive', content: post.content };
  expect(await backend.changeStatus('hello', 'inactive')).toMatchObject(hidden);
  expect(await pictures()).toEqual([404, 200]);
  expect(await backend.stillListed(['hello', 'one', 'gone'], {})).toEqual(new Set(['one']));
  await backend.deletePost(other);
  await backend.changeStatus('hello', 'active');
  await backend.changeStatus('hello', 'inactive');
  expect(await pictures()).toEqual([404, 404]);
  post = (await backend.changeStatus('hello', 'active')) ?? expect.fail();
  expect(await pictures()).toEqual([200, 200]);
  expect(await backend.changeStatus('gone', 'active')).toBeUndefined();
});

it('a delete takes the post, then its pictures, but none that another post shows', async () => {
  const [, inText = ''] = /files\/([^/]+)\/view/.exec(post.content) ?? [];
  const other = await backend.createPost(await draft('other', { content: post.content }));
  expect(await backend.deletePost(post)).toBe(true);
  expect(await backend.getPost('hello')).toBeUndefined();
  expect(await seen(post.featuredImage, inText)).toEqual([404, 200]);
  expect(await backend.deletePost(other)).toBe(true);
  expect(await seen(inText)).toEqual([404]);
  expect(await createAdmin(site.target).hasFile(other.featuredImage)).toBe(false);
});

import { readFile } from 'node:fs/promises';
import { afterAll, expect, it, vi } from 'vitest';
import type { Post } from '#blog/post.ts';
import { standInBrowser } from '../../../tests/support/browser.ts';
import { contentOf } from '../../../tests/support/content.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import * as backend from '../browser.ts';
import { provision } from '../provision.ts';
import { keptPictureId, revisionId } from '../revision-ids.ts';
import { createAdmin } from '../server-key/admin.ts';
import { fetchFile } from './files.ts';
import { REVISIONS_KEPT } from './revisions.ts';

const site = await sharedSite();
const admin = createAdmin(site.target);
const { databases, storage } = contentOf(site);
const bytes = await readFile(new URL('../../../tests/import/fixtures/posts/type-sizes/sizes.png', import.meta.url));
const image = new File([bytes], 'a.png');
standInBrowser(site.site);
for (const kind of ['error', 'info', 'warn'] as const) vi.spyOn(console, kind).mockImplementation(() => {});
afterAll(() => void vi.unstubAllGlobals());

let userId: string;
const password = 'Secret1!';
const people = { ann: { email: 'ann@example.com', password }, eve: { email: 'eve@example.com', password } };
for (const person of Object.values(people)) await admin.createAuthor({ name: 'Somebody', ...person });
const place = { databaseId: 'blog', collectionId: 'revisions' };
const stored = async () => (await databases.listDocuments(place)).total;
const become = async (name: keyof typeof people) => {
  await backend.logOut().catch(() => {});
  userId = (await backend.logIn(people[name])).id;
};
const write = (slug: string, content = '<p>First</p>') =>
  backend.createPost({ slug, title: slug, content, status: 'active', userId, image });
const rewrite = async (post: Post, content: string) => {
  await backend.keepRevision(post);
  return backend.updatePost(post, { title: post.title, content, status: post.status });
};

const withOtherPicture = async (post: Post) => {
  const { title, content, status } = post;
  const other = new File([await image.arrayBuffer(), ' '], 'b.png');
  return backend.updatePost(post, { title, content, status, image: other });
};
await become('ann');

it('former versions are listed newest first without their text, and fetched with it', async () => {
  let post = await write('versions');
  for (const content of ['<p>Second</p>', '<p>Third</p>']) post = await rewrite(post, content);
  const versions = (await backend.listRevisions(post)) ?? [];
  expect(versions.map(({ title, status, size }) => [title, status, size])).toEqual([
    ['versions', 'active', 'versions<p>Second</p>'.length],
    ['versions', 'active', 'versions<p>First</p>'.length],
  ]);
  expect(versions[0]).not.toHaveProperty('content');
  expect((await backend.getRevision(versions[1]?.id ?? '')).content).toBe('<p>First</p>');
});

it('former versions do not hold the present one, although it is kept before it is overwritten', async () => {
  const post = await write('present');
  await backend.keepRevision(post);
  expect(await backend.listRevisions(post)).toEqual([]);
});

it('former versions kept twice are one', async () => {
  const post = await write('twice');
  const before = await stored();
  expect(await Promise.all([backend.keepRevision(post), backend.keepRevision(post)])).toEqual(['kept', 'kept']);
  expect(await stored()).toBe(before + 1);
});

it('former versions are for nobody else to read, not even those of a public post', async () => {
  const post = await rewrite(await write('private'), '<p>Second</p>');
  const [version] = (await backend.listRevisions(post)) ?? [];
  await become('eve');
  expect(await backend.listRevisions(post)).toEqual([]);
  await expect(backend.getRevision(version?.id ?? '')).rejects.toMatchObject({ code: 404 });
  await backend.logOut();
  expect((await backend.listRevisions(post)) ?? []).toEqual([]);
  await expect(backend.getRevision(version?.id ?? '')).rejects.toMatchObject({ code: 404 });
  await become('ann');
  expect(await backend.getRevision(version?.id ?? '')).toMatchObject({ content: '<p>First</p>' });
});

it('former versions are found beside what somebody else put in their place', async () => {
  const post = await write('forged');
  await become('eve');
  const data = { postId: post.id, versionOf: '2099-01-01', title: 'Not hers', status: 'active', size: 1 };
  const permissions = ['read("any")', `update("user:${userId}")`];
  await databases.createDocument({ ...place, documentId: revisionId(post), data, permissions });
  await become('ann');
  const now = await rewrite(post, '<p>Second</p>');
  expect((await backend.listRevisions(now))?.map(({ title }) => title)).toEqual(['forged']);
});

it('former versions have their picture, after another took its place and its file was deleted', async () => {
  const former = await write('pictured');
  const unchanged = await rewrite(former, '<p>Second</p>');
  await backend.keepRevision(unchanged);
  const now = await withOtherPicture(unchanged);
  await expect(fetchFile(former.featuredImage)).rejects.toMatchObject({ code: 404 });
  for (const { id } of (await backend.listRevisions(now)) ?? []) {
    const { featuredImage } = await backend.getRevision(id);
    expect(featuredImage).toBe(former.featuredImage);
    const kept = await backend.formerPicture(featuredImage);
    expect(kept?.name).toMatch(/\.png$/);
    expect(await kept?.bytes()).toEqual(await image.bytes());
  }
  await become('eve');
  expect(await backend.formerPicture(former.featuredImage)).toBeUndefined();
  await become('ann');
});

it('former versions keep the file of their picture, where somebody else’s stands in the place of its copy', async () => {
  const former = await write('occupied');
  await backend.keepRevision(former);
  const fileId = keptPictureId(former.featuredImage);
  const theirs = new File([await image.arrayBuffer(), 'theirs'], 'theirs.png');
  const permissions = ['read("any")', 'update("users")'];
  await storage.createFile({ bucketId: site.site.bucketId, fileId, file: theirs, permissions });
  await withOtherPicture(former);
  expect(await (await backend.formerPicture(former.featuredImage))?.bytes()).toEqual(await image.bytes());
});

it(`former versions are the last ${REVISIONS_KEPT} of a post`, async () => {
  const post = await write('many');
  const versionOf = (number: number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString();
  for (let number = 0; number < REVISIONS_KEPT + 2; number += 1)
    await backend.keepRevision({ ...post, content: `<p>${number}</p>`, updatedAt: versionOf(number) });
  const listed = async () => (await backend.listRevisions(post))?.map(({ writtenAt }) => writtenAt);
  const last = Array.from({ length: REVISIONS_KEPT }, (_, back) => versionOf(REVISIONS_KEPT + 1 - back));
  await expect.poll(listed).toEqual(last);
});

it('former versions go with the post, and the copies of their pictures', async () => {
  const former = await write('doomed');
  await backend.keepRevision(former);
  const post = await withOtherPicture(former);
  expect(await admin.hasFile(keptPictureId(former.featuredImage))).toBe(true);
  await backend.deletePost(post);
  await backend.deleteRevisions(post);
  expect(await backend.listRevisions(post)).toEqual([]);
  expect(await admin.hasFile(keptPictureId(former.featuredImage))).toBe(false);
});

it('former versions are not kept where there is no collection for them, and all else works; provisioning adds it', async () => {
  const post = await write('nowhere');
  await databases.deleteCollection(place);
  expect(await backend.keepRevision(post)).toBe('unavailable');
  expect(await backend.listRevisions(post)).toBeUndefined();
  const now = await backend.updatePost(post, { title: 'Still', content: '', status: 'active' });
  expect(now.title).toBe('Still');
  await backend.deleteRevisions(post);
  expect(await provision(site.target)).toContain('collection revisions: created');
  expect(await backend.keepRevision(now)).toBe('kept');
});

it('an update that would overwrite what was not seen is refused, and tells what is there', async () => {
  const post = await write('seen');
  const theirs = await rewrite(post, '<p>Theirs</p>');
  const mine = backend.updatePost(post, { title: 'Mine', content: '<p>Mine</p>', status: 'active' });
  await expect(mine).rejects.toMatchObject({ name: 'EditConflict', post: { content: '<p>Theirs</p>' } });
  expect(await backend.getPost('seen')).toEqual(theirs);
  expect((await rewrite(theirs, '<p>Mine</p>')).content).toBe('<p>Mine</p>');
});

it('an update with a picture is refused before the picture is sent', async () => {
  const post = await write('picture');
  await rewrite(post, '<p>Theirs</p>');
  const requests = vi.spyOn(globalThis, 'fetch');
  const mine = backend.updatePost(post, { title: 'Mine', content: '', status: 'active', image });
  await expect(mine).rejects.toMatchObject({ name: 'EditConflict' });
  expect(requests.mock.calls.map(([, init]) => init?.method)).toEqual(['GET']);
  requests.mockRestore();
});

const real = globalThis.fetch;
/** Lets the first `method` request to a post's document reach the server, but drops its response. */
const loseAnswer = (method: string) => {
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    const answer = await real(address, init);
    if (init?.method !== method || !String(address).includes('/articles/documents')) return answer;
    spy.mockRestore();
    throw new TypeError('Failed to fetch');
  });
};
const draft = (slug: string, change: object = {}) => ({
  ...{ slug, title: slug, content: '<p>Words</p>', status: 'active' as const, userId, image },
  ...change,
});

it('a creation whose answer was lost is sent again: there is one post, with its picture', async () => {
  const attempt = {};
  loseAnswer('POST');
  await expect(backend.createPost(draft('once'), { attempt })).rejects.toThrow('Failed to fetch');
  const post = await backend.createPost(draft('once'), { attempt });
  expect((await backend.listPosts({ userId, limit: 100 })).posts.filter(({ id }) => id === 'once')).toHaveLength(1);
  expect(await admin.hasFile(post.featuredImage)).toBe(true);
});

it('a creation whose answer was lost is sent again with a new title and slug: the one post has the new words', async () => {
  const attempt = {};
  loseAnswer('POST');
  await expect(backend.createPost(draft('old-name'), { attempt })).rejects.toThrow('Failed to fetch');
  const post = await backend.createPost(draft('new-name', { title: 'New name' }), { attempt });
  expect(post).toMatchObject({ id: 'old-name', title: 'New name' });
  expect(await backend.getPost('new-name')).toBeUndefined();
});

it('a creation whose answer was lost is sent again after an edit elsewhere: the edit is a former version', async () => {
  const attempt = {};
  loseAnswer('POST');
  await expect(backend.createPost(draft('edited'), { attempt })).rejects.toThrow('Failed to fetch');
  const there = (await backend.getPost('edited')) ?? expect.fail();
  await backend.updatePost(there, { title: 'Theirs', content: '<p>Theirs</p>', status: 'active' });
  const post = await backend.createPost(draft('edited'), { attempt });
  expect(post).toMatchObject({ title: 'edited', status: 'active' });
  expect((await backend.listRevisions(post))?.map(({ title }) => title)).toEqual(['Theirs']);
});

it('a creation whose answer was lost is sent again after the post was unpublished: it stays a draft', async () => {
  const attempt = {};
  loseAnswer('POST');
  await expect(backend.createPost(draft('taken-back'), { attempt })).rejects.toThrow('Failed to fetch');
  await backend.changeStatus('taken-back', 'inactive');
  const post = await backend.createPost(draft('taken-back'), { attempt });
  expect(post).toMatchObject({ id: 'taken-back', status: 'inactive' });
  const { $permissions } = await storage.getFile({ bucketId: 'media', fileId: post.featuredImage });
  expect($permissions.filter((each) => each.startsWith('read'))).toEqual([`read("user:${userId}")`]);
});

it('an update whose answer was lost is sent again with its picture: it is done, and the picture is there', async () => {
  const attempt = {};
  const post = await write('update-once');
  const changes = { title: 'Once', content: '<p>Once</p>', status: 'active' as const, image };
  loseAnswer('PATCH');
  await expect(backend.updatePost(post, changes, { attempt })).rejects.toThrow('Failed to fetch');
  const now = await backend.updatePost(post, changes, { attempt });
  expect(now).toMatchObject({ title: 'Once' });
  expect(await Promise.all([now, post].map((each) => admin.hasFile(each.featuredImage)))).toEqual([true, false]);
});

it('an update whose answer was lost is sent again when somebody changed the post since: that is told', async () => {
  const attempt = {};
  const post = await write('update-late');
  const changes = { title: 'Mine', content: '', status: 'active' as const };
  loseAnswer('PATCH');
  await expect(backend.updatePost(post, changes, { attempt })).rejects.toThrow('Failed to fetch');
  const mine = (await backend.getPost('update-late')) ?? expect.fail();
  await backend.updatePost(mine, { title: 'Theirs', content: '', status: 'active' });
  await expect(backend.updatePost(post, changes, { attempt })).rejects.toMatchObject({ name: 'EditConflict' });
});

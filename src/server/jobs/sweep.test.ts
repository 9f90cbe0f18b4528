import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Databases, Storage } from 'node-appwrite';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { keptPictureId } from '#backend/revision-ids.ts';
import { hidePicturesOf } from '#backend/sweep/exposed.ts';
import { PRIVATE_UNUSED_MS, PUBLIC_UNUSED_MS, SHARED_LATELY_MS } from '#backend/sweep/pictures.ts';
import { dropVersions } from '#backend/sweep/versions.ts';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import { LIFETIME as DRAFT_LIFETIME_MS } from '#islands/post-form/draft/draft-store.ts';
import { ARTICLES, contentOf, showing } from '../../../tests/support/content.ts';
import type { EmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { siteOfTest } from '../../../tests/support/shared-site.ts';
import { sweepOnce } from './sweep.ts';

let site: EmbeddedSite;
let databases: Databases;
let storage: Storage;
let upload: ReturnType<typeof contentOf>['upload'];
let write: ReturnType<typeof contentOf>['post'];
let logged: string[];
const revisions = { databaseId: 'blog', collectionId: 'revisions' };
const begin = Date.now();
/** Sweeps as if `milliseconds` had passed since the tests began. */
const sweepAt = (milliseconds: number) =>
  sweepOnce({ dataDirectory: site.folder }, site.target, new Date(begin + milliseconds));
const files = async () => (await storage.listFiles({ bucketId: 'media' })).files.map(({ $id }) => $id).sort();
const guestSees = async (id: string) =>
  (await fetch(`${site.site.url}/v1/storage/buckets/media/files/${id}/view?project=common-ink`)).status;
const post = (id: string, more: Parameters<typeof write>[1] = {}) => write(id, { status: 'active', ...more });
const version = (postId: string, content = '', featuredImage = '') => {
  versions += 1;
  const about = { postId, versionOf: `${versions}`, title: 'Former', status: 'active', size: 1 };
  const data = { ...about, content, featuredImage };
  return databases.createDocument({ ...revisions, documentId: `v${versions}`, data });
};
let versions = 0;
beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    logged.push(`${line}`);
    return true;
  });
});
beforeEach(async () => {
  site = await siteOfTest();
  ({ databases, storage, upload, post: write } = contentOf(site));
  logged = [];
  await post('kept');
});
afterAll(() => void vi.restoreAllMocks());

it('unused pictures are hidden after a day, and deleted a hundred days later', async () => {
  await upload('public', 'active');
  await upload('private');
  for (const time of [0, PUBLIC_UNUSED_MS - 1]) await sweepAt(time);
  expect(await guestSees('public')).toBe(200);
  await sweepAt(PUBLIC_UNUSED_MS);
  expect(await guestSees('public')).toBe(404);
  expect(logged.filter((line) => line.includes('shows: public'))).toHaveLength(1);
  await sweepAt(PUBLIC_UNUSED_MS + 1);
  for (const [time, left] of [
    [PRIVATE_UNUSED_MS - 1, ['private', 'public']],
    [PRIVATE_UNUSED_MS, ['public']],
    [PRIVATE_UNUSED_MS + PUBLIC_UNUSED_MS, ['public']],
    [PRIVATE_UNUSED_MS + PUBLIC_UNUSED_MS + 1, []],
  ] as const)
    expect([await sweepAt(time), await files()]).toEqual([expect.anything(), left]);
  expect(logged.filter((line) => line.includes('uses: private'))).toHaveLength(1);
});

it('unused pictures stay longer than a draft on a device', () =>
  expect(PRIVATE_UNUSED_MS).toBeGreaterThan(DRAFT_LIFETIME_MS));

it('unused pictures are deleted after a day if they are copies for deleted former versions', async () => {
  const copy = keptPictureId('replaced');
  await upload(copy);
  for (const time of [0, PUBLIC_UNUSED_MS - 1]) await sweepAt(time);
  expect(await files()).toEqual([copy]);
  await sweepAt(PUBLIC_UNUSED_MS);
  expect(await files()).toEqual([]);
});

it('unused pictures wait again when the file was changed or the records were lost', async () => {
  for (const id of ['shared', 'other']) await upload(id);
  await sweepAt(0);
  await storage.updateFile({ bucketId: 'media', fileId: 'shared', permissions: filePermissions('inactive', 'ann') });
  await sweepAt(PRIVATE_UNUSED_MS);
  expect(await files()).toEqual(['shared']);
  await writeFile(join(site.folder, 'unused-pictures.json'), '{"unused":');
  await sweepAt(3 * PRIVATE_UNUSED_MS);
  expect(await files()).toEqual(['shared']);
  await sweepAt(4 * PRIVATE_UNUSED_MS);
  expect(await files()).toEqual([]);
});

it('unused pictures stay when there is no post, or when most pictures seem unused', async () => {
  await upload('lonely');
  await databases.deleteDocument({ ...ARTICLES, documentId: 'kept' });
  for (const time of [0, 1]) await sweepAt(time * PRIVATE_UNUSED_MS);
  expect(await files()).toEqual(['lonely']);
  expect(logged.join()).toContain('1 of 1 pictures are named by no post. Nothing was deleted');
  await post('again');
  for (let number = 0; number < 101; number += 1) await upload(`many-${number}`);
  for (const time of [2, 3]) await sweepAt(time * PRIVATE_UNUSED_MS);
  expect((await storage.listFiles({ bucketId: 'media' })).total).toBe(101);
  await storage.deleteFile({ bucketId: 'media', fileId: 'many-100' });
  await sweepAt(4 * PRIVATE_UNUSED_MS);
  expect(await files()).toEqual([]);
});

it('a picture stays that a post or a former version shows', async () => {
  const copy = keptPictureId('replaced');
  for (const id of ['pic-a', 'pic-b', 'pic-c', 'pic-d', 'pic-e', copy]) await upload(id);
  await post('one', { featuredImage: 'pic-a' });
  await post('two', { content: showing('pic-b'), status: 'inactive' });
  await version('one', showing('pic-c'));
  await version('one', '', 'pic-d');
  // This version's picture was deleted when it was replaced; only the copy kept for the version is left.
  await version('one', '', 'replaced');
  for (const time of [0, 1]) await sweepAt(time * PRIVATE_UNUSED_MS);
  expect(await files()).toEqual([copy, 'pic-a', 'pic-b', 'pic-c', 'pic-d']);
});

it('a picture stays that a post uses again, even during a sweep', async () => {
  for (const id of ['late', 'never']) await upload(id);
  await sweepAt(0);
  // Adds the picture to a post after the sweep has read the posts, before it deletes the picture.
  const look = vi.spyOn(Storage.prototype, 'getFile').mockImplementationOnce(async () => {
    await post('named-late', { content: showing('late') });
    return storage.getFile({ bucketId: 'media', fileId: 'late' });
  });
  await sweepAt(PRIVATE_UNUSED_MS);
  expect(await files()).toEqual(['late']);
  expect(look).toHaveBeenCalled();
  look.mockRestore();
});

const readers = async (fileId: string) =>
  (await storage.getFile({ bucketId: 'media', fileId })).$permissions.filter((each) => each.startsWith('read('));
const ANYBODY = ['read("any")'];
const ANN = ['read("user:ann")'];

it('a public picture becomes private when only unpublished posts show it', async () => {
  for (const id of ['above', 'within', 'shared', 'unused', 'former']) await upload(id, 'active');
  const content = showing('within') + showing('shared');
  await post('taken-back', { featuredImage: 'above', content, status: 'inactive' });
  await post('published', { content: showing('shared') });
  await version('published', showing('former'));
  await sweepAt(2 * SHARED_LATELY_MS);
  expect(await Promise.all(['above', 'within'].map(readers))).toEqual([ANN, ANN]);
  expect(await Promise.all(['shared', 'unused', 'former'].map(readers))).toEqual([ANYBODY, ANYBODY, ANYBODY]);
  expect(logged.filter((line) => line.includes('2 pictures that no published post shows'))).toHaveLength(1);
  await sweepAt(3 * SHARED_LATELY_MS);
  expect(logged.filter((line) => line.includes('Hid '))).toHaveLength(1);
});

it('a public picture stays public within an hour of sharing', async () => {
  await upload('just-shared', 'active');
  await post('almost', { content: showing('just-shared'), status: 'inactive' });
  const shared = Date.parse((await storage.getFile({ bucketId: 'media', fileId: 'just-shared' })).$updatedAt) - begin;
  await sweepAt(shared + SHARED_LATELY_MS - 1);
  expect(await readers('just-shared')).toEqual(ANYBODY);
  await sweepAt(shared + SHARED_LATELY_MS);
  expect(await readers('just-shared')).toEqual(ANN);
});

it('a public picture stays public if its post is published during the sweep', async () => {
  await upload('at-last', 'active');
  await post('late', { content: showing('at-last'), status: 'inactive' });
  const look = vi.spyOn(Storage.prototype, 'getFile').mockImplementationOnce(async () => {
    const permissions = postPermissions('active', 'ann');
    await databases.updateDocument({ ...ARTICLES, documentId: 'late', data: { status: 'active' }, permissions });
    return storage.getFile({ bucketId: 'media', fileId: 'at-last' });
  });
  await sweepAt(2 * SHARED_LATELY_MS);
  expect(look).toHaveBeenCalled();
  look.mockRestore();
  expect(await readers('at-last')).toEqual(ANYBODY);
});

it('a public picture keeps its other permissions, and stays for good when no writer owns it', async () => {
  await upload('with-team', 'active', [...filePermissions('active', 'ann'), 'read("team:editors")']);
  await upload('logo', 'active', ['read("any")']);
  await post('taken-back', { content: showing('with-team') + showing('logo'), status: 'inactive' });
  await sweepAt(2 * SHARED_LATELY_MS);
  expect((await readers('with-team')).sort()).toEqual(['read("team:editors")', ...ANN]);
  expect(await readers('logo')).toEqual(ANYBODY);
  await databases.deleteDocument({ ...ARTICLES, documentId: 'taken-back' });
  for (const time of [1, 2, 3, 4]) await sweepAt(time * PRIVATE_UNUSED_MS);
  expect(await files()).toEqual(['logo']);
});

it('a public picture is hidden with its unpublished post, but not by a stranger’s post or while a published one shows it', async () => {
  for (const id of ['above', 'within', 'shared']) await upload(id, 'active');
  await post('elsewhere', { content: showing('shared') });
  const content = showing('within') + showing('shared') + showing('no-such-file');
  await post('taken-back', { featuredImage: 'above', content, status: 'inactive' });
  await write('forged', { content: showing('within'), userId: 'bob' });
  for (const id of ['forged', 'elsewhere', 'no-such-post']) expect(await hidePicturesOf(site.target, id)).toEqual([]);
  expect(await hidePicturesOf(site.target, 'taken-back')).toEqual(['above', 'within']);
  expect(await Promise.all(['above', 'within', 'shared'].map(readers))).toEqual([ANN, ANN, ANYBODY]);
  expect(await hidePicturesOf(site.target, 'taken-back')).toEqual([]);
  // A browser makes the picture public just before it publishes the post.
  await storage.updateFile({ bucketId: 'media', fileId: 'above', permissions: filePermissions('active', 'ann') });
  expect(await hidePicturesOf(site.target, 'taken-back')).toEqual([]);
  expect(await readers('above')).toEqual(ANYBODY);
});

it('a sweep logs a refusal and stops, and is tried again after a failure', async () => {
  const stranger = { ...site.target, apiKey: 'standard_of_nobody_at_all' };
  expect(await sweepOnce({ dataDirectory: site.folder }, stranger)).toBe(false);
  const nowhere = { ...site.target, endpoint: 'http://127.0.0.1:9/v1' };
  expect(await sweepOnce({ dataDirectory: site.folder }, nowhere)).toBe(true);
  expect(logged.join()).toMatch(/could not be deleted.*will try again later/s);
});

it('a sweep works without a collection of former versions', async () => {
  await upload('unused');
  await databases.deleteCollection(revisions);
  for (const time of [0, 1]) await sweepAt(time * PRIVATE_UNUSED_MS);
  expect(await files()).toEqual([]);
});

it('a sweep deletes nothing when the posts cannot be read', async () => {
  await upload('unused');
  await sweepAt(0);
  await databases.deleteCollection(ARTICLES);
  expect(await sweepAt(PRIVATE_UNUSED_MS)).toBe(true);
  expect(await files()).toEqual(['unused']);
});

const left = async () => (await databases.listDocuments({ ...revisions, queries: [] })).total;

it('former versions of a deleted post are deleted in one request, those of other posts stay', async () => {
  for (let number = 0; number < 60; number += 1) await version('gone');
  await version('kept');
  const requests = vi.spyOn(Databases.prototype, 'deleteDocuments');
  expect(await dropVersions(site.target, 'gone')).toBe(60);
  // The second request finds no more versions, and the third finds no sync records to delete.
  expect(requests).toHaveBeenCalledTimes(3);
  requests.mockRestore();
  expect(await dropVersions(site.target, 'kept')).toBe(0);
  expect(await left()).toBe(1);
});

it('former versions of a deleted post are deleted with their copies of pictures, unless another version uses them', async () => {
  const [shared, own] = [keptPictureId('replaced-too'), keptPictureId('replaced-elsewhere')];
  for (const id of [keptPictureId('replaced'), shared, own]) await upload(id);
  for (let i = 0; i < 2; i++) await version('gone', '', 'replaced');
  // Any signed-in user can write a version with another post's picture, which must survive the version's deletion.
  await version('gone', '', 'replaced-too');
  await version('kept', '', 'replaced-too');
  await version('kept', '', 'replaced-elsewhere');
  expect(await dropVersions(site.target, 'gone')).toBe(3);
  expect(await files()).toEqual([shared, own].sort());
  expect(await dropVersions(site.target, 'kept')).toBe(0);
  expect(await files()).toEqual([shared, own].sort());
});

it('former versions of a deleted post are deleted by the next sweep when the site missed the deletion', async () => {
  await upload('of-a-version');
  await version('gone', showing('of-a-version'));
  await sweepAt(0);
  expect([await left(), await files()]).toEqual([0, ['of-a-version']]);
  await sweepAt(PRIVATE_UNUSED_MS);
  expect(await files()).toEqual([]);
});

it('former versions of a deleted post stay when the posts cannot be read', async () => {
  await version('gone');
  await databases.deleteCollection(ARTICLES);
  await expect(dropVersions(site.target, 'gone')).rejects.toMatchObject({ code: 404 });
  expect(await left()).toBe(1);
});

import { Client, Databases, type Models } from 'node-appwrite';
import { afterAll, expect, it, vi } from 'vitest';
import { SYNCED_FILES_ID, type SyncedFile } from '#blog/synced-file.ts';
import { standInBrowser } from '../../../tests/support/browser.ts';
import { contentOf } from '../../../tests/support/content.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import * as backend from '../browser.ts';
import { keyedBackend } from '../keyed-backend.ts';
import { deleteUser } from '../people/delete-user.ts';
import { handOver } from '../people/posts-of-others.ts';
import { letWrite } from '../people/who-writes.ts';
import { provision } from '../provision.ts';
import { MAX_CONFLICT_CHARACTERS, writersIn } from '../schema.ts';
import { createAdmin } from '../server-key/admin.ts';
import { openSyncedFiles } from '../server-key/synced-files.ts';
import { dropVersions } from '../sweep/versions.ts';
import { conflictIn, settleConflict } from './file-conflicts.ts';
import { listSyncedFiles } from './synced-files.ts';

const site = await sharedSite();
const admin = createAdmin(site.target);
const { databases, users } = contentOf(site);
const place = { databaseId: 'blog', collectionId: SYNCED_FILES_ID };
standInBrowser(site.site);
vi.spyOn(console, 'error').mockImplementation(() => {});
afterAll(() => void vi.unstubAllGlobals());

const password = 'Secret1!';
const people = { ann: { email: 'ann@example.com', password }, eve: { email: 'eve@example.com', password } };
const ids: Record<string, string> = {};
for (const [name, person] of Object.entries(people))
  ids[name] = (await admin.createAuthor({ name: 'Somebody', ...person })).user.id;
const [ann, eve] = [ids.ann ?? '', ids.eve ?? ''];
const become = async (name: keyof typeof people) => {
  await backend.logOut().catch(() => {});
  await backend.logIn(people[name]);
};
const records = () => openSyncedFiles(keyedBackend(site.target))('folder');
const post = { title: 'Ink', content: '', featuredImage: '', status: 'active' } as const;
const slugOf = (row: Models.DefaultDocument): string => row.postId;
const ink = { id: 'ink', userId: ann };

it('tells the author alone where a post’s file is', async () => {
  await records().put('ink', ann, { path: 'notes/ink.md', file: 'one' });
  await become('ann');
  const [file] = await listSyncedFiles(ink);
  expect(file).toMatchObject({ path: 'notes/ink.md', state: 'equal', equalAt: expect.stringMatching(/^20/) });
  await become('eve');
  expect([await listSyncedFiles(ink), await listSyncedFiles({ id: 'ink', userId: eve })]).toEqual([[], []]);
  await expect(conflictIn(file as SyncedFile)).rejects.toMatchObject({ code: 404 });
  await expect(settleConflict(file as SyncedFile)).rejects.toMatchObject({ code: 401 });
  await backend.logOut();
  await expect(conflictIn(file as SyncedFile)).rejects.toMatchObject({ code: 404 });
  expect(await listSyncedFiles(ink)).toEqual([]);
});

it('does not show the author a record by another user', async () => {
  const data = { postId: 'ink', folder: 'hers', path: 'hers.md', file: 'x', state: 'conflict' };
  const permissions = ['read("any")', `update("user:${eve}")`];
  await databases.createDocument({ ...place, documentId: 'hers', data, permissions });
  await become('ann');
  expect((await listSyncedFiles(ink)).map(({ path }) => path)).toEqual(['notes/ink.md']);
});

it('takes a conflict as settled once the author says so, unless the file has changed since', async () => {
  await become('ann');
  const files = records();
  await files.put('ink', ann, { path: 'notes/ink.md', file: 'two', conflict: { content: '<p>Two</p>' } });
  const [two] = await listSyncedFiles(ink);
  expect(two).toMatchObject({ state: 'conflict', equalAt: expect.stringMatching(/^20/) });
  expect(await conflictIn(two as SyncedFile)).toEqual({ content: '<p>Two</p>' });
  expect(await files.isSettled('ink', 'two')).toBe(false);
  await files.put('ink', ann, { path: 'notes/ink.md', file: 'three', conflict: { content: '<p>Three</p>' } });
  await expect(settleConflict(two as SyncedFile)).rejects.toMatchObject({ code: 409 });
  const [three] = await listSyncedFiles(ink);
  await settleConflict(three as SyncedFile);
  expect([await files.isSettled('ink', 'two'), await files.isSettled('ink', 'three')]).toEqual([false, true]);
  expect(await conflictIn(three as SyncedFile)).toBeUndefined();
});

it('keeps a conflict that is too long to be stored, without its text', async () => {
  const files = records();
  const content = 'x'.repeat(MAX_CONFLICT_CHARACTERS);
  await files.put('ink', ann, { path: 'notes/ink.md', file: 'four', conflict: { content } });
  await become('ann');
  const [file] = await listSyncedFiles(ink);
  expect([file?.state, await conflictIn(file as SyncedFile)]).toEqual(['conflict', undefined]);
  expect(await files.isSettled('ink', 'four')).toBe(false);
});

it('is written with the author’s own session too', async () => {
  await become('ann');
  const { secret } = await users.createSession({ userId: ann });
  const { endpoint, projectId } = site.target;
  const session = new Databases(new Client().setEndpoint(endpoint).setProject(projectId).setSession(secret));
  const files = openSyncedFiles({ databases: session, syncedFiles: place })('laptop');
  expect(await files.load()).toBe(true);
  for (const path of ['paper.md', 'moved.md']) await files.put('paper', ann, { path, file: 'one' });
  expect((await listSyncedFiles({ id: 'paper', userId: ann })).map(({ path }) => path)).toEqual(['moved.md']);
  await files.remove('paper');
  expect(await listSyncedFiles({ id: 'paper', userId: ann })).toEqual([]);
});

it('goes from its former author when the post is handed over', async () => {
  await admin.createPost({ ...post, id: 'given', userId: eve });
  await records().put('given', eve, { path: 'hers/given.md', file: 'one' });
  await handOver(keyedBackend(site.target), (await admin.post('given')) ?? expect.fail(), ann);
  for (const [name, userId] of [
    ['eve', eve],
    ['ann', ann],
  ] as const) {
    await become(name);
    expect(await listSyncedFiles({ id: 'given', userId })).toEqual([]);
  }
});

it('goes with a deleted post and a deleted account', async () => {
  const { user } = await admin.createAuthor({ name: 'Bob', email: 'bob@example.com' });
  for (const id of ['gone', 'kept']) {
    await admin.createPost({ ...post, id, userId: user.id });
    await records().put(id, user.id, { path: `${id}.md`, file: 'one' });
  }
  await admin.deletePost((await admin.post('gone')) ?? expect.fail());
  for (const slug of ['gone', 'kept']) await dropVersions(site.target, slug);
  const left = async () => (await databases.listDocuments({ ...place, queries: [] })).documents.map(slugOf);
  expect(await left()).toEqual(['ink', 'ink', 'kept']);
  await users.updateStatus({ userId: user.id, status: false });
  await deleteUser(site.target, user.id, async () => {});
  expect(await left()).toEqual(['ink', 'ink']);
});

it('is missing on a site of an earlier version until it is provisioned, with the right to write of posts', async () => {
  await databases.deleteCollection(place);
  const files = records();
  await expect(files.load()).rejects.toThrow('`npm run provision` adds it');
  expect(await files.load()).toBe(false);
  await become('ann');
  await expect(listSyncedFiles(ink)).rejects.toMatchObject({ code: 404 });
  expect(await dropVersions(site.target, 'nowhere')).toBe(0);
  await letWrite(site.target, 'members');
  expect(await provision(site.target)).toContain('collection synced-files: created');
  const writers = async () => writersIn((await databases.getCollection(place)).$permissions);
  expect(await writers()).toBe('members');
  await letWrite(site.target, 'everyone');
  expect(await writers()).toBe('everyone');
});

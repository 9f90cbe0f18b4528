import { mkdir, rename, rm } from 'node:fs/promises';
import { Databases, type Models, Query } from 'node-appwrite';
import { beforeEach, expect, it, vi } from 'vitest';
import { keyedBackend } from '#backend/keyed-backend.ts';
import { openSyncedFiles } from '#backend/server-key/synced-files.ts';
import type { PostValues } from '#blog/post.ts';
import { picture } from '../../tests/support/importing.ts';
import { actions, openSyncedFolder } from '../../tests/support/synced-folder.ts';

const folder = await openSyncedFolder();
const { admin, whole, user, put, read, at } = folder;
const backend = keyedBackend(folder.site.target);
const { databases, syncedFiles: place } = backend;
beforeEach(async () => {
  await folder.empty();
  await databases.deleteDocuments({ ...place, queries: [Query.isNotNull('postId')] });
});

/** Syncs like a new process, with no records in memory. Returns the action taken for each path. */
const sync = async ({ dryRun = false } = {}) =>
  actions(await folder.run({ dryRun, syncedFiles: openSyncedFiles(backend) }));
const post = () => folder.post('ink');
const edit = (change: Partial<PostValues>) => folder.edit('ink', () => change);
const editText = (from: string, to: string) =>
  folder.edit('ink', ({ content }) => ({ content: content.replace(from, to) }));
const records = async () =>
  (await databases.listDocuments<Models.DefaultDocument>({ ...place, queries: [] })).documents;
const record = async () => (await records())[0] ?? expect.fail();
/** Marks the conflict as resolved, as the post form does. */
const settle = async () =>
  databases.updateDocument({ ...place, documentId: (await record()).$id, data: { state: 'settled', conflict: null } });

const note = (words: string, title = 'Of ink') => `---\ntitle: ${title}\n---\n\nFirst.\n\n${words}\n\n* One\n`;
async function synced(): Promise<void> {
  await put('ink.md', note('As it was.'));
  await sync();
}
/** Changes the second paragraph on both sides. */
async function conflict(file = 'In the file.'): Promise<void> {
  await synced();
  await editText('As it was.', 'In the blog.');
  await put('ink.md', note(file));
  expect(await sync()).toEqual({ 'ink.md': 'conflict' });
}

it('says where a file is, follows it, and writes nothing in a second run', async () => {
  await synced();
  const first = await record();
  expect(first).toMatchObject({ postId: 'ink', path: 'ink.md', state: 'equal' });
  expect(first.$permissions).toContain(`read("user:${user.id}")`);
  expect(await sync()).toEqual({});
  expect(await record()).toEqual(first);
  await mkdir(at('notes'));
  await rename(at('ink.md'), at('notes/Ink.md'));
  await sync();
  expect(await records()).toMatchObject([{ $id: first.$id, path: 'notes/Ink.md' }]);
  await rm(at('notes/Ink.md'));
  expect(await sync()).toEqual({ 'notes/Ink.md': 'post unpublished' });
  expect(await records()).toEqual([]);
});

it('makes missing records again, such as after a move to another backend', async () => {
  await synced();
  await databases.deleteDocument({ ...place, documentId: (await record()).$id });
  expect(await sync()).toEqual({});
  expect(await record()).toMatchObject({ path: 'ink.md', state: 'equal' });
});

it('syncs posts although no record can be written, and says so once', async () => {
  const failing = vi.spyOn(Databases.prototype, 'createDocument').mockImplementation(async (...given) => {
    const [{ collectionId }] = given as unknown as [{ collectionId: string }];
    if (collectionId === place.collectionId) throw new Error('fetch failed');
    return real.apply(databases, given as never) as never;
  });
  for (const name of ['ink', 'paper']) await put(`${name}.md`, note(name));
  const created = { 'ink.md': 'post created', 'paper.md': 'post created' };
  expect(await sync()).toEqual({ ...created, '.common-ink': 'skipped' });
  failing.mockRestore();
  expect(await sync()).toEqual({});
  expect((await records()).map(({ path }) => path).sort()).toEqual(['ink.md', 'paper.md']);
});
const real = Databases.prototype.createDocument;

it('has the file’s values of a conflict alone, and its pictures', async () => {
  await put('drop.png', await picture(20, 10));
  await conflict('In the file. ![Drop](drop.png)');
  const { state, conflict: json, file } = await record();
  const values = JSON.parse(json) as PostValues;
  expect([state, Object.keys(values)]).toEqual(['conflict', ['content']]);
  expect(values.content).toMatch(/<p>First\.<\/p>\s*<p>In the file\. <img .+<li>One<\/li>/s);
  const [, id = ''] = /files\/([^/]+)\//.exec(values.content) ?? [];
  expect(await admin.permissionsOf(id)).toContain(`read("user:${user.id}")`);
  expect(await sync()).toEqual({ 'ink.md': 'conflict' });
  expect((await record()).file).toBe(file);
});

it('writes the post into the file once the conflict is settled', async () => {
  await conflict();
  const kept = await whole.lastChange();
  await settle();
  expect(await sync({ dryRun: true })).toEqual({ 'ink.md': 'file updated' });
  expect(await whole.lastChange()).not.toBe(kept);
  expect(await sync()).toEqual({ 'ink.md': 'file updated' });
  expect(await read('ink.md')).toBe(note('In the blog.'));
  expect((await post()).content).toContain('In the blog.');
  expect(await record()).toMatchObject({ state: 'equal', conflict: null });
  expect(await sync()).toEqual({});
});

it('writes what was published after the choice, in other paragraphs and fields too', async () => {
  await conflict();
  const { content } = await post();
  await edit({ title: 'On ink', content: content.replace('In the blog.', 'In both.').replace('First.', 'Begun.') });
  await settle();
  expect(await sync()).toEqual({ 'ink.md': 'file updated' });
  expect(await read('ink.md')).toBe(note('In both.', 'On ink').replace('First.', 'Begun.'));
  expect(await sync()).toEqual({});
});

it('settles a field that both sides changed', async () => {
  await synced();
  await edit({ title: 'Blog' });
  await put('ink.md', note('As it was.', 'File'));
  expect(await sync()).toEqual({ 'ink.md': 'conflict' });
  expect(JSON.parse((await record()).conflict)).toEqual({ title: 'File' });
  await settle();
  expect(await sync()).toEqual({ 'ink.md': 'file updated' });
  expect(await read('ink.md')).toBe(note('As it was.', 'Blog'));
  expect(await sync()).toEqual({});
});

it('leaves a file alone that was changed after the conflict was settled', async () => {
  await conflict();
  await settle();
  await put('ink.md', (await read('ink.md')).replace('In the file.', 'In the file, again.'));
  expect(await sync()).toEqual({ 'ink.md': 'conflict' });
  expect(await read('ink.md')).toContain('In the file, again.');
  expect(JSON.parse((await record()).conflict).content).toContain('In the file, again.');
});

it('keeps the conflict while nobody can say whether it is settled', async () => {
  await conflict();
  await settle();
  const failing = vi.spyOn(Databases.prototype, 'getDocument').mockRejectedValueOnce(new Error('fetch failed'));
  expect(await sync()).toEqual({ 'ink.md': 'conflict' });
  failing.mockRestore();
  expect(await sync()).toEqual({ 'ink.md': 'file updated' });
});

it('settles a conflict although the run that found it was killed before it had ended', async () => {
  await synced();
  const before = await read('.common-ink/sync.json');
  await editText('As it was.', 'In the blog.');
  await put('ink.md', note('In the file.'));
  await sync();
  await put('.common-ink/sync.json', before);
  await settle();
  expect(await sync()).toEqual({ 'ink.md': 'file updated' });
  expect(await read('ink.md')).toBe(note('In the blog.'));
  expect(await sync()).toEqual({});
});

it('reads both sides of a paragraph with an underlined heading', async () => {
  await conflict('In the file\n=======\n');
  expect(JSON.parse((await record()).conflict).content).toContain('In the file</h');
  await settle();
  await sync();
  expect((await post()).content).toContain('In the blog.');
  expect(await read('ink.md')).not.toContain('=======');
  expect(await sync()).toEqual({});
});

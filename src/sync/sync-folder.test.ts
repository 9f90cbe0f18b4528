import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import type { PostValues } from '#blog/post.ts';
import { picture } from '../../tests/support/importing.ts';
import { actions, openSyncedFolder } from '../../tests/support/synced-folder.ts';
import { openCommits } from './commit.ts';
import type { SyncOptions } from './sync-folder.ts';

const folder = await openSyncedFolder();
const { admin, whole, user, post, put, read, at, run } = folder;
beforeEach(() => folder.empty());

/** Syncs and returns the action taken for each path. */
const sync = async (options?: Partial<SyncOptions>) => actions(await run(options));
const edit = (slug: string, change: Partial<PostValues>) => folder.edit(slug, () => change);
const editText = (slug: string, from: string, to: string) =>
  folder.edit(slug, ({ content }) => ({ content: content.replace(from, to) }));

const HUGO = `---
title:  'Of ink'   # mine
weird_field: [1,   2]
date: 2024-05-06
tags:
    - Ink
draft: false
---

Some *words*
about ink.

<!-- keep this -->

* one
* two

See [the list][1].

[1]: https://example.com/list
`;

async function synced(): Promise<void> {
  await put('posts/ink.md', HUGO);
  await sync();
}

it('makes posts of files and files of posts, and a second run changes nothing', async () => {
  await put('posts/ink.md', HUGO);
  await admin.createPost({
    ...{ id: 'older', title: 'Older', content: '<p>Written <strong>here</strong>.</p>', featuredImage: '' },
    ...{ status: 'inactive', userId: user.id },
  });
  expect(await sync()).toEqual({ 'posts/ink.md': 'post created', 'posts/older.md': 'file created' });
  expect(await post('ink')).toMatchObject({ title: 'Of ink', status: 'active', tags: ['Ink'], userId: user.id });
  expect(await read('posts/older.md')).toContain('Written **here**.');
  expect(await sync()).toEqual({});
  expect(await read('posts/ink.md')).toBe(HUGO);
});

it('changes in the file the one word that was changed in the blog, and the other way round', async () => {
  await synced();
  await editText('ink', 'about ink', 'about paper');
  expect(await sync()).toEqual({ 'posts/ink.md': 'file updated' });
  expect(await read('posts/ink.md')).toBe(HUGO.replace('about ink', 'about paper'));
  await put('posts/ink.md', (await read('posts/ink.md')).replace('* two', '* two\n* three'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'post updated' });
  expect((await post('ink')).content).toContain('<li>three</li>');
  expect(await sync()).toEqual({});
});

it('brings a change from one folder of a blog into another', async () => {
  const other = await mkdtemp(join(folder.site.folder, 'sync-'));
  await put('posts/ink.md', '---\ntitle: Ink\n---\n\nOne.\n\nTwo.\n');
  await sync();
  await sync({ directory: other });
  const file = join(other, 'posts/ink.md');
  const text = await readFile(file, 'utf8');
  await put('posts/ink.md', (await read('posts/ink.md')).replace('One.', 'One here.'));
  await writeFile(file, text.replace('Two.', 'Two there.'));
  const before = await post('ink');
  await sync();
  // A post form that loaded the post before the sync must not overwrite the synced changes.
  expect(await admin.putPost({ ...before, createdAt: undefined, updatedAt: undefined }, before)).toBeUndefined();
  await sync({ directory: other });
  await sync();
  for (const here of [await read('posts/ink.md'), await readFile(file, 'utf8')])
    expect(here).toContain('One here.\n\nTwo there.\n');
});

it('merges changes of different blocks and fields of both sides', async () => {
  await synced();
  await editText('ink', 'about ink', 'about paper');
  await edit('ink', { tags: ['Ink', 'Paper'] });
  await put('posts/ink.md', HUGO.replace('* two', '* 2').replace('Of ink', 'On ink'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'merged' });
  const text = HUGO.replace('* two', '* 2').replace('Of ink', 'On ink').replace('about ink', 'about paper');
  expect(await read('posts/ink.md')).toBe(text.replace('    - Ink\n', '    - Ink\n    - Paper\n'));
  expect(await post('ink')).toMatchObject({ title: 'On ink', tags: ['Ink', 'Paper'] });
  expect((await post('ink')).content).toMatch(/about paper[\s\S]*<li>2<\/li>/);
  expect(await sync()).toEqual({});
});

it('keeps both versions of a block that both sides changed, until one is chosen', async () => {
  await synced();
  await editText('ink', 'about ink', 'about paper');
  await put('posts/ink.md', HUGO.replace('about ink', 'about water'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'conflict' });
  const marked = await read('posts/ink.md');
  expect(marked).toContain(
    '<<<<<<< file\nSome *words*\nabout water.\n=======\nSome *words*\nabout paper.\n>>>>>>> blog\n',
  );
  expect((await post('ink')).content).toContain('about paper');
  expect(await sync()).toEqual({ 'posts/ink.md': 'conflict' });
  expect(await read('posts/ink.md')).toBe(marked);
  await put('posts/ink.md', HUGO.replace('about ink', 'about water and paper'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'post updated' });
  expect((await post('ink')).content).toContain('about water and paper');
});

it('keeps both values of a field that both sides changed', async () => {
  await synced();
  await edit('ink', { title: 'Blog' });
  await put('posts/ink.md', HUGO.replace('Of ink', 'File'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'conflict' });
  expect(await read('posts/ink.md')).toContain('# <<<<<<< blog: title: "Blog"');
  expect((await post('ink')).title).toBe('Blog');
  await put('posts/ink.md', HUGO.replace('Of ink', 'Both'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'post updated' });
  expect((await post('ink')).title).toBe('Both');
});

it('follows a file that is moved, renamed and edited', async () => {
  await synced();
  await mkdir(at('notes'));
  await rename(at('posts/ink.md'), at('notes/On Ink.md'));
  await put('notes/On Ink.md', HUGO.replace('about ink', 'about ink and paper'));
  expect(await sync()).toEqual({ 'notes/On Ink.md': 'post updated' });
  expect((await post('ink')).content).toContain('ink and paper');
  expect((await whole.slugs()).size).toBe(1);
});

it('unpublishes the post of a deleted file, and deletes it only when asked', async () => {
  await put('posts/two.md', HUGO.replace('Of ink', 'Two'));
  await synced();
  await rm(at('posts/ink.md'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'post unpublished' });
  expect((await post('ink')).status).toBe('inactive');
  expect(await sync()).toEqual({});
  await rm(at('posts/two.md'));
  expect(await sync({ deletes: true })).toEqual({ 'posts/two.md': 'post deleted' });
  expect(await admin.post('two')).toBeUndefined();
  await edit('ink', { status: 'active' });
  expect(await sync()).toEqual({ 'posts/ink.md': 'file created' });
});

it('hides the pictures of a deleted file’s post unless another published post shows them', async () => {
  await put('a/drop.png', await picture(20, 10));
  await put('a/ink.png', await picture(30, 20));
  await put('a/one.md', `${HUGO}\n![Drop](drop.png)\n\n![Ink](ink.png)\n`);
  await put('a/two.md', HUGO);
  await sync();
  const [drop = '', ink = ''] = (await post('one')).content.match(/(?<=files\/)[^/]+/g) ?? [];
  await edit('two', { featuredImage: drop });
  await sync();
  const arePublic = async () =>
    Array.fromAsync([drop, ink], async (id) => (await admin.permissionsOf(id))?.includes('read("any")'));
  expect(await arePublic()).toEqual([true, true]);
  await rm(at('a/one.md'));
  expect(await sync()).toEqual({ 'a/one.md': 'post unpublished' });
  expect(await arePublic()).toEqual([true, false]);
  await rm(at('a/two.md'));
  expect(await sync({ deletes: true })).toEqual({ 'a/two.md': 'post deleted' });
  expect(await arePublic()).toEqual([false, false]);
});

it('does not take an emptied file for a deleted one', async () => {
  await synced();
  await put('posts/ink.md', '');
  expect(await sync()).toEqual({ 'posts/ink.md': 'skipped' });
  expect((await post('ink')).status).toBe('active');
  await put('posts/ink.md', HUGO.replace('about ink', 'about paper'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'post updated' });
});

it('unpublishes nothing while the whole folder is gone, unless asked', async () => {
  await put('posts/two.md', HUGO.replace('Of ink', 'Two'));
  await synced();
  await rm(at('posts'), { recursive: true });
  await expect(sync()).rejects.toThrow('2 of 2 files are gone. Add --yes');
  expect((await post('ink')).status).toBe('active');
  expect(Object.values(await sync({ isSure: true }))).toEqual(['post unpublished', 'post unpublished']);
});

it('leaves the files where they are while the blog is another one, unless asked', async () => {
  await put('posts/two.md', HUGO.replace('Of ink', 'Two'));
  await synced();
  for await (const each of whole.posts()) await admin.deletePost(each);
  await expect(sync()).rejects.toThrow('2 of 2 posts are gone: is this the right blog?');
  expect((await readdir(at('posts'))).length).toBe(2);
});

it('keeps a note of a vault a draft until it says that it is published', async () => {
  await mkdir(at('.obsidian'));
  await put('Note.md', 'About [[Ink]].\n');
  await put('Ink.md', '---\npublish: true\n---\n\nOf ==ink==. %%mine%%\n');
  await sync();
  expect([(await post('note')).status, (await post('ink')).status]).toEqual(['inactive', 'active']);
  expect((await post('note')).content).toContain('<a href="/post/ink">Ink</a>');
  await edit('note', { status: 'active' });
  await editText('ink', 'Of', 'On');
  expect(await sync()).toEqual({ 'Note.md': 'file updated', 'Ink.md': 'file updated' });
  expect(await read('Note.md')).toBe('---\ndraft: false\n---\n\nAbout [[Ink]].\n');
  expect(await read('Ink.md')).toBe('---\npublish: true\n---\n\nOn ==ink==. %%mine%%\n');
});

it('puts the file of a deleted post aside, unless it was changed', async () => {
  for (const name of ['ink', 'two', 'three']) await put(`posts/${name}.md`, HUGO.replace('Of ink', name));
  await sync();
  await admin.deletePost(await post('ink'));
  await admin.deletePost(await post('two'));
  await put('posts/two.md', HUGO.replace('Of ink', 'two').replace('about', 'on'));
  expect(await sync()).toEqual({ 'posts/ink.md': 'file removed', 'posts/two.md': 'post created' });
  expect(await readdir(at('.common-ink/removed'))).toEqual([expect.stringMatching(/-ink\.md$/)]);
});

it('uploads pictures beside the text once, and brings those of the blog', async () => {
  await put('a/ink.md', `${HUGO}\n![Drop](drop.png)\n`);
  await put('a/drop.png', await picture(20, 10));
  await sync();
  const { content } = await post('ink');
  const [, id = ''] = /files\/([^/]+)\//.exec(content) ?? [];
  const other = `${'b'.repeat(20)}-30x20`;
  const file = { name: 'new.png', bytes: await picture(30, 20), status: 'active', userId: user.id } as const;
  await admin.uploadFile({ id: other, ...file });
  const src = /src="([^"]*)"/.exec(content)?.[1]?.replace(id, other);
  await edit('ink', { content: `${content}\n<p><img src="${src}" alt="New"></p>` });
  expect(await sync()).toEqual({ 'a/ink.md': 'file updated' });
  expect(await read('a/ink.md')).toBe(`${HUGO}\n![Drop](drop.png)\n\n![New](../pictures/${other}/new.png)\n`);
  expect(await sync()).toEqual({});
});

it('commits each change of a file in the name of the author, and nothing else', async () => {
  const git = async (...args: string[]) => (await promisify(execFile)('git', ['-C', folder.directory, ...args])).stdout;
  await expect(openCommits(folder.directory, whole)).rejects.toThrow('--commit needs a folder in a git work tree');
  await put('posts/ink.md', HUGO);
  await put('posts/other.txt', 'mine');
  await git('init', '--quiet');
  await git('add', 'posts/ink.md');
  await git('-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', 'commit', '--quiet', '--message', 'Mine');
  const commit = await openCommits(folder.directory, whole);
  for (const result of await run()) await commit(result);
  await editText('ink', 'about ink', 'about paper');
  for (const result of await run()) await commit(result);
  expect(await git('log', '--format=%an <%ae>: %s')).toBe(
    'Ada <ada@example.com>: Update posts/ink.md\nEve <eve@example.com>: Mine\n',
  );
  expect(await git('status', '--porcelain')).toBe('?? .common-ink/\n?? posts/other.txt\n');
});

it('writes nothing in a dry run', async () => {
  await put('posts/ink.md', HUGO);
  expect(await sync({ dryRun: true })).toEqual({ 'posts/ink.md': 'post created' });
  expect((await whole.slugs()).size).toBe(0);
  expect(await readdir(folder.directory)).toEqual(['posts']);
});

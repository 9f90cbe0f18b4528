/** Syncs folders with bad input: no word may be lost, and a message must explain each problem. */
import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { picture } from '../../tests/support/importing.ts';
import { openSmallDisk } from '../../tests/support/small-disk.ts';
import { actions, notesOn, openSyncedFolder } from '../../tests/support/synced-folder.ts';
import { createSourceCache } from './source-cache.ts';

const folder = await openSyncedFolder();
const { admin, edit, post, put, read, at, run, user } = folder;
beforeEach(() => folder.empty());

const note = (title: string, words: string) => `---\ntitle: ${title}\n---\n\n${words}\n`;
const PICTURE = await picture(40, 30);
const createPost = (id: string, content = '<p>Written here.</p>') =>
  admin.createPost({ id, title: id, content, featuredImage: '', status: 'active', userId: user.id });
const addresses = async () => [...(await folder.whole.slugs())].sort();

describe('names', () => {
  it('follows a file renamed in case alone, although every word has changed', async () => {
    await put('Ink.md', note('Ink', 'On ink.'));
    await run();
    await rename(at('Ink.md'), at('ink.md'));
    await put('ink.md', note('Paper', 'Nothing is as it was.'));
    expect(actions(await run())).toEqual({ 'ink.md': 'post updated' });
    expect(await addresses()).toEqual(['ink']);
  });

  it('makes two posts of names that differ in case alone, and says which address is taken', async () => {
    await put('Ink.md', note('One', 'One.'));
    await put('ink.md', note('Two', 'Two.'));
    const results = await run();
    expect(actions(results)).toEqual({ 'Ink.md': 'post created', 'ink.md': 'post created' });
    expect(notesOn(results, 'ink.md')).toMatch(/^\/post\/ink is taken: this post has \/post\/ink-/);
    expect(await run()).toEqual([]);
  });

  it('finds notes and pictures whose names are decomposed on disk and composed in the text', async () => {
    const name = 'Grün';
    await put(`${name}.md`.normalize('NFD'), note('Green', 'Of green.'));
    await put(`${name}.png`.normalize('NFD'), PICTURE);
    await put(
      'a.md',
      note('A', `See [green](${name}.md), [again](${encodeURIComponent(name)}.md).\n\n![Drop](${name}.png)`),
    );
    expect(notesOn(await run(), 'a.md')).toBe('');
    expect((await post('a')).content).toMatch(/(?:href="\/post\/grun".*){2}[\s\S]*<img src="[^"]+"/);
  });

  it('takes a file for the same when its name is composed anew', async () => {
    await put('Grün.md'.normalize('NFD'), note('Green', 'Of green.'));
    await run();
    await rm(at('Grün.md'.normalize('NFD')));
    await put('Grün.md', note('Red', 'Of red.'));
    expect(actions(await run())).toEqual({ 'Grün.md': 'post updated' });
    expect(await addresses()).toEqual(['grun']);
  });

  it('gives files with one slug addresses of their own, in each run the same', async () => {
    await put('a/ink.md', note('A', 'Of A.'));
    await put('b/ink.md', note('B', 'Of B.'));
    await put('c.md', '---\ntitle: C\nslug: ink\n---\n\nOf C.\n');
    const results = await run();
    expect((await post('ink')).title).toBe('A');
    for (const path of ['b/ink.md', 'c.md']) expect(notesOn(results, path)).toContain('/post/ink is taken');
    const before = await addresses();
    expect([await run(), await addresses()]).toEqual([[], before]);
  });

  it('does not write over a directory named like a file', async () => {
    await put('x.md/inner.md', note('Inner', 'Inside.'));
    await mkdir(at('posts/own.md'), { recursive: true });
    await createPost('own');
    const results = await run();
    expect(actions(results)).toEqual({ 'x.md/inner.md': 'post created', 'posts/own.md': 'failed' });
    expect(notesOn(results, 'posts/own.md')).toBe('another file has this name: move it away');
    expect(await readdir(at('posts'))).toEqual(['own.md']);
  });
});

describe('bytes', () => {
  it('refuses a text that is far too long at once, and says what to do', async () => {
    await put('big.md', note('Big', 'Ink and paper. '.repeat(350_000)));
    await put('small.md', note('Small', 'Ink.'));
    const results = await run();
    expect(actions(results)).toEqual({ 'big.md': 'failed', 'small.md': 'post created' });
    expect(notesOn(results, 'big.md')).toContain('but a post may have at most 1000000: split it');
  });

  it.each([
    ['a picture', PICTURE],
    ['Latin-1', Buffer.from(note('Café', 'Of café.'), 'latin1')],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(note('Ink', 'Of ink.'), 'utf16le')])],
  ])('leaves %s under .md as it is', async (_, bytes) => {
    await put('ink.md', bytes);
    const results = await run();
    expect(actions(results)).toEqual({ 'ink.md': 'failed' });
    expect(notesOn(results, 'ink.md')).toContain('is not UTF-8 text');
    expect(await addresses()).toEqual([]);
    expect(await readFile(at('ink.md'))).toEqual(bytes);
  });

  it('does not unpublish a post whose file became unreadable', async () => {
    await put('ink.md', note('Ink', 'Of ink.'));
    await run();
    await put('ink.md', PICTURE);
    expect(actions(await run())).toEqual({ 'ink.md': 'failed' });
    expect((await post('ink')).status).toBe('active');
  });

  it('keeps a byte-order mark', async () => {
    await put('ink.md', `\ufeff${note('Ink', 'Of ink.')}`);
    await run();
    await edit('ink', ({ content }) => ({ content: content.replace('Of', 'On') }));
    expect(actions(await run())).toEqual({ 'ink.md': 'file updated' });
    expect(await read('ink.md')).toBe(`\ufeff${note('Ink', 'On ink.')}`);
    expect(await run()).toEqual([]);
  });

  it.each([
    ['broken YAML', '---\ntitle: "A\n b: [\n---\n\nText.\n', 'the YAML front matter cannot be read: Missing closing'],
    ['a sentence', '---\njust words\n---\n\nText.\n', 'the YAML front matter is not a list of fields'],
    ['an open end', '---\ntitle: Half\n\nText.\n', 'the front matter does not end: there is no closing line “---”'],
    ['TOML with an open end', '+++\ntitle = "Half"\n', 'the front matter does not end: there is no closing line “+++”'],
  ])('leaves a file alone whose front matter is %s', async (_, text, reason) => {
    await put('ink.md', text);
    const results = await run();
    expect(actions(results)).toEqual({ 'ink.md': 'failed' });
    expect(notesOn(results, 'ink.md')).toContain(reason);
    expect(await read('ink.md')).toBe(text);
  });

  it('waits until every mark of a conflict is gone, and for the marks of git', async () => {
    await put('ink.md', note('Ink', 'Of ink.'));
    await put('code.md', note('Git', '```\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n```'));
    await run();
    const marked = (...marks: string[]) => note('Ink', marks.join('\n'));
    for (const text of [
      marked('<<<<<<< file', 'One.'),
      marked('Two.', '>>>>>>> blog'),
      marked('<<<<<<< HEAD', 'One.', '=======', 'Two.', '>>>>>>> topic'),
    ]) {
      await put('ink.md', text);
      expect(actions(await run())).toEqual({ 'ink.md': 'conflict' });
    }
    expect((await post('ink')).content).toBe('<p>Of ink.</p>');
    expect((await post('code')).content).toContain('HEAD');
  });
});

describe('links and permissions', () => {
  it('neither follows links out of the folder nor writes through them', async () => {
    const outside = await mkdtemp(join(folder.site.folder, 'outside-'));
    await writeFile(join(outside, 'secret.md'), note('Secret', 'Not for the blog.'));
    await put('ink.md', note('Ink', 'Of ink.'));
    await symlink(join(outside, 'secret.md'), at('secret.md'));
    await symlink('ink.md', at('within.md'));
    await symlink(outside, at('posts'));
    await createPost('own');
    const results = await run();
    expect(actions(results)).toEqual({
      ...{ 'ink.md': 'post created', own: 'failed' },
      ...{ posts: 'skipped', 'secret.md': 'skipped', 'within.md': 'skipped' },
    });
    expect(notesOn(results, 'secret.md')).toContain('put the file or folder itself here');
    expect(notesOn(results, 'own')).toContain('is a link out of the folder, which is not followed');
    expect(await readdir(outside)).toEqual(['secret.md']);
    await symlink(join(outside, 'written'), at('ink.md.common-ink-new'));
    await edit('ink', () => ({ content: '<p>On ink.</p>' }));
    expect(actions(await run())).toMatchObject({ 'ink.md': 'file updated' });
    expect(await readdir(outside)).toEqual(['secret.md']);
  });

  it('keeps what it remembers inside the folder', async () => {
    const outside = await mkdtemp(join(folder.site.folder, 'outside-'));
    await symlink(outside, at('.common-ink'));
    await put('ink.md', note('Ink', 'Of ink.'));
    await expect(run()).rejects.toThrow('.common-ink is a link out of the folder');
    expect(await readdir(outside)).toEqual([]);
  });

  it('keeps the permissions of a file', async () => {
    await put('ink.md', note('Ink', 'Of ink.'));
    await chmod(at('ink.md'), 0o600);
    await run();
    await edit('ink', () => ({ content: '<p>On ink.</p>' }));
    await run();
    expect([await read('ink.md'), (await stat(at('ink.md'))).mode & 0o777]).toEqual([note('Ink', 'On ink.'), 0o600]);
  });

  it('says that a file may not be read, and unpublishes nothing', async () => {
    for (const name of ['ink', 'paper']) await put(`${name}.md`, note(name, 'Text.'));
    await run();
    await chmod(at('ink.md'), 0);
    const results = await asOther(run);
    expect(actions(results)).toEqual({ 'ink.md': 'failed' });
    expect(notesOn(results, 'ink.md')).toContain('ink.md cannot be read: EACCES');
    expect((await post('ink')).status).toBe('active');
  });

  it('changes nothing in the blog when the folder is read-only', async () => {
    await put('ink.md', note('Ink', 'Of ink.'));
    await chmod(at('.'), 0o500);
    await expect(asOther(run)).rejects.toThrow('Permission denied (EACCES');
    expect(await addresses()).toEqual([]);
  });
});

/** Runs `work` as an unprivileged user if the tests run as root, because root may ignore file permissions. */
async function asOther<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  for (const path of [folder.site.folder, folder.directory]) execFileSync('chown', ['-R', '65534', path]);
  process.seteuid?.(65534);
  return work().finally(() => process.seteuid?.(0));
}

describe('disks and clocks', () => {
  it('loses nothing on a disk that fills up on the way, and goes on once there is room', async (context) => {
    const disk = await openSmallDisk(1);
    // Skips the test if this user may not mount a disk.
    if (!disk) return context.skip();
    onTestFinished(() => disk.remove());
    await folder.empty(disk.directory);
    await put('ink.md', note('Ink', 'Of ink.'));
    await run();
    for (let n = 0; n < 8; n++) await createPost(`long-${n}`, `<p>${'Ink and paper. '.repeat(500)}</p>`);
    await edit('ink', () => ({ content: '<p>On ink.</p>' }));
    disk.fill(30_000);
    await expect(run()).rejects.toThrow('There is no space left on the disk.');
    expect(await read('ink.md')).toMatch(/O[fn] ink\./);
    const names = await readdir(folder.directory, { recursive: true });
    expect(names.filter((name) => name.endsWith('new'))).toEqual([]);
    disk.clear();
    await run();
    expect(await read('ink.md')).toBe(note('Ink', 'On ink.'));
    expect((await readdir(at('posts'))).length).toBe(8);
    expect(await run()).toEqual([]);
  });

  it('sees each change of files with times an hour off', async () => {
    const cache = createSourceCache(folder.directory);
    for (const offset of [-3600, 3600]) {
      const time = Date.now() / 1000 + offset;
      for (const words of ['One.', 'Two.', 'Six.']) {
        await put('ink.md', note('Ink', `${words}${offset}`));
        await utimes(at('ink.md'), time, time);
        await run({ cache });
        expect((await post('ink')).content).toContain(`${words}${offset}`);
      }
    }
  });

  it('creates the files of a blog in an empty folder, but does not take an emptied one for deletions', async () => {
    for (let n = 0; n < 12; n++) await createPost(`post-${n}`);
    expect((await run()).length).toBe(12);
    await rm(at('posts'), { recursive: true });
    await expect(run()).rejects.toThrow('12 of 12 files are gone. Add --yes');
  });

  it('refuses damaged notes and those of another blog, and says what to do', async () => {
    await put('ink.md', note('Ink', 'Of ink.'));
    await run();
    const state = await read('.common-ink/sync.json');
    await put('.common-ink/sync.json', state.slice(0, -20));
    await expect(run()).rejects.toThrow('sync.json is damaged. Move it away');
    await put('.common-ink/sync.json', state);
    await expect(run({ blog: 'other' })).rejects.toThrow(
      'is already synced with another blog (test). Use another folder',
    );
    expect(await read('.common-ink/sync.json')).toBe(state);
    await rm(at('.common-ink/sync.json'));
    expect(await run()).toEqual([]);
  });
});

it('keeps posts public in a folder that is opened in Obsidian, and drafts in one that loses its settings', async () => {
  await put('ink.md', note('Ink', 'Of ink.'));
  await run();
  await mkdir(at('.obsidian'));
  await put('ink.md', note('Ink', 'On ink.'));
  await put('new.md', note('New', 'Of new.'));
  expect(actions(await run())).toEqual({ 'ink.md': 'post updated', 'new.md': 'post created' });
  expect([await post('ink'), await post('new')].map(({ status }) => status)).toEqual(['active', 'inactive']);
  await rm(at('.obsidian'), { recursive: true });
  for (const name of ['ink', 'new']) await put(`${name}.md`, note(name, 'Once more.'));
  await run();
  expect([await post('ink'), await post('new')].map(({ status }) => status)).toEqual(['active', 'inactive']);
  await put('ink.md', '---\ntitle: ink\ndraft: true\n---\n\nOnce more.\n');
  await run();
  expect((await post('ink')).status).toBe('inactive');
});

describe('cloud folders', () => {
  it.each([
    'ink.sync-conflict-20261128-101010-ABCDEFG.md',
    'ink (Ann’s conflicted copy 2026-11-28).md',
    "ink (Ann's conflicted copy 2026-11-28).md",
    'ink (conflicted copy 2026-11-28 101010).md',
    'ink (Konfliktkopie von Ann 2026-11-28).md',
    'ink (Case Conflict).md',
    'ink 2.md',
    'ink (1).md',
  ])('does not publish the copy %s', async (name) => {
    await put('ink.md', note('Ink', 'Of ink.'));
    await put(name, note('Ink', 'Of ink and more.'));
    const results = await run();
    expect(actions(results)).toEqual({ 'ink.md': 'post created', [name]: 'skipped' });
    expect(notesOn(results, name)).toMatch(/^a cloud service made this copy .* delete the copy, or rename it/);
    await rm(at(name));
    expect(await run()).toEqual([]);
  });

  it('publishes a second part, a post on conflicts, and a copy once it is renamed', async () => {
    await put('ink.md', note('Ink', 'Of ink.'));
    await put('ink 2.md', note('Ink, part two', 'Of more ink.'));
    await put('War (armed conflict).md', note('War', 'Of war.'));
    await run();
    expect(await addresses()).toEqual(['ink', 'ink-2', 'war-armed-conflict']);
    await put('ink 2.md', note('Ink', 'Of ink.'));
    expect(actions(await run())).toEqual({ 'ink 2.md': 'post updated' });
  });

  it('takes a file that iCloud has evicted for present', async () => {
    for (const name of ['ink', 'paper', 'pen']) await put(`${name}.md`, note(name, `Of ${name}.`));
    await run();
    await rename(at('ink.md'), at('.ink.md.icloud'));
    await edit('ink', () => ({ content: '<p>On ink.</p>' }));
    const results = await run({ deletes: true });
    expect(actions(results)).toEqual({ 'ink.md': 'skipped' });
    expect(notesOn(results, 'ink.md')).toBe('it is in iCloud only: download it to sync it');
    expect((await post('ink')).status).toBe('active');
    await rename(at('.ink.md.icloud'), at('ink.md'));
    expect(actions(await run())).toEqual({ 'ink.md': 'file updated' });
    expect(await read('ink.md')).toBe(note('ink', 'On ink.'));
  });

  it('keeps a picture in the post while its file is evicted', async () => {
    await put('ink.md', note('Ink', 'Of ink.\n\n![Drop](drop.png)'));
    await put('drop.png', PICTURE);
    await run();
    const { content } = await post('ink');
    await rename(at('drop.png'), at('.drop.png.icloud'));
    await put('ink.md', note('Ink', 'On ink.\n\n![Drop](drop.png)'));
    const results = await run();
    expect(actions(results)).toEqual({ 'ink.md': 'failed' });
    expect(notesOn(results, 'ink.md')).toMatch(/^the post would lose a picture: put it back.*drop\.png$/);
    expect((await post('ink')).content).toBe(content);
    await rename(at('.drop.png.icloud'), at('drop.png'));
    expect(actions(await run())).toEqual({ 'ink.md': 'post updated' });
    expect((await post('ink')).content).toBe(content.replace('Of', 'On'));
  });
});

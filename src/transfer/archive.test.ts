import { readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openImporting } from '../../tests/support/importing.ts';
import { openArchive } from './archive.ts';

const importing = await openImporting();
afterAll(() => importing.close());

it('gives the files of a folder and of a zip file alike, without those of the system', async () => {
  const files = { 'posts/a.html': 'a', 'b.csv': 'b', '.DS_Store': 'x' };
  for (const path of [await importing.zip({ ...files, '__MACOSX/b.csv': 'x' }), await importing.folder(files)]) {
    const archive = await openArchive(path);
    expect(archive.names).toEqual(['b.csv', 'posts/a.html']);
    expect(await archive.text('posts/a.html')).toBe('a');
    await archive.close();
  }
});

it('reads nothing outside of a folder, neither by a path that climbs out of it nor by a symbolic link', async () => {
  const [outside, path] = [await importing.file('scan.png', 'private'), await importing.folder({ 'in/a.md': 'a' })];
  await symlink(outside, join(path, 'in/pic.png'));
  const archive = await openArchive(path);
  for (const name of [relative(path, outside), 'in/pic.png'])
    await expect(archive.read(name)).rejects.toThrow(`${name} is not in ${path}`);
  expect(await archive.text('in/a.md')).toBe('a');
});

it('refuses a zip file whose paths climb out of it', async () => {
  const path = await importing.zip({ 'aa/aa/evil.html': 'x' });
  const zip = await readFile(path, 'latin1');
  await writeFile(path, zip.replaceAll('aa/aa/evil', '../../evil'), 'latin1');
  await expect(openArchive(path)).rejects.toThrow(/cannot be opened as a zip file.*\.\.\/\.\.\/evil/);
});

it('refuses a zip file that is cut short', async () => {
  const path = await importing.zip({ 'a.html': 'x'.repeat(1000) });
  await truncate(path, 60);
  await expect(openArchive(path)).rejects.toThrow('cannot be opened as a zip file');
});

it('refuses a zip bomb by what its list says, and one that lies by what comes out', async () => {
  const bomb = await claim(await importing.zip({ 'posts/a.html': Buffer.alloc(1000) }), 2 ** 31);
  await expect(openArchive(bomb)).rejects.toThrow('would unpack to more than');
  const lying = await claim(await importing.zip({ 'posts/a.html': Buffer.alloc(80_000_000) }), 1000);
  const archive = await openArchive(lying);
  await expect(archive.read('posts/a.html')).rejects.toThrow('posts/a.html cannot be read');
  await archive.close();
});

it('gives no more of a file than it is asked for', async () => {
  const archive = await openArchive(await importing.zip({ 'a.html': Buffer.alloc(2000, 'a') }));
  expect((await archive.read('a.html', 2000)).length).toBe(2000);
  await expect(archive.read('a.html', 1999)).rejects.toThrow('a.html is larger than');
  await archive.close();
});

it('says that a file is no text, and that there is nothing', async () => {
  const path = await importing.file('a.html', Buffer.alloc(30));
  const archive = await openArchive(path);
  await expect(archive.text('a.html')).rejects.toThrow('a.html is not UTF-8 text');
  await expect(openArchive(join(path, 'none'))).rejects.toThrow('does not exist');
  await writeFile(path, '');
  expect((await openArchive(path)).names).toEqual(['a.html']);
});

/** Changes the unpacked size that a zip file's central directory states for its only member. */
async function claim(path: string, size: number): Promise<string> {
  const bytes = await readFile(path);
  bytes.writeUInt32LE(size, bytes.indexOf('PK\x01\x02') + 24);
  await writeFile(path, bytes);
  return path;
}

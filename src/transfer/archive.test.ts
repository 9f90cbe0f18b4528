import { open, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../tests/support/importing.ts';
import { openArchive } from './archive.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

it('gives the files of a folder and of a zip file alike, without those of the system', async () => {
  const files = { 'posts/a.html': 'a', 'b.csv': 'b', '__MACOSX/b.csv': 'x', '.DS_Store': 'x' };
  const { __MACOSX: _, ...plain } = { __MACOSX: '', 'posts/a.html': 'a', 'b.csv': 'b', '.DS_Store': 'x' };
  for (const path of [await importing.zip(files), await importing.folder(plain)]) {
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
  const handle = await open(path, 'r+');
  const bytes = await handle.readFile();
  for (let at = bytes.indexOf('aa/aa/evil'); at >= 0; at = bytes.indexOf('aa/aa/evil', at + 1))
    bytes.write('../../evil', at);
  await handle.write(bytes, 0, bytes.length, 0);
  await handle.close();
  await expect(openArchive(path)).rejects.toThrow(/cannot be opened as a zip file.*\.\.\/\.\.\/evil/);
});

it('refuses a zip file that is cut short', async () => {
  const path = await importing.zip({ 'a.html': 'x'.repeat(1000) });
  const handle = await open(path, 'r+');
  await handle.truncate(60);
  await handle.close();
  await expect(openArchive(path)).rejects.toThrow('cannot be opened as a zip file');
});

it('refuses a zip bomb by what its list says, and one that lies by what comes out', async () => {
  const bomb = await importing.file('bomb.zip', zipOf('posts/a.html', Buffer.alloc(1000), 2 ** 31));
  await expect(openArchive(bomb)).rejects.toThrow('would unpack to more than');
  const liar = await importing.file('liar.zip', zipOf('posts/a.html', Buffer.alloc(80_000_000), 1000));
  const archive = await openArchive(liar);
  await expect(archive.read('posts/a.html')).rejects.toThrow('posts/a.html cannot be read');
  await archive.close();
});

it('gives no more of a file than it is asked for', async () => {
  const archive = await openArchive(await importing.zip({ 'a.html': Buffer.alloc(2000, 'a') }));
  expect((await archive.read('a.html', 2000)).length).toBe(2000);
  await expect(archive.read('a.html', 1999)).rejects.toThrow('a.html has more than');
  await archive.close();
});

it('says that a file is no text, and that there is nothing', async () => {
  const path = await importing.file('a.html', Buffer.alloc(30));
  const archive = await openArchive(path);
  await expect(archive.text('a.html')).rejects.toThrow('a.html is not UTF-8 text');
  await expect(openArchive(join(path, 'none'))).rejects.toThrow('There is nothing at');
  await writeFile(path, '');
  expect((await openArchive(path)).names).toEqual(['a.html']);
});

/** Returns a zip file of one member whose header claims `claimed` bytes. */
function zipOf(name: string, content: Buffer, claimed: number): Buffer {
  const data = deflateRawSync(content);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(claimed, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.from([20, 0]),
    fields,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}

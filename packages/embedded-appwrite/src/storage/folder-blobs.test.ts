import * as files from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import { FolderBlobs } from './folder-blobs.ts';

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof files>();
  return { ...actual, open: vi.fn(actual.open) };
});

it('confirms no write into a new folder whose own entry may be lost', async () => {
  const directory = folderOfTest();
  const blobs = new FolderBlobs(directory);
  const write = (name: string) => blobs.write(name, Buffer.from('x'));
  const { open } = await vi.importActual<typeof files>('node:fs/promises');
  vi.mocked(files.open).mockImplementation(async (place, ...rest) => {
    if (place === directory) throw new Error('not synced');
    return open(place, ...rest);
  });
  const written = await Promise.allSettled(['aa01', 'aa02'].map(write));
  expect(written.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  vi.mocked(files.open).mockReset();
  await write('aa03');
  expect(files.open).toHaveBeenCalledWith(directory, 'r');
});

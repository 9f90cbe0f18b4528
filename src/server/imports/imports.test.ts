import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { IMPORT_MAX } from '#blog/import.ts';
import { ownFolder } from '../../../tests/support/folder.ts';
import { openImports } from './imports.ts';

let dataDirectory: string;
let script: string;
beforeEach(async () => {
  dataDirectory = ownFolder();
  script = join(dataDirectory, 'import.mjs');
  await writeFile(script, '');
});

async function open(command = '', hasRoom = () => true) {
  if (command) await writeFile(script, command);
  const imports = openImports({ dataDirectory, script, hasRoom, log: () => undefined });
  if (!imports) throw new Error('There is nothing to run.');
  return imports;
}

const options = { action: 'start', isDryRun: true, keepsAuthors: false, oldSite: '' } as const;

async function uploaded(imports: Awaited<ReturnType<typeof open>>, name = 'a.json') {
  await imports.begin({ action: 'begin', name, size: 4 }, 'olga');
  const { id } = imports.state('olga');
  await imports.append(id, 0, Buffer.from('ab'), 'olga');
  await imports.append(id, 2, Buffer.from('cd'), 'olga');
  return id;
}

const ended = (imports: Awaited<ReturnType<typeof open>>) =>
  vi.waitUntil(() => /ed$/.test(imports.state('olga').phase), { timeout: 120_000 });

it('removes at its start what a killed server left behind, and at its end what it has itself', async () => {
  const folder = join(dataDirectory, '.import');
  await mkdir(folder);
  await writeFile(join(folder, 'half.zip'), 'half');
  const imports = await open();
  expect(existsSync(folder)).toBe(false);
  await uploaded(imports);
  expect(await readdir(folder)).toEqual(['a.json']);
  await imports.close();
  expect(existsSync(folder)).toBe(false);
});

it('takes one file at a time, whole and in order, of a bounded size', async () => {
  const imports = await open();
  const begin = { action: 'begin', name: 'a.json', size: 4 } as const;
  await expect(imports.begin({ ...begin, size: IMPORT_MAX + 1 }, 'olga')).rejects.toThrow('too-large');
  await imports.begin(begin, 'olga');
  const { id } = imports.state('olga');
  await expect(imports.begin(begin, 'otto')).rejects.toThrow('busy');
  await expect(imports.append(id, 2, Buffer.from('cd'), 'olga')).rejects.toThrow('wrong-offset');
  await expect(imports.append(id, 0, Buffer.from('abcde'), 'olga')).rejects.toThrow('wrong-offset');
  await imports.append(id, 0, Buffer.from('ab'), 'olga');
  expect(() => imports.start({ ...options, id }, 'olga')).toThrow('wrong-offset');
  await imports.begin(begin, 'olga');
  await expect(imports.append(id, 2, Buffer.from('cd'), 'olga')).rejects.toThrow('gone');
  await imports.close();
});

it('shows an import only to the owner who began it, and is for the others as if there were none', async () => {
  const told =
    "process.send({ done: 1, all: 1, entry: { path: 'a', outcome: 'skipped', slug: 'secret', notes: [] } });";
  const imports = await open(`${told} process.send('read', () => process.disconnect());`);
  const none = imports.state('otto');
  const begin = { action: 'begin', name: 'b.json', size: 4 } as const;
  const refused = async (id: string) => {
    expect(imports.state('otto')).toEqual(none);
    await expect(imports.report(id, 'otto')).rejects.toThrow('gone');
    await expect(imports.append(id, 4, Buffer.from('ef'), 'otto')).rejects.toThrow('gone');
    expect(() => imports.start({ ...options, id }, 'otto')).toThrow('gone');
    await expect(imports.cancel(id, 'otto')).rejects.toThrow('gone');
  };
  const id = await uploaded(imports);
  await refused(id);
  imports.start({ ...options, id }, 'olga');
  await refused(id);
  await expect(imports.begin(begin, 'otto')).rejects.toThrow('busy');
  await ended(imports);
  await refused(id);
  expect(imports.state('olga')).toMatchObject({ phase: 'looked', id, entries: [{ slug: 'secret' }] });
  await imports.begin(begin, 'otto');
  expect(imports.state('olga')).toEqual(none);
  expect(imports.state('otto')).toMatchObject({ phase: 'uploading', name: 'b.json' });
  await imports.close();
});

it('refuses another owner while the file of the first is being created', async () => {
  const begin = { action: 'begin', name: 'a.json', size: 4 } as const;
  let other: Promise<unknown> | undefined;
  const imports = await open('', () => {
    other ??= imports.begin({ ...begin, name: 'b.json' }, 'otto').catch((error: Error) => error.message);
    return true;
  });
  await imports.begin(begin, 'olga');
  expect(await other).toBe('busy');
  expect(imports.state('olga')).toMatchObject({ phase: 'uploading', name: 'a.json' });
  await imports.close();
});

it('refuses what the disk has no room for, and keeps nothing of it', async () => {
  const imports = await open('', () => false);
  await expect(imports.begin({ action: 'begin', name: 'a.json', size: 4 }, 'olga')).rejects.toThrow('no-room');
  expect(imports.state('olga').phase).toBe('none');
  expect(existsSync(join(dataDirectory, '.import'))).toBe(false);
});

it('keeps a file inside of its folder, whatever it is called, and gives the run what was chosen', async () => {
  const print = "import { writeSync } from 'node:fs'; writeSync(1, JSON.stringify(process.argv.slice(2)));";
  const imports = await open(`${print} process.send('read', () => process.disconnect());`);
  const id = await uploaded(imports, '../../.\u0000x/blog "1".zip');
  imports.start({ ...options, id, oldSite: 'https://old.example.com' }, 'olga');
  await ended(imports);
  const [file, ...parameters] = JSON.parse(await imports.report(id, 'olga'));
  expect(file).toBe('blog -1-.zip');
  const source = 'upload 88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589';
  const chosen = ['--author', 'olga', '--old-site', 'https://old.example.com', '--dry-run'];
  expect(parameters).toEqual(['--source', source, ...chosen]);
  await imports.close();
});

it('counts what the run tells, the worst entries first, and says why one failed without saying where', async () => {
  const entry = (path: string, outcome: string, more = {}) =>
    `process.send(${JSON.stringify({ done: 1, all: 4, entry: { path, outcome, notes: [], ...more } })});`;
  const run = [
    entry('a', 'taken', { pictures: 2 }),
    entry('b', 'skipped', { reason: 'no text' }),
    entry('c', 'taken', { losses: ['<script>'] }),
    entry('d', 'failed', { reason: 'damaged' }),
  ];
  const imports = await open(`${run.join('')} process.exitCode = 1; process.send('read', () => process.disconnect());`);
  const id = await uploaded(imports);
  imports.start({ ...options, id }, 'olga');
  await ended(imports);
  const { phase, counts, entries } = imports.state('olga');
  expect(phase).toBe('looked');
  expect(counts).toMatchObject({ taken: 2, skipped: 1, failed: 1, lossy: 1, pictures: 2 });
  expect(entries.map(({ path }) => path)).toEqual(['d', 'c', 'b']);
  const failing = 'console.error(process.argv[2] + " is damaged."); process.exitCode = 1; process.disconnect();';
  await writeFile(script, failing);
  imports.start({ ...options, id }, 'olga');
  await ended(imports);
  expect(imports.state('olga')).toMatchObject({ phase: 'failed', reason: 'a.json is damaged.' });
  await imports.close();
});

it('ends a run when it is cancelled, and forgets a file that was looked at alone', async () => {
  const wait = "process.on('SIGINT', () => process.disconnect()); process.on('disconnect', () => {});";
  const told = "process.send({ done: 1, all: 2, entry: { path: 'a', outcome: 'taken', notes: [] } });";
  const imports = await open(wait + told);
  const id = await uploaded(imports);
  imports.start({ ...options, id, isDryRun: false }, 'olga');
  await vi.waitUntil(() => imports.state('olga').done === 1, { timeout: 120_000 });
  expect(() => imports.start({ ...options, id }, 'olga')).toThrow('busy');
  await imports.cancel(id, 'olga');
  await ended(imports);
  expect(imports.state('olga')).toMatchObject({ phase: 'imported', isCancelled: true, counts: { taken: 1 } });
  imports.start({ ...options, id }, 'olga');
  await vi.waitUntil(() => imports.state('olga').done === 1, { timeout: 120_000 });
  await imports.cancel(id, 'olga');
  expect(imports.state('olga').phase).toBe('none');
  await imports.close();
});

import { createHash, randomInt } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '@common-ink/http/free-port.ts';
import { checkCopy, countsOf, takeCopy } from 'embedded-appwrite/backup';
import { Storage } from 'node-appwrite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readBackupRecord } from '#operations/backup/backup-record.ts';
import { extractBackup } from '#operations/backup/read-backup.ts';
import { isSealed } from '#operations/backup/seal.ts';
import { writeBackupFile } from '#operations/backup/write-backup.ts';
import { ownSite, RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { sharedFolder } from '../support/folder.ts';
import { openSmallDisk } from '../support/small-disk.ts';
import { settings } from './settings.ts';
import { command as commandOf, type Ended, ROOT, textAt } from './tools.ts';

const folder = sharedFolder();
const inFolder = (...names: string[]) => join(folder, ...names);
const picture = fs.readFileSync(join(ROOT, 'tests/import/fixtures/posts/type-sizes/sizes.png'));
let site: RunningSite;
let writer: Writer;

beforeAll(async () => {
  site = await ownSite();
  writer = await site.writer();
  for (let i = 0; i < 3; i++) await site.post(writer, { title: `Post ${i}` });
  return () => removeSite(site);
});

const command = (name: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  commandOf(name, args, { DATA_DIR: site.dataDirectory, ...environment });

const ending =
  (expected: number) =>
  async (...parameters: Parameters<typeof command>): Promise<string> => {
    const { code, said } = await command(...parameters);
    expect(code, said).toBe(expected);
    return said;
  };
const [succeeds, fails] = [ending(0), ending(1)];

test(
  'a backup taken while writers write holds all that was acknowledged before, and can be restored',
  async () => {
    for (let round = 0; round < Math.ceil(settings.rounds / 4); round++) {
      const file = inFolder(`round-${round}.zip`);
      const acknowledged = new Map<string, string>();
      let isWriting = true;
      const writing = (async () => {
        for (let n = 0; isWriting; n++) {
          const slug = `written-${round}-${n}`;
          await site.publishText(writer, `Written ${n}`, slug);
          if (acknowledged.size < 5) acknowledged.set(slug, `Written ${n}`);
        }
      })();
      const churning = (async () => {
        while (isWriting) {
          const fileId = await site.upload(writer, picture, 'a.png');
          await new Storage(site.as(writer)).deleteFile({ bucketId: 'media', fileId });
        }
      })();
      await expect.poll(() => acknowledged.size).toBe(5);
      let made = await command('backup', [file]);
      // On a busy machine, a file may be deleted during each of the few attempts to copy the data.
      for (let again = 0; again < 10 && made.said.includes('faster than they can be copied'); again++)
        made = await command('backup', [file]);
      isWriting = false;
      await Promise.all([writing, churning]);
      expect(made, made.said).toMatchObject({ code: 0 });
      expect(await succeeds('restore', [file, '--check'])).toContain('The backup can be restored.');

      const target = inFolder(`restored-${round}`);
      const manifest = await extractBackup(file, target);
      expect(await checkCopy(join(target, 'backend'))).toMatchObject({ faults: [], files: manifest.counts.files });
      expect(fs.readdirSync(site.dataDirectory).filter((name) => name.startsWith('.backup-'))).toEqual([]);
      expect(fs.statSync(file).mode & 0o077).toBe(0);
      if (round > 0) continue;
      const restored = await ownSite({ environment: { DATA_DIR: target } });
      onTestFinished(() => restored.stop());
      for (const [documentId, title] of acknowledged) {
        expect(await textAt(`${restored.url}/post/${documentId}`)).toContain(title);
        expect((await site.stored(documentId)).title).toBe(title);
      }
    }
  },
  600_000 + settings.rounds * 8000,
);

test('each flipped bit is found', async () => {
  const flipped = inFolder('flipped.zip');
  fs.copyFileSync(inFolder('round-0.zip'), flipped);
  expect(await isSealed(flipped)).toBe(true);
  const bytes = fs.readFileSync(flipped);
  const { length } = bytes;
  const handle = fs.openSync(flipped, 'r+');
  const flip = (at: number, bit: number) => fs.writeSync(handle, Buffer.of((bytes[at] ?? 0) ^ bit), 0, 1, at);
  for (let n = 0; n < settings.rounds * 5; n++) {
    const at = n < 100 ? length - 1 - n : randomInt(length);
    flip(at, 1 << randomInt(8));
    expect(await isSealed(flipped), `byte ${at}`).toBe(false);
    flip(at, 0);
  }
  expect(await isSealed(flipped)).toBe(true);
  flip(length >> 1, 1);
  expect(await fails('restore', [flipped, '--check'])).toContain('is damaged, incomplete or not a backup');
});

test('a backup is put back in place of lost data, and never over data that are there or in use', async () => {
  const file = inFolder('round-0.zip');
  expect(await fails('restore', [file])).toContain(`in use by another process (pid ${site.pid})`);
  const lost = { DATA_DIR: inFolder('lost', 'data') };
  await succeeds('restore', [file], lost);
  expect(await fails('restore', [file], lost)).toContain('Add --force');
  await succeeds('restore', [file, '--force'], lost);
  expect(fs.readdirSync(inFolder('lost')).filter((name) => name.startsWith('data.before-'))).toHaveLength(1);
  const digest = (path: string) => createHash('sha256').update(fs.readFileSync(path)).digest('hex');
  expect(digest(join(lost.DATA_DIR, 'server-key'))).toBe(digest(join(site.dataDirectory, 'server-key')));
});

test('a passphrase keeps the server key from others who have the file', async () => {
  const file = inFolder('secret.zip');
  const key = fs.readFileSync(join(site.dataDirectory, 'server-key'), 'utf8').trim();
  await succeeds('backup', [file], { BACKUP_PASSPHRASE: 'open sesame' });
  expect(fs.readFileSync(file).includes(key)).toBe(false);
  await expect(extractBackup(file, inFolder('without'))).rejects.toThrow('set BACKUP_PASSPHRASE');
  await expect(extractBackup(file, inFolder('wrong'), 'open barley')).rejects.toThrow('is not the passphrase');
  await extractBackup(file, inFolder('right'), 'open sesame');
  expect(fs.readFileSync(inFolder('right', 'server-key'), 'utf8').trim()).toBe(key);
});

test('one that cannot be checked is put aside in place of the one before, and says why', async () => {
  const backups = inFolder('backups');
  fs.mkdirSync(backups);
  fs.writeFileSync(join(backups, 'common-ink-2026-01-01T03-00-00Z.zip.bad'), 'an older one');
  fs.writeFileSync(join(backups, 'holiday.zip.bad'), 'another file of the operator');
  const disk = await openSmallDisk(1);
  onTestFinished(() => disk?.remove());
  disk?.fill();
  const said = await fails('backup', [backups, '--check'], { TMPDIR: disk?.directory ?? inFolder('nowhere') });
  expect(said).toContain(disk ? `there is not enough space in ${disk.directory}` : 'ENOENT');
  const [, bad = ''] = /The bad backup was kept as (\S+), and no older backup was deleted\./.exec(said) ?? [];
  expect(fs.readdirSync(backups).sort()).toEqual([basename(bad), 'holiday.zip.bad']);
  expect(await isSealed(bad)).toBe(true);
  // The doctor suggests restoring `last`, so the record must not name the bad backup.
  expect(readBackupRecord(site.dataDirectory).last?.file).not.toBe(bad.replace(/\.bad$/, ''));
});

test('a file of that name stays where the new one cannot be checked', async () => {
  const file = inFolder('every-night.zip');
  await succeeds('backup', [file]);
  const before = fs.readFileSync(file);
  const said = await fails('backup', [file, '--check'], { TMPDIR: inFolder('nowhere') });
  expect(said).toContain('could not be checked');
  expect(fs.readFileSync(file).equals(before)).toBe(true);
  const kept = fs.readdirSync(folder).filter((name) => name.startsWith('every-night'));
  expect(kept).toEqual(['every-night.zip', 'every-night.zip.bad']);
});

test('a stored file that is missing is named, with what brings it back', async () => {
  const files = join(site.dataDirectory, 'backend', 'storage', 'files');
  const blobs = () => fs.readdirSync(files, { recursive: true, encoding: 'utf8' });
  const before = new Set(blobs());
  const id = await site.upload(writer, picture, 'lost.png');
  const blob = blobs().find((name) => name.includes('/') && !before.has(name)) ?? '';
  fs.renameSync(join(files, blob), inFolder('lost.png'));
  onTestFinished(() => fs.renameSync(inFolder('lost.png'), join(files, blob)));
  const said = await fails('backup', [inFolder('incomplete.zip')]);
  expect(said).toContain(`${id} (storage/files/${blob})`);
  expect(said).toContain('npm run doctor');
});

test('what is no backup is refused in a sentence', async () => {
  for (const name of ['package.json', 'docs/screenshot.webp'])
    expect((await fails('restore', [join(ROOT, name), '--check'])).trim().split('\n')).toHaveLength(1);
  await fails('restore', [inFolder('nowhere.zip')]);
  const empty = await command('backup', [inFolder('x.zip')], { DATA_DIR: inFolder('empty') });
  expect(empty.said).toContain('There is no data in');
});

const OUTSIDE = "UPDATE files SET blob = '../../../../etc/hostname' WHERE id = (SELECT min(id) FROM files)";

test.each([
  ['a trigger', 'CREATE TRIGGER evil AFTER DELETE ON webhooks BEGIN DELETE FROM users; END', 'trigger evil'],
  ['a name that leads out of its folder', OUTSIDE, 'is not a valid name'],
])('a backup with %s is refused in a sentence, and nothing of it stays', async (_, sql, named) => {
  const file = join(fs.mkdtempSync(inFolder('hostile-')), 'hostile.zip');
  const copyWith = async (target: string) => {
    await takeCopy(join(site.dataDirectory, 'backend'), target);
    using database = new DatabaseSync(join(target, 'backend.sqlite'));
    database.exec(sql);
  };
  const source = { dataDirectory: site.dataDirectory, release: '0.1.0', takeCopy: copyWith, countsOf };
  await writeBackupFile(source, file);
  const data = inFolder('hostile-data');
  for (const args of [[file], [file, '--check']]) {
    const said = await fails('restore', args, { DATA_DIR: data });
    expect(said).toContain(named);
    if (args.length === 1) expect(said.trim().split('\n')).toHaveLength(1);
    expect(fs.existsSync(join(data, 'backend', 'backend.sqlite'))).toBe(false);
  }
});

test('a site whose disk is full is backed up to another disk, running and stopped', async ({ skip }) => {
  const disk = await openSmallDisk(48);
  if (!disk) return skip('this user may not mount a file system');
  const own = { DATA_DIR: join(disk.directory, 'data') };
  const full = new RunningSite(await freePort(), own.DATA_DIR);
  onTestFinished(async () => {
    await full.stop();
    disk.remove();
  });
  await full.start();
  await full.post(await full.writer(), { id: 'kept', title: 'Kept on a full disk' });
  disk.fill();
  const target = fs.mkdtempSync(inFolder('other-disk-'));
  for (const name of ['running.zip', 'stopped.zip']) {
    if (name === 'stopped.zip') await full.stop();
    // The server may have freed some space since.
    disk.fill();
    expect(await succeeds('backup', [join(target, name)], own)).toContain('The disk with');
    const { counts } = await extractBackup(join(target, name), inFolder(name));
    expect(await checkCopy(inFolder(name, 'backend'))).toMatchObject({ ...counts, faults: [] });
  }
  expect(fs.readdirSync(target).sort()).toEqual(['running.zip', 'stopped.zip']);
  expect(fs.readdirSync(own.DATA_DIR).filter((name) => name.startsWith('.backup-'))).toEqual([]);
});

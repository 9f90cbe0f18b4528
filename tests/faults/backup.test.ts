import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '@common-ink/http/free-port.ts';
import { isDiskFull } from 'embedded-appwrite';
import { checkCopy, countsOf, takeCopy } from 'embedded-appwrite/backup';
import { Databases, Storage } from 'node-appwrite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBackupRecord } from '#operations/backup/backup-record.ts';
import { extractBackup } from '#operations/backup/read-backup.ts';
import { isSealed } from '#operations/backup/seal.ts';
import { writeBackupFile } from '#operations/backup/write-backup.ts';
import { ownSite, RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { openSmallDisk } from '../support/small-disk.ts';
import { settings } from './settings.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
const folder = mkdtempSync(join(tmpdir(), 'backups-'));
let site: RunningSite;
let writer: Writer;

beforeAll(async () => {
  site = await ownSite();
  writer = await site.writer();
  for (let i = 0; i < 3; i++) await site.post(writer, { title: `Post ${i}` });
}, 300_000);
afterAll(async () => {
  if (site) await removeSite(site);
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

async function command(name: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, [join(SCRIPTS, `${name}.ts`), ...args], {
    env: { ...process.env, DATA_DIR: site.dataDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said };
}

const place = { databaseId: 'blog', collectionId: 'articles' };
const titleIn = async (client: ReturnType<RunningSite['admin']>, documentId: string): Promise<unknown> =>
  (await new Databases(client).getDocument({ ...place, documentId })).title;

test(
  'a backup that is taken while writers write holds everything that was acknowledged before, and can be restored',
  async () => {
    for (let round = 0; round < Math.ceil(settings.rounds / 4); round++) {
      const file = join(folder, `round-${round}.zip`);
      const before = new Map<string, string>();
      let isWriting = true;
      const writing = (async () => {
        for (let n = 0; isWriting; n++) {
          const slug = `written-${round}-${n}`;
          await site.publishText(writer, `Written ${n}`, slug);
          if (isWriting && before.size < 5) before.set(slug, `Written ${n}`);
        }
      })();
      const churning = (async () => {
        while (isWriting) {
          const fileId = await site.upload(
            writer,
            readFileSync(join(SCRIPTS, '..', 'docs', 'screenshot.png')),
            'a.png',
          );
          await new Storage(site.as(writer)).deleteFile({ bucketId: 'media', fileId });
        }
      })();
      await expect.poll(() => before.size, { timeout: 30_000 }).toBe(5);
      const acknowledged = new Map(before);
      const made = await command('backup', [file]);
      isWriting = false;
      await Promise.all([writing, churning]);
      expect(made, made.said).toMatchObject({ code: 0 });

      const checked = await command('restore', [file, '--check']);
      expect(checked, checked.said).toMatchObject({ code: 0 });
      expect(checked.said).toContain('The backup can be restored.');

      const target = join(folder, `restored-${round}`);
      const manifest = await extractBackup(file, target);
      expect(await checkCopy(join(target, 'backend'))).toMatchObject({ faults: [], files: manifest.counts.files });
      if (round > 0) continue;
      const restored = await ownSite({ environment: { DATA_DIR: target } });
      try {
        for (const [slug, title] of acknowledged) {
          expect(await (await fetch(`${restored.url}/post/${slug}`)).text()).toContain(title);
          expect(await titleIn(site.admin(), slug)).toBe(title);
        }
      } finally {
        await restored.stop();
      }
    }
  },
  600_000 + settings.rounds * 8000,
);

test('nothing is left behind in the data folder, and the copy is nobody else’s to read', async () => {
  expect(readdirSync(site.dataDirectory).filter((name) => name.startsWith('.backup-'))).toEqual([]);
  expect(statSync(join(folder, 'round-0.zip')).mode & 0o077).toBe(0);
});

test('each flipped bit is found', async () => {
  const file = join(folder, 'round-0.zip');
  const flipped = join(folder, 'flipped.zip');
  copyFileSync(file, flipped);
  expect(await isSealed(flipped)).toBe(true);
  const { size } = statSync(flipped);
  const bytes = readFileSync(flipped);
  const handle = openSync(flipped, 'r+');
  for (let n = 0; n < settings.rounds * 5; n++) {
    const at = n < 100 ? size - 1 - n : randomInt(size);
    const was = bytes[at] as number;
    writeSync(handle, Buffer.of(was ^ (1 << randomInt(8))), 0, 1, at);
    expect(await isSealed(flipped), `byte ${at}`).toBe(false);
    writeSync(handle, Buffer.of(was), 0, 1, at);
  }
  expect(await isSealed(flipped)).toBe(true);
  writeSync(handle, Buffer.of((bytes[size >> 1] as number) ^ 1), 0, 1, size >> 1);
  expect((await command('restore', [flipped, '--check'])).said).toContain('is damaged, cut short, or no backup');
}, 300_000);

test('a backup is put back in place of lost data, and never over data that are there or in use', async () => {
  const file = join(folder, 'round-0.zip');
  const taken = await command('restore', [file]);
  expect(taken).toMatchObject({ code: 1 });
  expect(taken.said).toContain(`in use by another process (pid ${site.pid})`);
  const lost = join(folder, 'lost', 'data');
  const put = await command('restore', [file], { DATA_DIR: lost });
  expect(put, put.said).toMatchObject({ code: 0 });
  const again = await command('restore', [file], { DATA_DIR: lost });
  expect(again.said).toContain('Add --force');
  const forced = await command('restore', [file, '--force'], { DATA_DIR: lost });
  expect(forced, forced.said).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, 'lost')).filter((name) => name.startsWith('data.before-'))).toHaveLength(1);
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  expect(digest(join(lost, 'server-key'))).toBe(digest(join(site.dataDirectory, 'server-key')));
});

test('a passphrase keeps the server key from whoever has the file', async () => {
  const file = join(folder, 'secret.zip');
  const key = readFileSync(join(site.dataDirectory, 'server-key'), 'utf8').trim();
  await command('backup', [file], { BACKUP_PASSPHRASE: 'open sesame' });
  expect(readFileSync(file).includes(key)).toBe(false);
  await expect(extractBackup(file, join(folder, 'without'))).rejects.toThrow('set BACKUP_PASSPHRASE');
  await expect(extractBackup(file, join(folder, 'wrong'), 'open barley')).rejects.toThrow('is not the one');
  await extractBackup(file, join(folder, 'right'), 'open sesame');
  expect(readFileSync(join(folder, 'right', 'server-key'), 'utf8').trim()).toBe(key);
});

test('one that cannot be checked is put aside in place of the one before, and says why', async () => {
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  writeFileSync(join(backups, 'common-ink-2026-01-01T03-00-00Z.zip.bad'), 'an older one');
  writeFileSync(join(backups, 'holiday.zip.bad'), 'somebody’s own');
  const disk = await openSmallDisk(1);
  disk?.fill();
  try {
    const made = await command('backup', [backups, '--check'], { TMPDIR: disk?.directory ?? join(folder, 'nowhere') });
    expect(made.code).toBe(1);
    expect(made.said).toContain(disk ? `there is no room in ${disk.directory}` : 'ENOENT');
    const [, bad = ''] = /It is kept as (\S+), and no older backup was deleted\./.exec(made.said) ?? [];
    expect(readdirSync(backups).sort()).toEqual([basename(bad), 'holiday.zip.bad']);
    expect(await isSealed(bad)).toBe(true);
    // The doctor names the last good backup to restore from.
    expect(readBackupRecord(site.dataDirectory).last?.file).not.toBe(bad.replace(/\.bad$/, ''));
  } finally {
    disk?.remove();
  }
});

test('a file of that name stays where the new one cannot be checked', async () => {
  const file = join(folder, 'every-night.zip');
  expect((await command('backup', [file])).code).toBe(0);
  const before = readFileSync(file);
  const made = await command('backup', [file, '--check'], { TMPDIR: join(folder, 'nowhere') });
  expect([made.code, made.said]).toEqual([1, expect.stringContaining('could not be checked')]);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('every-night'))).toEqual([
    'every-night.zip',
    'every-night.zip.bad',
  ]);
});

test('a stored file that is missing is named, with what brings it back', async () => {
  const files = join(site.dataDirectory, 'backend', 'storage', 'files');
  const blobs = () => readdirSync(files, { recursive: true, encoding: 'utf8' });
  const before = new Set(blobs());
  const id = await site.upload(writer, readFileSync(join(SCRIPTS, '..', 'docs', 'screenshot.png')), 'lost.png');
  const blob = blobs().find((name) => name.includes('/') && !before.has(name)) ?? '';
  renameSync(join(files, blob), join(folder, 'lost.png'));
  try {
    const made = await command('backup', [join(folder, 'incomplete.zip')]);
    expect(made.code).toBe(1);
    expect(made.said).toContain(`${id} (storage/files/${blob})`);
    expect(made.said).toContain('npm run doctor');
  } finally {
    renameSync(join(folder, 'lost.png'), join(files, blob));
  }
});

test('what is no backup is refused in a sentence', async () => {
  for (const name of ['package.json', join('docs', 'screenshot.png')]) {
    const refused = await command('restore', [join(SCRIPTS, '..', name), '--check']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.said.trim().split('\n')).toHaveLength(1);
  }
  expect(await command('restore', [join(folder, 'nowhere.zip')])).toMatchObject({ code: 1 });
  expect((await command('backup', [join(folder, 'x.zip')], { DATA_DIR: join(folder, 'empty') })).said).toContain(
    'There are no data in',
  );
});

test.each([
  [
    'a trigger',
    "CREATE TRIGGER evil AFTER DELETE ON webhooks BEGIN UPDATE files SET blob = '../../x'; END",
    'trigger evil',
  ],
  [
    'a name that leads out of its folder',
    "UPDATE files SET blob = '../../../../etc/hostname' WHERE id = (SELECT min(id) FROM files)",
    'is no name',
  ],
])('a backup with %s is refused in a sentence, and nothing of it stays', async (_, sql, named) => {
  const file = join(mkdtempSync(join(folder, 'hostile-')), 'hostile.zip');
  const copyWith = async (target: string) => {
    await takeCopy(join(site.dataDirectory, 'backend'), target);
    const database = new DatabaseSync(join(target, 'backend.sqlite'));
    database.exec(sql);
    database.close();
  };
  await writeBackupFile(
    { dataDirectory: site.dataDirectory, release: '0.1.0', takeCopy: copyWith, countsOf, isDiskFull },
    file,
  );
  const data = join(folder, 'hostile-data');
  for (const args of [[file], [file, '--check']]) {
    const refused = await command('restore', args, { DATA_DIR: data });
    expect(refused, refused.said).toMatchObject({ code: 1 });
    expect(refused.said).toContain(named);
    if (args.length === 1) expect(refused.said.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(data, 'backend', 'backend.sqlite'))).toBe(false);
  }
});

test('a site whose disk is full is backed up to another disk, running and stopped', async ({ skip }) => {
  const disk = await openSmallDisk(48);
  if (!disk) return skip('this user may not mount a file system');
  const own = { DATA_DIR: join(disk.directory, 'data') };
  const full = new RunningSite(await freePort(), own.DATA_DIR);
  try {
    await full.start();
    await full.post(await full.writer(), { id: 'kept', title: 'Kept on a full disk' });
    disk.fill();
    const target = mkdtempSync(join(folder, 'other-disk-'));
    for (const name of ['running.zip', 'stopped.zip']) {
      if (name === 'stopped.zip') await full.stop();
      const made = await command('backup', [join(target, name)], own);
      expect(made, made.said).toMatchObject({ code: 0 });
      expect(made.said).toContain('The disk of');
      const extracted = join(folder, name);
      const { counts } = await extractBackup(join(target, name), extracted);
      expect(await checkCopy(join(extracted, 'backend'))).toMatchObject({ ...counts, faults: [] });
    }
    expect(readdirSync(target).sort()).toEqual(['running.zip', 'stopped.zip']);
    expect(readdirSync(own.DATA_DIR).filter((name) => name.startsWith('.backup-'))).toEqual([]);
  } finally {
    await full.stop();
    disk.remove();
  }
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBackupRecord } from '#operations/backup/backup-record.ts';
import { isSealed } from '#operations/backup/seal.ts';
import { ownFolder } from '../support/folder.ts';
import { started, textAt } from './tools.ts';

const PATIENCE = { timeout: 600_000, interval: 200 };
const zipsIn = (directory: string) => readdirSync(directory).filter((name) => name.endsWith('.zip'));

test('a backup is made by the clock, proved, told in the metrics, and old ones go', async () => {
  const begun = Math.floor(Date.now() / 1000);
  const directory = join(ownFolder(), 'made', 'when', 'missing');
  const site = await started({ environment: { BACKUP_EVERY: '4s', BACKUP_DIR: directory, BACKUP_KEEP: '1d' } });
  await site.post(await site.writer());
  await expect.poll(() => readBackupRecord(site.dataDirectory).checked?.made, PATIENCE).toBeDefined();
  let first = '';
  // Looks up the file's name at each poll, because the next backup may have replaced the file.
  const isWhole = () => {
    [first = ''] = zipsIn(directory);
    return isSealed(join(directory, first));
  };
  await expect.poll(isWhole, PATIENCE).toBe(true);
  await expect.poll(() => site.said, PATIENCE).toContain('The backup can be restored.');

  const statuses = new Set<number>();
  const last = async () => {
    statuses.add(await site.status('/'));
    return readBackupRecord(site.dataDirectory).last?.file;
  };
  await expect.poll(last, PATIENCE).not.toBe(join(directory, first));
  expect([...statuses]).toEqual([200]);
  await expect.poll(() => zipsIn(directory).length, PATIENCE).toBe(1);
  const text = await textAt(`${site.url}/metrics`);
  const told = Number(/^common_ink_backup_last_checked_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  expect(told).toBeGreaterThanOrEqual(begun);
  expect(told).toBeLessThanOrEqual(Date.now() / 1000);
  expect(text).toMatch(/^common_ink_backup_last_bytes [1-9]/m);
});

test('a server that ends takes its backup along, and leaves neither a process nor half a file', async () => {
  const directory = ownFolder();
  const site = await started({ environment: { BACKUP_EVERY: '1s', BACKUP_DIR: directory } });
  const { pid } = site;
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  let running: string[] = [];
  await expect.poll(() => (running = children()), { ...PATIENCE, interval: 10 }).not.toEqual([]);
  const [backup = ''] = running;
  await site.stop();
  expect(existsSync(`/proc/${backup}`)).toBe(false);
  expect(readdirSync(directory).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

test('a backup that cannot be made is told of, in words, and the server goes on', async () => {
  const file = join(ownFolder(), 'a-file');
  writeFileSync(file, '');
  const directory = join(file, 'backups');
  const site = await started({ environment: { BACKUP_EVERY: '2s', BACKUP_DIR: directory } });
  await expect.poll(() => site.said, PATIENCE).toContain('The scheduled backup failed; the server will try again.');
  await expect.poll(() => readBackupRecord(site.dataDirectory).failed?.why, PATIENCE).toContain(directory);
  expect((await fetch(`${site.url}/`)).status).toBe(200);
  expect(await textAt(`${site.url}/metrics`)).toContain('common_ink_backup_last_failure_timestamp_seconds');
});

test('a record that cannot be read is none', () => {
  const directory = ownFolder();
  writeFileSync(join(directory, 'backups.json'), '{"last": 3');
  expect(readBackupRecord(directory)).toEqual({});
});

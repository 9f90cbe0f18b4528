import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBackupRecord } from '../../backup/backup-record.ts';
import { isKeyEncrypted } from '../../backup/read-backup.ts';
import type { Check } from '../site.ts';

export const data: Check = {
  name: 'data',
  async *run({ settings: { appwrite, dataDirectory }, tools }) {
    if (appwrite.endpoint) return;
    const backup = readBackupRecord(dataDirectory).last?.file ?? 'FILE';
    const loss = tools.loss();
    if (loss) {
      yield {
        id: 'data.lost',
        sentence: 'The site’s database is missing, and the server will not start without it.',
        evidence: loss,
        mend: `npm run restore -- ${backup} --force`,
      };
      return;
    }
    const database = join(dataDirectory, 'backend', 'backend.sqlite');
    if (!existsSync(database)) return;
    if (!tools.hasKey())
      yield {
        id: 'data.no-server-key',
        sentence:
          'The server key is missing. Without it, waiting mails and second factors cannot be read. The next start creates a new one.',
        evidence: `${join(dataDirectory, 'server-key')} is missing`,
        mend: await keyFromBackup(dataDirectory, backup),
      };
    const { faults, version, known } = await tools.data().catch(({ message }: Error) => {
      return { faults: [`The database cannot be read: ${message}`], version: 0, known: 0 };
    });
    if (version > known)
      yield {
        id: 'data.newer',
        sentence: 'The data is from a newer release, so this release will not start.',
        evidence: `the database has version ${version}, but this release only knows ${known}`,
        mend: 'Run the newer release, or restore the backup from before the upgrade.',
      };
    const lost = tools.hasKey() && version <= known && faults.length === 0 ? tools.lostFactors() : 0;
    if (lost > 0)
      yield {
        id: 'data.other-server-key',
        sentence: 'The second factors of some people were encrypted with a different server key.',
        evidence: `the second factors of ${lost} people cannot be read`,
        mend: `Restore the previous key: set APPWRITE_API_KEY as before, or ${await keyFromBackup(dataDirectory, backup)}`,
      };
    for (const fault of faults.slice(0, 20)) {
      const isFile = fault.startsWith('File ');
      yield {
        id: isFile ? 'data.file' : 'data.damaged',
        sentence: isFile ? 'A stored file has changed.' : 'The database is damaged.',
        evidence: isFile ? fault : `${database}: ${fault}`,
        mend: isFile
          ? `unzip -o ${backup} backend/${/\((\S+)\)/.exec(fault)?.[1]} -d ${dataDirectory}`
          : `Stop the server and restore the last good backup: npm run restore -- ${backup} --force`,
      };
    }
  },
};

async function keyFromBackup(dataDirectory: string, backup: string): Promise<string> {
  const restored = `${dataDirectory}.restored`;
  return (await isKeyEncrypted(backup).catch(() => false))
    ? `DATA_DIR=${restored} npm run restore -- ${backup} && mv ${restored}/server-key ${dataDirectory} && rm -r ${restored}`
    : `unzip -o ${backup} server-key -d ${dataDirectory}`;
}

const DAY_MS = 86_400_000;
const BY_HAND_MS = 8 * DAY_MS;
const BY_HAND = 'npm run backup -- FOLDER --keep 7d,4w,12m --check';

export const backups: Check = {
  name: 'backups',
  async *run({ settings: { appwrite, dataDirectory, backups: scheduled }, now }) {
    if (appwrite.endpoint || !existsSync(join(dataDirectory, 'backend', 'backend.sqlite'))) return;
    const { last, checked, failed } = readBackupRecord(dataDirectory);
    // The command needs no `--keep` if backups are scheduled, because the server deletes old ones (BACKUP_KEEP).
    const command = scheduled ? `npm run backup -- ${scheduled.directory} --check` : BY_HAND;
    const commandOrSchedule = scheduled ? command : `${command}; or set BACKUP_EVERY and BACKUP_DIR`;
    if (failed && (!last || failed.at > last.made))
      yield {
        id: 'backups.failed',
        sentence: 'The last scheduled backup failed.',
        evidence: `${failed.at}: ${failed.why}`,
        mend: 'Fix this. The server tries again within the hour.',
      };
    if (!last) {
      yield {
        id: 'backups.none',
        sentence: 'There is no backup.',
        evidence: 'none has ever been made',
        mend: commandOrSchedule,
        isAdvice: true,
      };
      return;
    }
    const age = now - Date.parse(last.made);
    if (age > (scheduled ? 2 * scheduled.every + DAY_MS / 24 : BY_HAND_MS)) {
      yield {
        id: 'backups.old',
        sentence: 'The last backup is old.',
        evidence: `it was made ${(age / DAY_MS).toFixed(1)} days ago (${last.made})`,
        mend: scheduled
          ? `The server’s log says why it has made none since. To make one now: ${command}`
          : commandOrSchedule,
      };
    } else if (!checked || Date.parse(checked.made) < now - 4 * BY_HAND_MS) {
      yield {
        id: 'backups.not-checked',
        sentence: 'No recent backup has been checked.',
        evidence: checked ? `the newest checked backup is from ${checked.made}` : 'none has ever been checked',
        mend: `npm run restore -- ${last.file} --check`,
        isAdvice: true,
      };
    }
    if (!existsSync(last.file))
      yield {
        id: 'backups.gone',
        sentence: 'The last backup is no longer where it was written.',
        evidence: `${last.file} is missing`,
        mend: `If you moved it, make the next one there. Otherwise make one now: ${command}`,
      };
  },
};

/** Whether there is a backup to go back to. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBackupRecord } from '../../backup/backup-record.ts';
import type { Check, DoctorSite, Finding } from '../site.ts';

const DAY_MS = 86_400_000;
/** By hand, once a week is what a careful person does. */
const BY_HAND_MS = 8 * DAY_MS;
const BY_HAND = 'npm run backup -- FOLDER --keep 7d,4w,12m --check';

export const backups: Check = {
  name: 'backups',
  async run(site) {
    const { appwrite, dataDirectory } = site.settings;
    if (appwrite.endpoint || !existsSync(join(dataDirectory, 'backend', 'backend.sqlite'))) return [];
    return [...findingsOf(site)];
  },
};

function* findingsOf({ settings: { dataDirectory, backups: scheduled }, now }: DoctorSite): Generator<Finding> {
  const { last, checked, failed } = readBackupRecord(dataDirectory);
  // The server itself deletes older ones of its folder, as BACKUP_KEEP says.
  const command = scheduled ? `npm run backup -- ${scheduled.directory} --check` : BY_HAND;
  const commandOrSchedule = scheduled ? command : `${command}; or set BACKUP_EVERY and BACKUP_DIR`;
  if (failed && (!last || failed.at > last.made)) {
    yield {
      id: 'backups.failed',
      sentence: 'The last scheduled backup failed.',
      evidence: `${failed.at}: ${failed.why}`,
      mend: 'Mend what it says; the server tries again within the hour.',
    };
  }
  if (!last) {
    yield {
      id: 'backups.none',
      sentence: 'There is no backup.',
      evidence: 'none was ever made',
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
      mend: scheduled ? `See the server’s log: it should have made one since. One now: ${command}` : commandOrSchedule,
    };
  } else if (!checked || Date.parse(checked.made) < now - 4 * BY_HAND_MS) {
    yield {
      id: 'backups.not-checked',
      sentence: 'Nobody has tried whether the backups can be restored.',
      evidence: checked ? `the newest that was checked is of ${checked.made}` : 'none was ever checked',
      mend: `npm run restore -- ${last.file} --check`,
      isAdvice: true,
    };
  }
  if (!existsSync(last.file)) {
    yield {
      id: 'backups.gone',
      sentence: 'The last backup is not where it was put.',
      evidence: `${last.file} is missing`,
      mend: `If it was moved to a better place, make the next one there, otherwise now: ${command}`,
    };
  }
}

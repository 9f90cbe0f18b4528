/** The embedded backend's data: whole, and of a version that this release knows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBackupRecord } from '../../backup/backup-record.ts';
import { isKeyEncrypted } from '../../backup/read-backup.ts';
import type { Check, Finding } from '../site.ts';

export const data: Check = {
  name: 'data',
  async run({ settings: { appwrite, dataDirectory }, tools }) {
    if (appwrite.endpoint) return [];
    const backup = readBackupRecord(dataDirectory).last?.file ?? 'FILE';
    const loss = tools.loss();
    if (loss) {
      return [
        {
          id: 'data.lost',
          sentence: 'The database of this site is gone: no server starts without it.',
          evidence: loss,
          mend: `npm run restore -- ${backup} --force`,
        },
      ];
    }
    const database = join(dataDirectory, 'backend', 'backend.sqlite');
    if (!existsSync(database)) return [];
    const findings: Finding[] = [];
    if (!tools.hasKey()) {
      findings.push({
        id: 'data.no-server-key',
        sentence:
          'The server’s key is gone: mails that wait, and second factors, cannot be read without it. The next start makes a new one.',
        evidence: `${join(dataDirectory, 'server-key')} is missing`,
        mend: await keyFromBackup(dataDirectory, backup),
      });
    }
    const { faults, version, known } = await tools.data().catch((error: Error) => ({
      faults: [`The database cannot be read: ${error.message}`],
      version: 0,
      known: 0,
    }));
    if (version > known) {
      findings.push({
        id: 'data.newer',
        sentence: 'The data are of a newer release than this one, which will not start on them.',
        evidence: `the database has version ${version}, this release knows ${known}`,
        mend: 'Run the newer release, or restore the backup from before the upgrade.',
      });
    }
    const lost = tools.hasKey() && version <= known && faults.length === 0 ? tools.lostFactors() : 0;
    if (lost > 0) {
      findings.push({
        id: 'data.other-server-key',
        sentence: 'The server has another key than the one that sealed the second factors of some people.',
        evidence: `the second factors of ${lost} people cannot be read`,
        mend: `Put the former key back: set APPWRITE_API_KEY as before, or ${await keyFromBackup(dataDirectory, backup)}`,
      });
    }
    for (const fault of faults.slice(0, 20)) {
      const isFile = fault.startsWith('File ');
      findings.push({
        id: isFile ? 'data.file' : 'data.damaged',
        sentence: isFile ? 'A stored file is not what was stored.' : 'The database is damaged.',
        evidence: isFile ? fault : `${database}: ${fault}`,
        mend: isFile
          ? `unzip -o ${backup} backend/${/\((\S+)\)/.exec(fault)?.[1]} -d ${dataDirectory}`
          : `Stop the server, and put the last good backup back: npm run restore -- ${backup} --force`,
      });
    }
    return findings;
  },
};

/** The command that brings the server's key back. */
async function keyFromBackup(dataDirectory: string, backup: string): Promise<string> {
  const restored = `${dataDirectory}.restored`;
  return (await isKeyEncrypted(backup).catch(() => false))
    ? `DATA_DIR=${restored} npm run restore -- ${backup} && mv ${restored}/server-key ${dataDirectory} && rm -r ${restored}`
    : `unzip -o ${backup} server-key -d ${dataDirectory}`;
}

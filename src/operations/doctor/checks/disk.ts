/** Room, rights, and what was left lying in the data folder. */
import { chmodSync, existsSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check, DoctorSite, Finding } from '../site.ts';

const MEBIBYTE = 1024 * 1024;
/** As the embedded backend keeps by itself: a twentieth of a small disk. */
const RESERVE_MB = 256;
const SMALL_DISK_SHARE = 20;
/** No backup takes a day. */
const LEFT_OVER_MS = 86_400_000;

export const disk: Check = {
  name: 'disk',
  async run(site) {
    const { dataDirectory } = site.settings;
    if (!existsSync(dataDirectory)) return [];
    const unwritable = writeFault(dataDirectory);
    if (unwritable) return [unwritable];
    return [...room(site), ...rights(dataDirectory), ...leftOvers(site)];
  },
};

function writeFault(directory: string): Finding | undefined {
  const probe = join(directory, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, '');
    rmSync(probe);
    return undefined;
  } catch (error) {
    return {
      id: 'disk.not-writable',
      sentence: 'The data folder cannot be written.',
      evidence: (error as Error).message,
      mend: `Give it to the user that runs the server (chown -R USER ${directory}), or set DATA_DIR to another folder.`,
    };
  }
}

function* room({ settings: { dataDirectory, embedded } }: DoctorSite): Generator<Finding> {
  const { bavail, bsize, blocks, ffree, files } = statfsSync(dataDirectory);
  const free = (bavail * bsize) / MEBIBYTE;
  const reserve = embedded.reserveMegabytes ?? Math.min(RESERVE_MB, (blocks * bsize) / MEBIBYTE / SMALL_DISK_SHARE);
  if (free < reserve) {
    yield {
      id: 'disk.full',
      sentence: 'The disk has less room than is kept free: nobody can save.',
      evidence: `${free.toFixed(0)} MB of ${reserve.toFixed(0)} MB are free at ${dataDirectory}`,
      mend: `Free some space there: du -xh ${dataDirectory} | sort -h | tail. Or set PAGES_DISK_MB to less.`,
    };
  }
  if (files > 0 && ffree / files < 0.01) {
    yield {
      id: 'disk.no-inodes',
      sentence: 'The disk has hardly a file left to give.',
      evidence: `${ffree} of ${files} inodes are free`,
      mend: 'Delete many small files on that disk: df -i says which one.',
    };
  }
}

function* rights(dataDirectory: string): Generator<Finding> {
  if (process.platform === 'win32') return;
  for (const [id, path, wanted] of [
    ['disk.open-folder', dataDirectory, 0o700],
    ['disk.open-key', join(dataDirectory, 'server-key'), 0o600],
  ] as const) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || (mode & 0o077) === 0 || (mode & 0o1000) !== 0) continue;
    yield {
      id,
      sentence: `Others on this machine can reach ${path}.`,
      evidence: `its rights are ${(mode & 0o777).toString(8)}`,
      mend: `chmod ${wanted.toString(8)} ${path}`,
      async fix() {
        chmodSync(path, wanted);
        return `${path} has the rights ${wanted.toString(8)}.`;
      },
    };
  }
}

function* leftOvers({ settings: { dataDirectory }, now }: DoctorSite): Generator<Finding> {
  for (const name of readdirSync(dataDirectory)) {
    const path = join(dataDirectory, name);
    if (!name.startsWith('.backup-') || now - statSync(path).mtimeMs < LEFT_OVER_MS) continue;
    yield {
      id: 'disk.left-over',
      sentence: 'A backup that was interrupted has left its copy behind.',
      evidence: path,
      mend: `rm -r ${path}`,
      async fix() {
        rmSync(path, { recursive: true });
        return `${path} is deleted.`;
      },
    };
  }
}

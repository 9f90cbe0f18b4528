import { chmodSync, existsSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check, DoctorSite, Finding } from '../site.ts';

const MEBIBYTE = 1024 * 1024;
/** The embedded backend reserves this much disk space by default, but at most a twentieth of the disk. */
const RESERVE_MB = 256;
const SMALL_DISK_SHARE = 20;
const LEFT_OVER_MS = 86_400_000;

export const disk: Check = {
  name: 'disk',
  async *run(site) {
    const { dataDirectory } = site.settings;
    if (!existsSync(dataDirectory)) return;
    const unwritable = writeFault(dataDirectory);
    if (unwritable) {
      yield unwritable;
      return;
    }
    yield* room(site);
    yield* rights(dataDirectory);
    yield* leftOvers(site);
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
      sentence: 'The data folder is not writable.',
      evidence: (error as Error).message,
      mend: `Give it to the user that runs the server (chown -R USER ${directory}), or set DATA_DIR to another folder.`,
    };
  }
}

function* room({ settings: { dataDirectory, embedded } }: DoctorSite): Generator<Finding> {
  const { bavail, bsize, blocks, ffree, files } = statfsSync(dataDirectory);
  const free = (bavail * bsize) / MEBIBYTE;
  const reserve = embedded.reserveMegabytes ?? Math.min(RESERVE_MB, (blocks * bsize) / MEBIBYTE / SMALL_DISK_SHARE);
  if (free < reserve)
    yield {
      id: 'disk.full',
      sentence: 'The disk has less free space than the reserve, so no one can save.',
      evidence: `${free.toFixed(0)} MB of ${reserve.toFixed(0)} MB are free at ${dataDirectory}`,
      mend: `Free some space there: du -xh ${dataDirectory} | sort -h | tail. Or lower PAGES_DISK_MB.`,
    };
  if (files > 0 && ffree / files < 0.01)
    yield {
      id: 'disk.no-inodes',
      sentence: 'The disk has almost no room for new files.',
      evidence: `${ffree} of ${files} inodes are free`,
      mend: 'Delete small files on that disk. df -i shows which disk it is.',
    };
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
      sentence: `Other users of this machine can access ${path}.`,
      evidence: `its mode is ${(mode & 0o777).toString(8)}`,
      mend: `chmod ${wanted.toString(8)} ${path}`,
      async fix() {
        chmodSync(path, wanted);
        return `The mode of ${path} is now ${wanted.toString(8)}.`;
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
      sentence: 'An interrupted backup left its copy behind.',
      evidence: path,
      mend: `rm -r ${path}`,
      async fix() {
        rmSync(path, { recursive: true });
        return `Deleted ${path}.`;
      },
    };
  }
}

export const ownProcess: Check = {
  name: 'process',
  async *run({ settings: { ownAddress, dataDirectory, siteUrl }, tools, isRunning }) {
    if (isRunning) {
      const response = await fetch(`${ownAddress}/readyz`, { signal: AbortSignal.timeout(30_000) });
      if (response.ok) return;
      yield {
        id: 'process.not-ready',
        sentence: 'The server is running but not ready.',
        evidence: `${ownAddress}/readyz: ${(await response.text()).trim()}`,
        mend: 'See the other problems and the server’s log.',
      };
      return;
    }
    const holder = tools.holder();
    const known = holder === 'unknown' ? undefined : holder;
    const who = known ? `pid ${known.pid} on ${known.host}` : 'another process';
    const other = await tools.siteAt(ownAddress).catch((error: Error) => error);
    if (typeof other === 'string' && holder !== undefined) {
      const isSameUrl = other === siteUrl;
      yield {
        id: 'process.other-settings',
        sentence: 'The server that uses this data has different settings from this command.',
        evidence: `${who} uses ${dataDirectory}; the site at ${ownAddress} says its address is ${other}${isSameUrl ? ', but it has a different server key' : ''}`,
        mend: `Give this command the server’s PORT or ${isSameUrl ? 'its DATA_DIR and APPWRITE_API_KEY' : 'its SITE_URL'}.`,
      };
    } else if (other !== undefined) {
      yield {
        id: 'process.port-taken',
        sentence: 'Another program or another site answers at this site’s port.',
        evidence: other instanceof Error ? other.message : `the site at ${ownAddress} says its address is ${other}`,
        mend: `Stop it, or set PORT to a free port: ss -ltnp | grep :${new URL(ownAddress).port}`,
      };
    } else if (holder !== undefined) {
      yield {
        id: 'process.other-port',
        sentence: 'A process uses the data but does not answer at this site’s port.',
        evidence: `${who} uses ${dataDirectory}; nothing answers at ${ownAddress}`,
        mend: `Set PORT to the server’s port, or stop that process${known ? `: kill ${known.pid}` : ''}.`,
      };
    } else {
      yield {
        id: 'process.none',
        sentence: 'No server is running.',
        evidence: `nothing answers at ${ownAddress}, and no process uses ${dataDirectory}`,
        mend: 'npm start, or systemctl start common-ink',
      };
    }
  },
};

export const build: Check = {
  name: 'build',
  async *run({ tools }) {
    if (!tools.isBuildStale()) return;
    yield {
      id: 'build.stale',
      sentence: 'The sources are newer than the build.',
      evidence: 'dist/source-stamp does not match the sources',
      mend: 'npm run build, then restart the server.',
    };
  },
};

/** Instances reject each other's messages if their clocks differ by more than this. */
const CLOCK_MS = 300_000;

export const clock: Check = {
  name: 'clock',
  async *run({ settings: { dataDirectory, appwrite }, now }) {
    const findingOf = (evidence: string): Finding => ({
      id: 'clock.wrong',
      sentence: 'This machine’s clock is wrong.',
      evidence,
      mend: 'timedatectl set-ntp true',
    });
    const database = join(dataDirectory, 'backend', 'backend.sqlite');
    const written = statSync(database, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (written > now + CLOCK_MS) {
      const ahead = Math.round((written - now) / 60_000);
      yield findingOf(`the data was last written ${ahead} minutes in the future (${new Date(written).toISOString()})`);
    }
    if (!appwrite.endpoint) return;
    const address = `${appwrite.endpoint}/health/version`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    const there = Date.parse(answer?.headers.get('date') ?? '');
    if (Math.abs(there - now) > CLOCK_MS)
      yield findingOf(`it is ${new Date(there).toISOString()} at ${appwrite.endpoint}`);
  },
};

/** A real file system of a few mebibytes, in memory, that a test fills and empties. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;

export interface SmallDisk {
  readonly directory: string;
  /** Bytes that are free. */
  free(): number;
  /** Takes all room but `left` bytes. */
  fill(left?: number): void;
  /** Gives back what `fill` took. */
  clear(): void;
  remove(): void;
}

/** Gives undefined where this user may not mount anything, not even in a namespace of their own. */
export async function openSmallDisk(mebibytes: number): Promise<SmallDisk | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', folder];
  try {
    execFileSync('mount', options, { stdio: 'ignore' });
    const unmount = () => {
      // Lazily: a process that was killed may still be on its way out.
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    };
    return disk(folder, unmount);
  } catch {
    return inNamespace(folder, options);
  }
}

/** Mounts it in a namespace that a process of its own keeps, and reaches it through that process. */
async function inNamespace(folder: string, options: readonly string[]): Promise<SmallDisk | undefined> {
  const script = 'mount "$@" && echo mounted && read -r _';
  const keeper = spawn('unshare', ['-Urm', 'sh', '-c', script, 'sh', ...options], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = Promise.race([once(keeper, 'exit'), once(keeper, 'error')]);
  const isMounted = await Promise.race([once(keeper.stdout, 'data').then(() => true), ended.then(() => false)]);
  const end = () => {
    keeper.kill();
    rmdirSync(folder);
  };
  if (isMounted) return disk(`/proc/${keeper.pid}/root${folder}`, end);
  rmdirSync(folder);
  return undefined;
}

function disk(directory: string, remove: () => void): SmallDisk {
  const filler = join(directory, 'filler');
  const free = () => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
  return {
    directory,
    free,
    fill(left = 0) {
      try {
        for (let room = free() - left; room > 0; room = free() - left) {
          appendFileSync(filler, Buffer.alloc(Math.min(room, MEBIBYTE), 1));
        }
      } catch (error) {
        // Others write meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    clear: () => rmSync(filler, { force: true }),
    remove,
  };
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;

export type SmallDisk = ReturnType<typeof disk>;

/**
 * Mounts an in-memory file system of this size. Returns undefined if this user may not mount anything, not even in a
 * separate namespace.
 */
export async function openSmallDisk(mebibytes: number): Promise<SmallDisk | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', folder];
  try {
    execFileSync('mount', options, { stdio: 'ignore' });
    const unmount = () => {
      // Unmounts lazily, because a killed process may still be exiting.
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    };
    return disk(folder, unmount);
  } catch {
    return inNamespace(folder, options);
  }
}

/** Mounts the disk in the namespace of a helper process, and accesses it through that process's /proc entry. */
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

function disk(directory: string, remove: () => void) {
  const filler = join(directory, 'filler');
  const free = () => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
  return {
    directory,
    free,
    /** Fills the disk up to the last `left` bytes. */
    fill(left = 0) {
      try {
        for (let room = free() - left; room > 0; room = free() - left)
          appendFileSync(filler, Buffer.alloc(Math.min(room, MEBIBYTE), 1));
      } catch (error) {
        // The server may use up space at the same time.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    clear: () => rmSync(filler, { force: true }),
    remove,
  };
}

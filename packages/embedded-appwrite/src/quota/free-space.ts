/** Refuses users' writes on an almost full disk, to leave space for the database and for callers with a server key. */
import { statfsSync } from 'node:fs';
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';

/** Milliseconds for which the measured free space is cached. */
const BELIEVED = 1000;
const MOST_RESERVED = 256 * 1024 * 1024;
const SHARE_RESERVED = 0.05;

export interface Disk {
  /** Bytes that this process may still write. */
  readonly free: number;
  readonly size: number;
}

/** Returns `undefined` if the operating system does not report disk space. */
function diskOf(directory: string): Disk | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    return blocks > 0 ? { free: bavail * bsize, size: blocks * bsize } : undefined;
  } catch {
    return undefined;
  }
}

export interface FreeSpaceOptions {
  readonly directory: string;
  /** Bytes; 0 turns the reserve off. Default: 256 MiB, but at most 5% of the disk. */
  readonly reserve?: number | undefined;
  readonly readDisk?: (directory: string) => Disk | undefined;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly clock?: () => number;
}

export class FreeSpace {
  readonly #options: FreeSpaceOptions;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isLow = false;

  constructor(options: FreeSpaceOptions) {
    this.#options = options;
  }

  /** Throws 507 `general_storage_full` if only the reserve is left, unless the caller has a server key. */
  require(caller: Caller): void {
    if (!caller.privileged && this.#look()) throw new AppwriteError('general_storage_full');
  }

  #look(): boolean {
    const { directory, reserve, readDisk = diskOf, clock = performance.now.bind(performance) } = this.#options;
    if (reserve === 0) return false;
    const moment = clock();
    if (moment - this.#askedAt < BELIEVED) return this.#isLow;
    this.#askedAt = moment;
    const disk = readDisk(directory);
    this.#isLow = disk !== undefined && disk.free < (reserve ?? Math.min(MOST_RESERVED, disk.size * SHARE_RESERVED));
    return this.#isLow;
  }
}

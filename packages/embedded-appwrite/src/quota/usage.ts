/** Each user's quota for files, unfinished uploads and documents together. Callers with a server key have no quota. */
import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import type { Store } from '../sqlite/store.ts';

const MEBIBYTE = 1024 * 1024;

/** Returns the owner of data stored by the caller: `user:<id>`, `key`, or `guest` for all guests together. */
export function ownerOf(caller: Caller): string {
  return caller.user ? `user:${caller.user.id}` : caller.kind;
}

export class StorageUsage {
  readonly #store: Store;
  /** Bytes; 0 means unlimited. */
  readonly #quota: number;
  /** Bytes being uploaded, by owner. */
  readonly #arriving = new Map<string, number>();

  constructor(store: Store, quota: number) {
    this.#store = store;
    this.#quota = quota;
  }

  /** Returns how many bytes an owner (`ownerOf`) stores, including changes made in the current write. */
  bytesOf(owner: string): number {
    const row = this.#store.prepare('SELECT bytes FROM storage_usage WHERE owner = ?').get(owner);
    return Number(row?.bytes ?? 0);
  }

  /** Throws 413 `storage_quota_exceeded` if `bytes` more would exceed the quota. Call in the write that stores them. */
  requireRoom(caller: Caller, owner: string, bytes: number): void {
    if (bytes > 0 && this.#binds(caller, owner) && this.bytesOf(owner) + bytes > this.#quota) throw this.#exceeded();
  }

  /**
   * Counts an upload towards the caller's quota until the returned function is called. Throws 413 if the quota is
   * already used up.
   */
  reserve(caller: Caller, bytes: number): () => void {
    const owner = ownerOf(caller);
    const arriving = this.#arriving.get(owner) ?? 0;
    if (this.#binds(caller, owner) && this.bytesOf(owner) + arriving >= this.#quota) throw this.#exceeded();
    this.#arriving.set(owner, arriving + bytes);
    return () => {
      const left = (this.#arriving.get(owner) ?? 0) - bytes;
      if (left > 0) this.#arriving.set(owner, left);
      else this.#arriving.delete(owner);
    };
  }

  #binds(caller: Caller, owner: string): boolean {
    return this.#quota > 0 && !caller.privileged && owner !== 'key';
  }

  #exceeded(): AppwriteError {
    return AppwriteError.about('storage_quota_exceeded', String(Math.round(this.#quota / MEBIBYTE)));
  }
}

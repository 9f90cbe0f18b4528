/** Caches previews as `previews/xx/<blob>/<plan>` (LRU by bytes), and small ones also in memory. */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { CHECKSUM_LENGTH, checksum } from '@common-ink/http/compression.ts';
import { Semaphore } from '@common-ink/http/limits/semaphore.ts';
import { LRUCache } from 'lru-cache';
import { AppwriteError } from '../../http/errors.ts';
import { isDiskFull } from '../../sqlite/store-error.ts';
import { blobPath, isBlobName, newBlobName } from '../blobs.ts';
import { type ByteCache, LARGEST_CACHED_BYTES } from '../byte-cache.ts';

/** Minimum milliseconds between updates of a file's timestamps, which determine the LRU order after a restart. */
const TOUCH_EVERY = 3_600_000;

export interface PreviewCacheOptions {
  readonly directory: string;
  /** Maximum size on disk in bytes. */
  readonly limit: number;
  readonly memory?: ByteCache;
  /** Maximum concurrent renderings (default: one per processor, at least two). */
  readonly atOnce?: number;
  /** Maximum renderings that wait for their turn (default: 256). */
  readonly waiting?: number;
  readonly hasRoom: () => boolean;
}

export interface CachedPreview {
  readonly body: Buffer;
  readonly hit: boolean;
}

function blobOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

interface Entry {
  readonly bytes: number;
  readonly touched: number;
}

/** Returns the preview in a cache file; undefined if its checksum is wrong, so that the preview is rendered again. */
function bodyIn(file: Buffer | undefined): Buffer | undefined {
  const body = file?.subarray(0, -CHECKSUM_LENGTH);
  return body && file?.subarray(body.length).toString() === checksum(body) ? body : undefined;
}

export class PreviewCache {
  readonly #options: PreviewCacheOptions;
  readonly #semaphore: Semaphore;
  readonly #inFlight = new Map<string, Promise<CachedPreview>>();
  readonly #entries: LRUCache<string, Entry>;
  readonly #evicted: string[] = [];
  #loading: Promise<void> | undefined;

  constructor(options: PreviewCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache({
      maxSize: options.limit,
      sizeCalculation: ({ bytes }) => Math.max(bytes, 1),
      dispose: (_, key, reason) => {
        if (reason === 'evict') this.#evicted.push(key);
      },
    });
    const { atOnce = Math.max(2, availableParallelism()), waiting = 256 } = options;
    this.#semaphore = new Semaphore({ atOnce, waiting }, () => new AppwriteError('general_server_busy'));
  }

  inMemory(blob: string, plan: string): Buffer | undefined {
    return this.#options.memory?.get(`${blob}/${plan}`);
  }

  /** Reads a preview from disk or calls `make`. Throws 503 `general_server_busy` if too many renderings wait. */
  get(blob: string, plan: string, make: () => Promise<Buffer>): Promise<CachedPreview> {
    const key = `${blob}/${plan}`;
    let pending = this.#inFlight.get(key);
    if (!pending) {
      pending = this.#load(key, make).finally(() => this.#inFlight.delete(key));
      this.#inFlight.set(key, pending);
    }
    return pending;
  }

  async forget(blob: string): Promise<void> {
    if (!isBlobName(blob)) return;
    const folder = blobPath(this.#options.directory, blob);
    // Lists the blob's folder, because scanning all keys would get slower as the cache grows.
    for (const plan of await readdir(folder).catch(() => [])) {
      this.#options.memory?.delete(`${blob}/${plan}`);
      this.#entries.delete(`${blob}/${plan}`);
    }
    await rm(folder, { recursive: true, force: true });
  }

  async blobs(): Promise<string[]> {
    await this.#loaded();
    return [...new Set([...this.#entries.keys()].map(blobOf))];
  }

  #pathOf(key: string): string {
    const blob = blobOf(key);
    return path.join(blobPath(this.#options.directory, blob), key.slice(blob.length));
  }

  async #load(key: string, make: () => Promise<Buffer>): Promise<CachedPreview> {
    await this.#loaded();
    const known = bodyIn(await readFile(this.#pathOf(key)).catch(() => undefined));
    if (known) {
      this.#keep(key, known);
      this.#touch(key, known.length);
      return { body: known, hit: true };
    }
    const body = await this.#semaphore.run(make);
    await this.#store(key, body);
    this.#keep(key, body);
    return { body, hit: false };
  }

  #keep(key: string, body: Buffer): void {
    if (body.length <= LARGEST_CACHED_BYTES) this.#options.memory?.set(key, body);
  }

  /** Writes without a sync, because a preview that a power cut loses or damages is rendered again. */
  async #store(key: string, body: Buffer): Promise<void> {
    await this.#removeEvicted();
    if (!this.#options.hasRoom()) return;
    const target = this.#pathOf(key);
    const folder = path.dirname(target);
    const temporary = path.join(folder, `.${newBlobName()}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(temporary, Buffer.concat([body, Buffer.from(checksum(body))]), { mode: 0o600 });
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      if (isDiskFull(error)) return;
      throw error;
    }
    this.#entries.set(key, { bytes: body.length, touched: Date.now() });
    await this.#removeEvicted();
  }

  async #removeEvicted(): Promise<void> {
    for (const key of this.#evicted.splice(0))
      if (!this.#entries.has(key)) await rm(this.#pathOf(key), { force: true });
  }

  #touch(key: string, bytes: number): void {
    const known = this.#entries.get(key);
    if (known && Date.now() - known.touched <= TOUCH_EVERY) return;
    this.#entries.set(key, { bytes, touched: Date.now() });
    utimes(this.#pathOf(key), new Date(), new Date()).catch(() => {});
  }

  #loaded(): Promise<void> {
    this.#loading ??= this.#scan();
    return this.#loading;
  }

  async #scan(): Promise<void> {
    const names = await readdir(this.#options.directory, { recursive: true, withFileTypes: true }).catch(() => []);
    const found: [string, Entry][] = [];
    for (const name of names) {
      if (!name.isFile()) continue;
      const file = path.join(name.parentPath, name.name);
      if (name.name.startsWith('.')) {
        await rm(file, { force: true });
        continue;
      }
      const info = await stat(file).catch(() => undefined);
      const key = `${path.basename(name.parentPath)}/${name.name}`;
      if (info) found.push([key, { bytes: info.size, touched: info.mtimeMs }]);
    }
    found.sort(([, a], [, b]) => a.touched - b.touched);
    for (const [key, entry] of found) this.#entries.set(key, entry);
  }
}

/**
 * Numbers in memory that threads share, one for each page: whoever holds a copy of a page compares the number it came
 * with before every answer. The store raises it in the same breath in which the page changes, is outdated or goes, so
 * that from then on no thread shows the copy; no message has to arrive for that.
 *
 * Pages share numbers by the hash of their address. A neighbour's change costs a page its copies, never its truth.
 */
import { crc32 } from 'node:zlib';

const SLOTS = 2 ** 16;

export class Stamps {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array<SharedArrayBuffer>;

  /** Without `memory` it makes its own. */
  constructor(memory = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory);
  }

  /** The place of a page's number. */
  slot(path: string): number {
    return crc32(path) % SLOTS;
  }

  at(slot: number): number {
    return Atomics.load(this.#numbers, slot);
  }

  /** Copies that were taken before are of no use from now on. */
  raise(path: string): void {
    Atomics.add(this.#numbers, this.slot(path), 1);
  }
}

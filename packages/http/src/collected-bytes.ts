/**
 * Bytes that come in chunks, kept in one piece of memory: a body in a million chunks takes no more of it than one in ten, and
 * its memory is given back when it was read, not when garbage is collected.
 */
export class CollectedBytes {
  #memory: ArrayBuffer | undefined;
  #first: Buffer | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Takes the next bytes; the first chunk must stay as it is. */
  add(chunk: Buffer): void {
    const at = this.#length;
    this.#length += chunk.length;
    // Most bodies come in one chunk, which needs no copy.
    if (at === 0) {
      this.#first = chunk;
      return;
    }
    this.#grow();
    this.#write(chunk, at);
  }

  /** Everything as text, from UTF-8; the bytes are gone. */
  takeText(): string {
    const memory = this.#memory;
    const bytes = memory ? Buffer.from(memory, 0, this.#length) : this.#first;
    const text = bytes?.toString() ?? '';
    memory?.transfer(0);
    this.#memory = undefined;
    this.#first = undefined;
    this.#length = 0;
    return text;
  }

  #grow(): void {
    const size = this.#memory?.byteLength ?? 0;
    if (this.#length <= size) return;
    const larger = Math.max(2 * size, 2 * this.#length);
    this.#memory = this.#memory?.transfer(larger) ?? new ArrayBuffer(larger);
    if (this.#first) this.#write(this.#first, 0);
    this.#first = undefined;
  }

  #write(chunk: Uint8Array, at: number): void {
    if (this.#memory) new Uint8Array(this.#memory, at).set(chunk);
  }
}

/** Collects chunks in one buffer, because many small chunks would take more memory than a few large ones. */
export class CollectedBytes {
  #memory: ArrayBuffer | undefined;
  #first: Buffer | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a chunk. The first one is not copied immediately, so the caller must not modify it afterwards. */
  add(chunk: Buffer): void {
    const at = this.#length;
    this.#length += chunk.length;
    if (at === 0) {
      this.#first = chunk;
      return;
    }
    this.#grow();
    this.#write(chunk, at);
  }

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

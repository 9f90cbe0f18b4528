/** Small bodies kept in memory, the least recently used given up first. */
export class ByteCache {
  readonly #entries = new Map<string, Buffer>();
  readonly #limit: number;
  #bytes = 0;

  /** @param limit bytes kept at most. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Buffer | undefined {
    const body = this.#entries.get(key);
    if (body) {
      this.#entries.delete(key);
      this.#entries.set(key, body);
    }
    return body;
  }

  set(key: string, body: Buffer): void {
    this.delete(key);
    if (body.length > this.#limit) return;
    this.#entries.set(key, body);
    this.#bytes += body.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const body = this.#entries.get(key);
    if (!body) return;
    this.#entries.delete(key);
    this.#bytes -= body.length;
  }
}

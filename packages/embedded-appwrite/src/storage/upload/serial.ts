/** Work on the same key one after the other, on different keys at once. */
export class Serial {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` when everything given before it for `key` has ended, well or badly. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    const release = () => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    };
    const tail: Promise<void> = result.then(release, release);
    this.#tails.set(key, tail);
    return result;
  }
}

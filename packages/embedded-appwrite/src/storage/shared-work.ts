/** Runs work by key. Calls during a run share the next one, so a key has at most one active and one waiting run. */
export class SharedWork {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  run(key: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key);
    if (!running) {
      const run = work().finally(() => this.#running.delete(key));
      this.#running.set(key, run);
      return run;
    }
    let next = this.#next.get(key);
    if (!next) {
      const start = () => {
        this.#next.delete(key);
        return this.run(key, work);
      };
      next = running.then(start, start);
      this.#next.set(key, next);
    }
    return next;
  }
}

/** Keeps a count for each key. Counts of zero take no memory. */
export class CountByKey {
  readonly #sums = new Map<string, number>();

  get(key: string): number {
    return this.#sums.get(key) ?? 0;
  }

  add(key: string, amount: number): number {
    const sum = this.get(key) + amount;
    if (sum > 0) this.#sums.set(key, sum);
    else this.#sums.delete(key);
    return sum;
  }
}

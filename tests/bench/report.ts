/** Prints each figure of a bench beside its bound; the bench exits with 1 if a bound is missed. */
export class Report {
  #missed = 0;

  line(what: string, value: number, bound: { readonly most: number } | { readonly least: number }, unit = ''): void {
    const holds = 'most' in bound ? value <= bound.most : value >= bound.least;
    if (!holds) this.#missed++;
    const limit = 'most' in bound ? `at most ${bound.most}` : `at least ${bound.least}`;
    console.log(`${holds ? 'holds ' : 'MISSES'}  ${what}: ${short(value)}${unit && ` ${unit}`} (${limit})`);
  }

  note(what: string): void {
    console.log(`        ${what}`);
  }

  end(): void {
    console.log(this.#missed === 0 ? '\nEvery bound holds.' : `\n${this.#missed} bounds are missed.`);
    if (this.#missed > 0) process.exitCode = 1;
  }
}

const short = (value: number): string => (Math.abs(value) < 1 ? value.toFixed(4) : value.toFixed(2));

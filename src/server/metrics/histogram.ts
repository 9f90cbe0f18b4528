import type { Labels, Sample } from './exposition.ts';

const BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Histogram {
  readonly #counts = new Array<number>(BOUNDS_SECONDS.length + 1).fill(0);
  #sum = 0;

  observe(seconds: number): void {
    let at = 0;
    while (at < BOUNDS_SECONDS.length && seconds > (BOUNDS_SECONDS[at] as number)) at++;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += seconds;
  }

  samples(labels: Labels = {}): Sample[] {
    let count = 0;
    const buckets = this.#counts.map((each, at): Sample => {
      count += each;
      return { suffix: '_bucket', value: count, labels: { ...labels, le: `${BOUNDS_SECONDS[at] ?? '+Inf'}` } };
    });
    return [...buckets, { suffix: '_sum', value: this.#sum, labels }, { suffix: '_count', value: count, labels }];
  }
}

/** Keeps one histogram per value of a label; use it only for labels with few values. */
export class Histograms {
  readonly #label: string;
  readonly #histograms = new Map<string, Histogram>();

  constructor(label: string) {
    this.#label = label;
  }

  observe(value: string, seconds: number): void {
    const histogram = this.#histograms.get(value) ?? new Histogram();
    this.#histograms.set(value, histogram);
    histogram.observe(seconds);
  }

  samples(): Sample[] {
    return [...this.#histograms].flatMap(([value, each]) => each.samples({ [this.#label]: value }));
  }
}

/** Wraps `object` so that each call of an asynchronous method reports its name, duration and failure to `observe`. */
export function timed<T extends object>(
  object: T,
  observe: (call: string, seconds: number, failed: boolean) => void,
): T {
  return new Proxy(object, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...args: unknown[]): unknown => {
        const begun = performance.now();
        const result: unknown = Reflect.apply(member, target, args);
        if (!(result instanceof Promise)) return result;
        const told = (failed: boolean) => observe(name, (performance.now() - begun) / 1000, failed);
        result.then(
          () => told(false),
          () => told(true),
        );
        return result;
      };
    },
  });
}

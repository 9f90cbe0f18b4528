/** An attack on a running site by a guest or a writer, with a limited number of requests and a limited duration. */

export interface AttackOptions {
  /** Folder of the build to attack (default: `dist`), e.g. the build of another commit. */
  readonly build: string;
  /** Duration of attacks that would otherwise never end. */
  readonly minutes?: number;
  /** Kinds of attackers that take part; all by default. */
  readonly kinds?: readonly string[];
}

export type Tally = Record<string, number>;

export function count(tally: Tally, outcome: string | number): void {
  tally[outcome] = (tally[outcome] ?? 0) + 1;
}

export const told = (tally: Tally): string =>
  Object.entries(tally)
    .map(([outcome, times]) => `${times} × ${outcome}`)
    .join(', ') || 'nothing';

/** Figures by name, such as `p99 of readers, ms`. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Attack {
  readonly title: string;
  /** Upper bounds by figure name; absent if the figures are only compared by hand. */
  readonly limits?: Readonly<Record<string, number>>;
  run(options: AttackOptions): Promise<Figures>;
}

/** An attack: what a stranger or a writer does to a running site, limited in number and time. */
import { readFileSync } from 'node:fs';

export interface AttackOptions {
  /** The folder of the build that is attacked (default: `dist`): another one gives the figures of another commit. */
  readonly build: string;
  /** Length of the attacks that have no end of their own. */
  readonly minutes?: number;
  /** The kinds of attackers that take part; default all. */
  readonly kinds?: readonly string[];
}

/** A figure by what it is of: `p99 of readers, ms`. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Attack {
  /** One sentence: who does what. */
  readonly title: string;
  /** The most that a figure may be, by its name; absent: figures to compare by hand. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Starts a site, attacks it, removes it. */
  run(options: AttackOptions): Promise<Figures>;
}

/** Resident memory of a process in MiB, as Linux tells it. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** The value below which `share` (0 to 1) of `values` lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

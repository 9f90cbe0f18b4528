/** An attack by a guest or a writer on a running site, limited in number and time. */
import { readFileSync } from 'node:fs';

export interface AttackOptions {
  /** Folder of the attacked build (default: `dist`); another one measures another commit. */
  readonly build: string;
  /** Length of the attacks without an end of their own. */
  readonly minutes?: number;
  /** Kinds of attackers that take part; all by default. */
  readonly kinds?: readonly string[];
}

/** Figures by name, such as `p99 of readers, ms`. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Attack {
  /** One sentence that names the attacker and the act. */
  readonly title: string;
  /** Upper bounds by a figure's name; absent if the figures are only compared by hand. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Starts a site, attacks it and removes it. */
  run(options: AttackOptions): Promise<Figures>;
}

/** Returns a Linux process's resident memory in MiB. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** Returns the value below which `share` (0 to 1) of `values` lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

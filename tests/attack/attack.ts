/** What an attack is: a few lines of a stranger or a writer against a whole site of its own, bounded in count and time. */
import { readFileSync } from 'node:fs';

export interface AttackOptions {
  /** The folder of the build that is attacked (default: `dist`): another one gives the figures of another commit. */
  readonly build: string;
  /** How long an attack lasts that lasts as long as is wished. */
  readonly minutes?: number;
  /** Of an attack with several kinds of attackers, those that come; absent: all. */
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

/** Seconds of processor time that a process has used, all its threads together or the first alone, as Linux tells it. */
export function processorSeconds(pid: number, threads: 'all' | 'first' = 'all'): number {
  const fields = readFileSync(threads === 'all' ? `/proc/${pid}/stat` : `/proc/${pid}/task/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Seconds of processor time that the whole machine has used, as Linux tells it. */
export function machineSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .replace(/^cpu +/, '')
    .split(' ')
    .map(Number);
  return (user + nice + system + interrupts + soft) / 100;
}

/** The value below which `share` (0 to 1) of `values` lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

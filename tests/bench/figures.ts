/** Figures out of measurements. */
import type { LoadResult } from './load.ts';

export interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were no success. */
  readonly failed: number;
}

/** The value below which this part of them lies; they are given in order. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function figuresOf(results: readonly LoadResult[]): Figures {
  const latencies = results.flatMap((result) => [...result.latencies]).sort((a, b) => a - b);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const failed = results
    .flatMap(({ statuses }) => Object.entries(statuses))
    .reduce((sum, [status, count]) => (/^2\d\d$/.test(status) ? sum : sum + count), 0);
  return {
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failed,
  };
}

/** Rows under a heading, columns as wide as they need. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n');
}

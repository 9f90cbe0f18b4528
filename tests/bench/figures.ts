import type { LoadResult } from './load.ts';

export interface Figures {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Number of unsuccessful answers. */
  readonly failed: number;
}

/** Returns the value below which `part` (0 to 1) of the sorted values lie. */
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

/** Returns the rows as a table with fitted columns; the first row is the heading. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n');
}

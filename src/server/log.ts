/** A log on a full disk loses lines; by itself, a stream that failed would end the process. */
export function surviveFullLog(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** One line per event on standard error: time, level, message, and an error's stack below it. */
export function log(level: 'info' | 'warn' | 'error', message: string, error?: unknown): void {
  const detail = error instanceof Error ? `\n${error.stack ?? error.message}` : error === undefined ? '' : ` ${error}`;
  process.stderr.write(`${new Date().toISOString()} ${level} ${message}${detail}\n`);
}

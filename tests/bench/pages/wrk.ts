import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Load {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p99: number;
  readonly requests: number;
  /** Number of unsuccessful answers and failed connections. */
  readonly faults: number;
}

const CONNECTIONS = 32;

/** Requests `url` in its gzip form on 32 connections, from the second core. */
export async function wrk(url: string, seconds: number): Promise<Load> {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-H', 'Accept-Encoding: gzip', url];
  const { stdout } = await run('taskset', ['-c', '1', 'wrk', ...args]);
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const faults = stdout.matchAll(/(?:Non-2xx or 3xx responses: |connect |read |write |timeout )(\d+)/g);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p99: Number(p99) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN),
    requests: number(/(\d+) requests in/),
    faults: [...faults].reduce((sum, [, count]) => sum + Number(count), 0),
  };
}

/** Returns the commands that this machine lacks. */
export async function missing(...commands: readonly string[]): Promise<string[]> {
  const lacks = await Promise.all(
    commands.map((command) =>
      run('which', [command]).then(
        () => [],
        () => [command],
      ),
    ),
  );
  return lacks.flat();
}

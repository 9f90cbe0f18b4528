/** Runs the load generator wrk (https://github.com/wg/wrk) on the second core. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Load {
  readonly perSecond: number;
  /** 99th percentile of the latencies, in milliseconds. */
  readonly p99: number;
  readonly requests: number;
  readonly faults: number;
}

export interface LoadOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly script?: string;
}

export async function wrk(url: string, { seconds, connections, headers = {}, script }: LoadOptions): Promise<Load> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...lines, ...(script ? ['-s', script] : [])];
  const { stdout } = await run('taskset', ['-c', '1', 'wrk', ...args, url]);
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  const [, latency = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const faults = stdout.matchAll(/(?:Non-2xx or 3xx responses: |connect |read |write |timeout )(\d+)/g);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p99: Number(latency) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN),
    requests: number(/(\d+) requests in/),
    faults: [...faults].reduce((sum, [, count]) => sum + Number(count), 0),
  };
}

/** Ends the process with a message if this machine lacks a command that the bench runs. */
export async function needCommands(...commands: readonly string[]): Promise<void> {
  const found = await Promise.allSettled(commands.map((command) => run('which', [command])));
  const lacks = commands.filter((_, i) => found[i]?.status === 'rejected');
  if (lacks.length === 0) return;
  console.error(`This bench needs ${lacks.join(' and ')}. On Debian: apt-get install util-linux wrk nginx-light`);
  process.exit(1);
}

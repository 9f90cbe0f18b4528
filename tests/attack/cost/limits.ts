/** What one request may cost, and whether it does. */

import { slowness } from '../../support/machine-speed.ts';
import type { Cost, Meter } from './measure.ts';
import type { CallerName } from './measured-site.ts';
import type { Row } from './row.ts';

const MIB = 1024 * 1024;
/** Processor time of the thread that answers everybody, milliseconds. The operator's key may take what it takes. */
export const MOST_TIME: Readonly<Record<CallerName, number>> = {
  guest: 50,
  user: 250,
  stranger: 250,
  key: Number.POSITIVE_INFINITY,
};
/** Bytes by which one request of anybody may make memory grow. */
export const MOST_MEMORY = 32 * MIB;

/** Argon2 takes 64 MiB for each password, as the contract has it; how many at once is another matter. */
const HASH = 64 * MIB;
const HASHES: ReadonlySet<string> = new Set([
  'POST /account',
  'POST /account/sessions/email',
  'PATCH /account/email',
  'PATCH /account/password',
]);
/** A picture of three million pixels, with copies for its effects and what its encoder takes: threads of its own, two at once. */
const PICTURE = 160 * MIB;
const PICTURES = 'GET /storage/buckets/:bucketId/files/:fileId/preview';

export interface Measured {
  readonly row: Row;
  readonly cost: Cost;
}

/** What is over the limits, in words; empty where nothing is. */
export function excess({ row, cost }: Measured): string[] {
  const faults: string[] = [];
  if (row.caller === 'key') return faults;
  const most = MOST_TIME[row.caller];
  if (cost.thread > most) faults.push(`${cost.thread.toFixed(0)} ms of the thread (at most ${most})`);
  const memory = MOST_MEMORY + (HASHES.has(row.route) ? HASH : 0) + (row.route === PICTURES ? PICTURE : 0);
  if (cost.grown > memory) faults.push(`${(cost.grown / MIB).toFixed(0)} MiB (at most ${memory / MIB})`);
  if (cost.status === 500 && row.route !== '500.astro') faults.push('answered 500');
  return faults;
}

/** The least of both: a collection of garbage, or code that runs for the first time, is no request's own cost. */
function lesser(a: Cost, b: Cost): Cost {
  return {
    ...b,
    thread: Math.min(a.thread, b.thread),
    process: Math.min(a.process, b.process),
    held: Math.min(a.held, b.held),
    grown: Math.min(a.grown, b.grown),
  };
}

/** Measures a row `tries` times, each after a collection of garbage; gives the least. */
export async function leastOf(meter: Meter, row: Row, tries: number): Promise<Cost> {
  let least = await meter.cost(await row.sent());
  for (let i = 1; i < tries; i++) least = lesser(least, await meter.cost(await row.sent()));
  return least;
}

/** Measures a row until it is within the limits, `tries` times at most; times are those of the machine that the limits were set on. */
export async function costWithin(meter: Meter, row: Row, tries: number): Promise<Measured> {
  const measured = async (clean: boolean): Promise<Cost> => {
    const cost = await meter.cost(await row.sent(), clean);
    return cost.thread > MOST_TIME[row.caller] ? { ...cost, thread: cost.thread / slowness() } : cost;
  };
  let cost = await measured(false);
  for (let i = 1; i < tries && excess({ row, cost }).length > 0; i++) cost = lesser(cost, await measured(true));
  return { row, cost };
}

import type { Cost, Meter } from './measure.ts';
import type { CallerName } from './measured-site.ts';
import type { Row } from './row.ts';

const MIB = 1024 * 1024;
const TRIES = 3;
const MOST_TRIES = 6;
/** Maximum processor time of the main thread per request, in ms. The operator's key has no limit. */
export const MOST_TIME: Readonly<Record<CallerName, number>> = {
  guest: 50,
  user: 250,
  stranger: 250,
  key: Number.POSITIVE_INFINITY,
};
/** Maximum memory growth per request, in bytes. */
export const MOST_MEMORY = 32 * MIB;

/** Argon2 takes 64 MiB per password (contract); another limit bounds concurrent hashes. */
const HASH = 64 * MIB;
const HASHES: ReadonlySet<string> = new Set([
  'POST /account',
  'POST /account/sessions/email',
  'PATCH /account/email',
  'PATCH /account/password',
]);
/** Memory for a preview of 3 million pixels, copies for effects, and the encoder. The server renders two at a time. */
const PICTURE = 160 * MIB;
const PICTURES = 'GET /storage/buckets/:bucketId/files/:fileId/preview';

export interface Measured {
  readonly row: Row;
  readonly cost: Cost;
}

/** Returns whether the server answered 500 or closed the connection without an answer. */
export const isServersFault = ({ row, cost }: Measured): boolean =>
  cost.status === 'closed' || (cost.status === 500 && row.route !== '500.astro');

/** Returns a description of each limit that the row exceeds. */
export function excess({ row, cost }: Measured): string[] {
  const faults: string[] = [];
  if (row.caller === 'key') return faults;
  const most = MOST_TIME[row.caller];
  if (cost.thread > most) faults.push(`${cost.thread.toFixed(0)} ms of the thread (at most ${most})`);
  const memory = MOST_MEMORY + (HASHES.has(row.route) ? HASH : 0) + (row.route === PICTURES ? PICTURE : 0);
  if (cost.grown > memory) faults.push(`${(cost.grown / MIB).toFixed(0)} MiB (at most ${memory / MIB})`);
  return faults;
}

/** Returns the lower of each pair of figures, to exclude garbage collection and the code's first run. */
function lesser(a: Cost, b: Cost): Cost {
  return {
    ...b,
    thread: Math.min(a.thread, b.thread),
    process: Math.min(a.process, b.process),
    held: Math.min(a.held, b.held),
    grown: Math.min(a.grown, b.grown),
  };
}

/** Measures a row `TRIES` times, and up to `MOST_TRIES` times while over a limit; returns the lowest figures. */
export async function measured(meter: Meter, row: Row): Promise<Measured> {
  let cost = await meter.cost(await row.sent());
  for (let tries = 1; tries < TRIES || (tries < MOST_TRIES && excess({ row, cost }).length > 0); tries++)
    cost = lesser(cost, await meter.cost(await row.sent()));
  return { row, cost };
}

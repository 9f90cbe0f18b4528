/** A copy of a stored page as another thread gets it: ready to be sent, and the number that says how long it holds. */
import type { Encoding } from './encoding.ts';
import type { Entry } from './entry.ts';
import type { Resident } from './resident.ts';
import type { Stamps } from './stamps.ts';

export interface Loan {
  readonly path: string;
  readonly encoding: Encoding;
  /** It may be shown as long as `Stamps` has this number for the page, */
  readonly stamp: number;
  /** and until then, seconds since 1970. */
  readonly freshUntil: number;
  readonly checkedAt: number;
  readonly etag: string;
  readonly head: readonly string[];
  readonly notModified: readonly string[];
  /** In memory that threads share: it is sent to any number of them, and copied once. */
  readonly body: Uint8Array<SharedArrayBuffer>;
}

const bodies = new WeakMap<Resident, Uint8Array<SharedArrayBuffer>>();

function sharedBody(resident: Resident): Uint8Array<SharedArrayBuffer> {
  const known = bodies.get(resident);
  if (known) return known;
  const body = new Uint8Array(new SharedArrayBuffer(resident.body.length));
  body.set(resident.body);
  bodies.set(resident, body);
  return body;
}

/** `resident` is a form of `entry`. */
export function loanOf(entry: Entry, resident: Resident, stamps: Stamps): Loan {
  const { path, freshUntil, checkedAt } = entry;
  const { encoding, etag, head, notModified } = resident;
  const stamp = stamps.at(stamps.slot(path));
  return { path, encoding, stamp, freshUntil, checkedAt, etag, head, notModified, body: sharedBody(resident) };
}

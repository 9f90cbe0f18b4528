/**
 * How slowly a request body may come: whoever sends less than a modem did, or nothing at all, gives up his place. An
 * upload over a bad line passes; a thousand clients that send a byte now and then do not stay.
 */
import type { IncomingMessage } from 'node:http';
import { AppwriteError } from './errors.ts';

/** Time that every body has, milliseconds. */
export const PATIENCE = 30_000;
/** Bytes that buy one more second. */
export const SLOWEST = 8 * 1024;

export interface Pace {
  /** So many bytes more have come. */
  add(bytes: number): void;
  /** The body has ended; nothing more is watched. */
  end(): void;
}

/** Calls `onSlow`, once, when a body that begins now falls behind. */
export function watchPace(onSlow: () => void): Pace {
  const begun = performance.now();
  let bytes = 0;
  let timer = setTimeout(check, PATIENCE);
  function check(): void {
    const left = begun + PATIENCE + (bytes / SLOWEST) * 1000 - performance.now();
    if (left <= 0) onSlow();
    else timer = setTimeout(check, left);
  }
  return {
    add(more) {
      bytes += more;
    },
    end: () => clearTimeout(timer),
  };
}

/** The chunks of a body. Throws 408 when they come too slowly; the request itself is left as it is. */
export async function* paced(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false });
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  tooSlow.catch(() => {});
  const pace = watchPace(() => reject(new AppwriteError('general_request_timeout')));
  let waiting = false;
  try {
    for (;;) {
      waiting = true;
      const { done, value } = await Promise.race([chunks.next(), tooSlow]);
      waiting = false;
      if (done) return;
      pace.add((value as Buffer).length);
      yield value as Buffer;
    }
  } finally {
    pace.end();
    // An iterator that still waits for the client would wait for him to end it, too.
    if (!waiting) await chunks.return?.();
  }
}

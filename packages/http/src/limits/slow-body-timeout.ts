/**
 * How slowly a body may come or be read: whoever sends less than a modem did, or nothing at all, gives up their place. An
 * upload over a bad line passes; a thousand clients that send a byte now and then do not stay.
 */
import type { IncomingMessage } from 'node:http';

/** Time that every body has, milliseconds. */
export const GRACE_PERIOD = 30_000;
/** Bytes that buy one more second. */
export const MINIMUM_RATE = 8 * 1024;

export interface SlowBodyTimeout {
  /** So many bytes more have come. */
  add(bytes: number): void;
  /** The body has ended; nothing more is watched. */
  end(): void;
}

/** Calls `onSlow`, once, when a body that begins now falls behind. */
export function startSlowBodyTimeout(onSlow: () => void): SlowBodyTimeout {
  const begun = performance.now();
  let bytes = 0;
  let timer = setTimeout(check, GRACE_PERIOD);
  function check(): void {
    const left = begun + GRACE_PERIOD + (bytes / MINIMUM_RATE) * 1000 - performance.now();
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

/** The chunks of a body. Throws what `tooSlow` gives when they come too slowly; the request itself is left as it is. */
export async function* timelyChunks(request: IncomingMessage, tooSlow: () => Error): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false });
  const { promise: isSlow, reject } = Promise.withResolvers<never>();
  isSlow.catch(() => {});
  const timeout = startSlowBodyTimeout(() => reject(tooSlow()));
  let waiting = false;
  try {
    for (;;) {
      waiting = true;
      const { done, value } = await Promise.race([chunks.next(), isSlow]);
      waiting = false;
      if (done) return;
      timeout.add((value as Buffer).length);
      yield value as Buffer;
    }
  } finally {
    timeout.end();
    // An iterator that still waits for the client would wait for them to end it, too.
    if (!waiting) await chunks.return?.();
  }
}

import type { IncomingMessage } from 'node:http';

/** Milliseconds until the minimum rate applies. */
export const GRACE_PERIOD = 30_000;
/**
 * Minimum rate in bytes per second: all bytes received so far, divided by the time since the end of the grace period.
 */
export const MINIMUM_RATE = 8 * 1024;

export interface SlowBodyTimeout {
  add(bytes: number): void;
  end(): void;
}

/** Calls `onSlow`, once, if a body that begins now is slower than the minimum rate. */
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

/** Yields the chunks of a body. Throws `tooSlow()` when they arrive too slowly, but leaves the request open. */
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
    // While the iterator waits for the client, its `return` would wait too.
    if (!waiting) await chunks.return?.();
  }
}

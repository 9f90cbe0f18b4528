/**
 * What request bodies that are being read may take of the memory, all together. Small ones always pass; when too many
 * large ones come at once, the next is told to come back.
 */
import { AppwriteError } from './errors.ts';

/** Bytes of each body that do not count. */
const FREE = 64 * 1024;
/** Bytes of all bodies together. */
const LIMIT = 64 * 1024 * 1024;

let held = 0;

export interface BodyMemory {
  /** Counts bytes more of a body. Throws 503 `general_server_busy`. */
  take(bytes: number): void;
  /** The body is read, or given up. */
  release(): void;
}

/** An account for one body. */
export function bodyMemory(): BodyMemory {
  let size = 0;
  let counted = 0;
  return {
    take(bytes) {
      const more = Math.max(0, size + bytes - FREE) - counted;
      if (held + more > LIMIT) throw new AppwriteError('general_server_busy');
      size += bytes;
      held += more;
      counted += more;
    },
    release() {
      held -= counted;
      counted = 0;
    },
  };
}

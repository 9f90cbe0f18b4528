/** Limits the memory for request bodies by dropping the oldest large one, so that slow senders do not block others. */

export interface BodyMemoryLimits {
  readonly most: number;
  /** Bytes per body that do not count towards `most`; a body up to this size is never dropped (default: 0). */
  readonly free?: number;
}

export interface BodyShare {
  readonly isGone: boolean;
  hold(bytes: number): void;
  leave(): void;
}

interface Share extends BodyShare {
  isGone: boolean;
  bytes: number;
  readonly giveWay: () => void;
}

export class BodyMemory {
  readonly #most: number;
  readonly #free: number;
  #heldBytes = 0;
  /** Bodies currently in memory, oldest first. */
  readonly #shares = new Set<Share>();

  constructor({ most, free = 0 }: BodyMemoryLimits) {
    this.#most = most;
    this.#free = free;
  }

  /** Registers a new body and returns its byte counter. Calls `giveWay`, at most once, when the body is dropped. */
  enter(giveWay: () => void): BodyShare {
    const share: Share = {
      bytes: 0,
      isGone: false,
      giveWay,
      hold: (bytes) => {
        if (share.isGone) return;
        this.#heldBytes -= this.#counted(share);
        share.bytes += bytes;
        this.#heldBytes += this.#counted(share);
        this.#makeRoom(share);
      },
      leave: () => {
        if (this.#shares.delete(share)) this.#heldBytes -= this.#counted(share);
      },
    };
    this.#shares.add(share);
    return share;
  }

  #makeRoom(holder: Share): void {
    for (const first of this.#shares) {
      if (this.#heldBytes <= this.#most || first === holder) return;
      if (this.#counted(first) === 0) continue;
      first.leave();
      first.isGone = true;
      first.giveWay();
    }
  }

  #counted({ bytes }: Share): number {
    return Math.max(0, bytes - this.#free);
  }
}

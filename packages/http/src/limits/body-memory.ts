/**
 * The memory that bodies take while they come. When it is full, the large body that came first gives way, so that many slow
 * senders keep nobody out who sends at an ordinary pace.
 */

export interface BodyMemoryLimits {
  /** Bytes of all bodies together; at least one must fit. */
  readonly most: number;
  /** Bytes of each body that do not count: a body of no more never gives way (default: 0). */
  readonly free?: number;
}

/** The share of one body. */
export interface BodyShare {
  /** Others needed its memory. */
  readonly isGone: boolean;
  /** Counts bytes that came. */
  hold(bytes: number): void;
  /** The body is read, or given up. */
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
  /** In the order in which they began. */
  readonly #shares = new Set<Share>();

  constructor({ most, free = 0 }: BodyMemoryLimits) {
    this.#most = most;
    this.#free = free;
  }

  /** A share for one body; `giveWay` is called, at most once, when others need its bytes. */
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

  /** Bodies give way to those that came after them. */
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

/**
 * The memory that bodies take before it is known who sent them: a signature is over all of a body. When it is full, the
 * body that came first gives way, so that many slow senders keep nobody out who sends at an ordinary pace.
 */
export class BodyRoom {
  readonly #most: number;
  #held = 0;
  /** In the order in which they began. */
  readonly #guests = new Set<Guest>();

  /** @param most bytes of all bodies together; at least one must fit. */
  constructor(most: number) {
    this.#most = most;
  }

  /** A place for one body; `giveWay` is called, at most once, when others need its bytes. */
  enter(giveWay: () => void): Guest {
    const guest: Guest = {
      bytes: 0,
      isGone: false,
      hold: (bytes) => {
        if (guest.isGone) return;
        guest.bytes += bytes;
        this.#held += bytes;
        for (const first of this.#guests) {
          if (this.#held <= this.#most || first === guest) break;
          first.leave();
          first.isGone = true;
          first.giveWay();
        }
      },
      leave: () => {
        if (this.#guests.delete(guest)) this.#held -= guest.bytes;
      },
      giveWay,
    };
    this.#guests.add(guest);
    return guest;
  }
}

interface Guest {
  bytes: number;
  /** Its bytes were needed by others. */
  isGone: boolean;
  /** Counts bytes that came. */
  hold(bytes: number): void;
  leave(): void;
  giveWay(): void;
}

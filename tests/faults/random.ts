export type Random = ReturnType<typeof createRandom>;

export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** Returns a number of at least 0 and less than 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns an integer from `min` to `max`, inclusive. */
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (probability: number) => next() < probability,
    pick: <T>(items: readonly T[]) => items[integer(0, items.length - 1)] as T,
    bytes(length: number) {
      const block = Buffer.from(Array.from({ length: Math.min(length, 1021) }, () => integer(0, 255)));
      return Buffer.alloc(length, block.length > 0 ? block : 0);
    },
  };
}

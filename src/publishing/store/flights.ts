/**
 * Renders under way: one at a time for each page, a few at a time for all, writers first.
 *
 * One page's renders never overlap. Each reads the backend after the one before it was done, so that what is stored
 * later is never older. Whoever needs a newer result than the running render can give shares the next one.
 */

/** Most urgent first. */
export const LANES = ['write', 'read', 'background'] as const;
export type Lane = (typeof LANES)[number];

export interface Flight<Result> {
  readonly path: string;
  lane: Lane;
  /** The event that asked for it. */
  reason: string;
  /** The invalidation clock when the render began; undefined while it waits for its turn. */
  begun: number | undefined;
  readonly result: Promise<Result>;
  readonly land: (result: Result) => void;
  /** The render of the same page that comes after this one. */
  following: Flight<Result> | undefined;
}

export interface FlightOptions<Result> {
  /** Renders; never rejects. */
  readonly run: (flight: Flight<Result>) => Promise<Result>;
  readonly clock: () => number;
  /** The answer when too many readers' or background renders wait already. */
  readonly refuse: () => Result;
}

/** Of eight renders at once, readers may have six and the background two: a writer finds room. */
const SLOTS: Readonly<Record<Lane, number>> = { write: 8, read: 6, background: 2 };
const ALL_SLOTS = 8;
/** Pages, not readers: any number of readers may wait for one page. */
const MOST_WAITING: Readonly<Record<Lane, number>> = { write: Number.POSITIVE_INFINITY, read: 256, background: 10_000 };

export class Flights<Result> {
  readonly #options: FlightOptions<Result>;
  readonly #current = new Map<string, Flight<Result>>();
  readonly #waiting: Readonly<Record<Lane, Set<Flight<Result>>>> = {
    write: new Set(),
    read: new Set(),
    background: new Set(),
  };
  readonly #running = new Set<Flight<Result>>();

  constructor(options: FlightOptions<Result>) {
    this.#options = options;
  }

  /** The result of a render of the page that begins after change `after`, shared with everybody who asks alike. */
  join(path: string, after: number, lane: Lane, reason: string): Promise<Result> {
    let flight = this.#current.get(path);
    if (!flight) {
      flight = newFlight(path, lane, reason);
      this.#current.set(path, flight);
      this.#queue(flight);
    } else if (flight.begun !== undefined && flight.begun < after) {
      flight.following ??= newFlight(path, lane, reason);
      flight = flight.following;
    }
    if (flight.begun === undefined) this.#hurry(flight, lane, reason);
    return flight.result;
  }

  of(path: string): Flight<Result> | undefined {
    return this.#current.get(path);
  }

  /** The clock when the oldest running render began; undefined when none runs. */
  get oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { begun } of this.#running) if (begun !== undefined) oldest = Math.min(oldest ?? begun, begun);
    return oldest;
  }

  #hurry(flight: Flight<Result>, lane: Lane, reason: string): void {
    if (LANES.indexOf(lane) >= LANES.indexOf(flight.lane)) return;
    const waited = this.#waiting[flight.lane].delete(flight);
    flight.lane = lane;
    flight.reason = reason;
    if (waited) this.#queue(flight);
  }

  #queue(flight: Flight<Result>): void {
    const { lane, path } = flight;
    if (this.#waiting[lane].size >= MOST_WAITING[lane]) {
      this.#current.delete(path);
      flight.land(this.#options.refuse());
      return;
    }
    this.#waiting[lane].add(flight);
    this.#start();
  }

  #start(): void {
    for (const lane of LANES) {
      for (const flight of this.#waiting[lane]) {
        if (this.#running.size >= ALL_SLOTS) return;
        if (this.#runningIn(lane) >= SLOTS[lane]) break;
        this.#waiting[lane].delete(flight);
        void this.#run(flight);
      }
    }
  }

  async #run(flight: Flight<Result>): Promise<void> {
    this.#running.add(flight);
    flight.begun = this.#options.clock();
    const result = await this.#options.run(flight);
    this.#running.delete(flight);
    const { path, following } = flight;
    if (following) {
      this.#current.set(path, following);
      this.#queue(following);
    } else {
      this.#current.delete(path);
    }
    flight.land(result);
    this.#start();
  }

  #runningIn(lane: Lane): number {
    let count = 0;
    for (const flight of this.#running) if (flight.lane === lane) count++;
    return count;
  }
}

function newFlight<Result>(path: string, lane: Lane, reason: string): Flight<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  return { path, lane, reason, begun: undefined, result: promise, land: resolve, following: undefined };
}

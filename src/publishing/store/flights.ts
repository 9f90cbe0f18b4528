/**
 * Renders under way: one at a time for each page, a few at a time for all, first those that somebody waits for.
 *
 * One page's renders never overlap. Each reads the backend after readers were shown what the one before it gave, so that
 * what is stored later is never older. Its files may still be on their way when the next one begins. Whoever needs a newer result than the running render can give shares the next one.
 */

/**
 * Most urgent first. A person waits for `write` and `read`; `publish` follows a change that nobody waits for, and
 * `background` looks after pages by their age and rebuilds.
 */
const LANES = ['write', 'read', 'publish', 'background'] as const;
export type Lane = (typeof LANES)[number];

export interface Flight<Result> {
  readonly path: string;
  lane: Lane;
  /** The event that asked for it. */
  reason: string;
  /** The invalidation clock when the render began; undefined while it waits for its turn. */
  begun: number | undefined;
  /** What readers may be given: there before the result, when that takes longer. */
  readonly shown: Promise<Result>;
  readonly show: (result: Result) => void;
  isShown: boolean;
  readonly result: Promise<Result>;
  readonly land: (result: Result) => void;
  /** The render of the same page that comes after this one. */
  following: Flight<Result> | undefined;
}

export interface FlightOptions<Result> {
  /** Renders; never rejects. */
  readonly run: (flight: Flight<Result>) => Promise<Result>;
  readonly clock: () => number;
  /** True while what is left to be done of pages that are shown leaves no room for another one. */
  readonly isFull: () => boolean;
  /** The answer when too many readers' or background renders wait already. */
  readonly refuse: () => Result;
}

/** Of eight renders at once six may be writers' and six readers': neither waits for the other's flood. */
const ALL_SLOTS = 8;
const SLOTS_OF_PEOPLE = 6;
/** For whom nobody waits: two, and one while somebody waits for another page, so that it never stands still. */
const QUIET_SLOTS = 2;
const QUIET_SLOTS_BESIDE_PEOPLE = 1;
/** Pages, not readers: any number of readers may wait for one page. */
const MOST_WAITING: Readonly<Record<Lane, number>> = {
  write: Number.POSITIVE_INFINITY,
  read: 256,
  publish: 10_000,
  background: 10_000,
};

export class Flights<Result> {
  readonly #options: FlightOptions<Result>;
  readonly #current = new Map<string, Flight<Result>>();
  readonly #waiting: Readonly<Record<Lane, Set<Flight<Result>>>> = {
    write: new Set(),
    read: new Set(),
    publish: new Set(),
    background: new Set(),
  };
  readonly #running = new Set<Flight<Result>>();
  /** Shown, without their result. */
  readonly #finishing = new Set<Flight<Result>>();
  readonly #atLeisure = new Set<() => void>();
  /** Set when the end is near: called when nothing is being rendered. */
  #rested: (() => void) | undefined;

  constructor(options: FlightOptions<Result>) {
    this.#options = options;
  }

  /** The render of the page that begins after change `after`, shared with everybody who asks alike. */
  join(path: string, after: number, lane: Lane, reason: string): Flight<Result> {
    let flight = this.#current.get(path);
    if (!flight) {
      flight = newFlight(path, lane, reason);
      this.#current.set(path, flight);
      this.#queue(flight);
    } else if (flight.begun !== undefined && flight.begun < after) {
      const next = flight.following ?? newFlight(path, lane, reason);
      if (flight.isShown) {
        this.#current.set(path, next);
        this.#queue(next);
      } else {
        flight.following = next;
      }
      flight = next;
    }
    if (flight.begun === undefined) this.#hurry(flight, lane, reason);
    return flight;
  }

  /** Somebody waits for this page from now on. */
  hurry(path: string, lane: Lane, reason: string): void {
    for (let flight = this.#current.get(path); flight; flight = flight.following) {
      if (flight.begun === undefined) this.#hurry(flight, lane, reason);
    }
  }

  of(path: string): Flight<Result> | undefined {
    return this.#current.get(path);
  }

  /** Of those of a page that are under way or wait for their turn, the last. */
  last(path: string): Flight<Result> | undefined {
    let flight = this.#current.get(path);
    while (flight?.following) flight = flight.following;
    return flight;
  }

  /** Resolves when nothing is being rendered, after so many milliseconds at the latest. */
  leisure(milliseconds: number): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    const end = () => {
      this.#atLeisure.delete(end);
      clearTimeout(timer);
      resolve();
    };
    this.#atLeisure.add(end);
    return promise.finally(end);
  }

  /** Before the end: begins no render any more for which nobody waits, and ends when none is under way. */
  rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#rested = resolve;
    this.#start();
    return promise;
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
      land(flight, this.#options.refuse());
      return;
    }
    this.#waiting[lane].add(flight);
    this.#start();
  }

  #start(): void {
    for (const lane of LANES) {
      for (const flight of this.#waiting[lane]) {
        if (!this.#hasRoomFor(lane)) break;
        this.#waiting[lane].delete(flight);
        void this.#run(flight);
      }
    }
    if (this.#running.size > 0) return;
    for (const end of this.#atLeisure) end();
    this.#rested?.();
  }

  #hasRoomFor(lane: Lane): boolean {
    if (this.#running.size >= ALL_SLOTS) return false;
    if (this.#finishing.size > 0 && this.#options.isFull()) return false;
    if (isOfPeople(lane)) return this.#runningIn(lane) < SLOTS_OF_PEOPLE;
    if (this.#rested) return false;
    const people = this.#waiting.write.size + this.#waiting.read.size + this.#runningIn('write', 'read');
    return this.#runningIn('publish', 'background') < (people > 0 ? QUIET_SLOTS_BESIDE_PEOPLE : QUIET_SLOTS);
  }

  async #run(flight: Flight<Result>): Promise<void> {
    this.#running.add(flight);
    flight.begun = this.#options.clock();
    void flight.shown.then(() => {
      // What is left to be done takes no slot from those who wait.
      if (!this.#running.delete(flight)) return;
      this.#finishing.add(flight);
      if (flight.following) this.#follow(flight);
      this.#start();
    });
    const result = await this.#options.run(flight);
    this.#running.delete(flight);
    this.#finishing.delete(flight);
    this.#follow(flight);
    land(flight, result);
    this.#start();
  }

  /** The next render of the page, if there is one, takes the place of this one. */
  #follow(flight: Flight<Result>): void {
    const { path, following } = flight;
    if (this.#current.get(path) !== flight) return;
    if (following) {
      this.#current.set(path, following);
      this.#queue(following);
    } else {
      this.#current.delete(path);
    }
  }

  #runningIn(...lanes: readonly Lane[]): number {
    let count = 0;
    for (const flight of this.#running) if (lanes.includes(flight.lane)) count++;
    return count;
  }
}

const isOfPeople = (lane: Lane): boolean => lane === 'write' || lane === 'read';

function newFlight<Result>(path: string, lane: Lane, reason: string): Flight<Result> {
  const { promise: shown, resolve } = Promise.withResolvers<Result>();
  const { promise: result, resolve: land } = Promise.withResolvers<Result>();
  const show = (result: Result) => {
    flight.isShown = true;
    resolve(result);
  };
  const flight: Flight<Result> = {
    path,
    lane,
    reason,
    begun: undefined,
    shown,
    show,
    isShown: false,
    result,
    land,
    following: undefined,
  };
  return flight;
}

function land<Result>(flight: Flight<Result>, result: Result): void {
  flight.show(result);
  flight.land(result);
}

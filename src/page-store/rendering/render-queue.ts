/** Queues renders. Requests that wait for a page share one render, and a page's renders never overlap. */

/** Most urgent first. A person waits for `write` and `read`; `publish` follows a change; `background` is upkeep. */
const PRIORITIES = ['write', 'read', 'publish', 'background'] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface RenderJob<Result> {
  readonly path: string;
  priority: Priority;
  reason: string;
  /** The value of the invalidation clock when the render began; undefined while the render waits. */
  begun: number | undefined;
  readonly requesters: Set<string>;
  readonly result: Promise<Result>;
  readonly resolve: (result: Result) => void;
  following: RenderJob<Result> | undefined;
}

export interface RenderQueueOptions<Result> {
  readonly run: (job: RenderJob<Result>) => Promise<Result>;
  readonly clock: () => number;
  readonly refuse: () => Result;
}

/** Each group, writers and readers, may use at most six of the eight slots, so neither can block the other. */
const ALL_SLOTS = 8;
const SLOTS_OF_PEOPLE = 6;
/** Maximum slots for renders that no user waits for. The second limit applies while users wait for other renders. */
const IDLE_SLOTS = 2;
const IDLE_SLOTS_WHILE_BUSY = 1;
/** Maximum concurrent `write` renders per user. Any beyond that are queued as `publish`, to leave slots for others. */
const MAX_URGENT_PER_PERSON = 3;
/** Maximum number of waiting pages per priority. Any number of readers may wait for each page. */
const MOST_WAITING: Readonly<Record<Priority, number>> = {
  write: Number.POSITIVE_INFINITY,
  read: 256,
  publish: 10_000,
  background: 10_000,
};

export class RenderQueue<Result> {
  readonly #options: RenderQueueOptions<Result>;
  readonly #current = new Map<string, RenderJob<Result>>();
  readonly #waiting: Readonly<Record<Priority, Set<RenderJob<Result>>>> = {
    write: new Set(),
    read: new Set(),
    publish: new Set(),
    background: new Set(),
  };
  readonly #running = new Set<RenderJob<Result>>();
  readonly #urgent = new Map<string, number>();
  #onIdle: (() => void) | undefined;

  constructor(options: RenderQueueOptions<Result>) {
    this.#options = options;
  }

  /** Finds or queues a render that includes change `after`. @param requester the user who waits for a `write` render */
  join(path: string, after: number, wanted: Priority, reason: string, requester?: string): RenderJob<Result> {
    let job = this.#current.get(path);
    if (!job) {
      job = newJob(path, 'background', reason);
      job.priority = this.#grant(job, wanted, requester);
      this.#current.set(path, job);
      this.#enqueue(job);
      return job;
    }
    if (job.begun !== undefined && job.begun < after) {
      job.following ??= newJob(path, 'background', reason);
      job = job.following;
    }
    if (job.begun === undefined) this.#raise(job, this.#grant(job, wanted, requester), reason);
    return job;
  }

  prioritise(path: string, priority: Priority, reason: string, requester?: string): void {
    for (let job = this.#current.get(path); job; job = job.following) {
      if (job.begun === undefined) this.#raise(job, this.#grant(job, priority, requester), reason);
    }
  }

  /** Returns the page's running or next render. */
  current(path: string): RenderJob<Result> | undefined {
    return this.#current.get(path);
  }

  /** Returns the page's render that will end last, running or waiting. */
  last(path: string): RenderJob<Result> | undefined {
    let job = this.#current.get(path);
    while (job?.following) job = job.following;
    return job;
  }

  /** Starts no more `background` renders, because no writer waits for them. Resolves once no render is running. */
  idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    this.#start();
    return promise;
  }

  /**
   * Returns the value of the invalidation clock when the oldest running render began; undefined if no render is
   * running.
   */
  get oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { begun } of this.#running) if (begun !== undefined) oldest = Math.min(oldest ?? begun, begun);
    return oldest;
  }

  #grant(job: RenderJob<Result>, priority: Priority, requester: string | undefined): Priority {
    if (priority !== 'write' || requester === undefined || job.requesters.has(requester)) return priority;
    const urgent = this.#urgent.get(requester) ?? 0;
    if (urgent >= MAX_URGENT_PER_PERSON) return 'publish';
    this.#urgent.set(requester, urgent + 1);
    job.requesters.add(requester);
    return priority;
  }

  #release({ requesters }: RenderJob<Result>): void {
    for (const requester of requesters) {
      const left = (this.#urgent.get(requester) ?? 1) - 1;
      if (left > 0) this.#urgent.set(requester, left);
      else this.#urgent.delete(requester);
    }
  }

  #raise(job: RenderJob<Result>, priority: Priority, reason: string): void {
    if (PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(job.priority)) return;
    const waited = this.#waiting[job.priority].delete(job);
    job.priority = priority;
    job.reason = reason;
    if (waited) this.#enqueue(job);
  }

  #enqueue(job: RenderJob<Result>): void {
    const { priority, path } = job;
    if (this.#waiting[priority].size >= MOST_WAITING[priority]) {
      this.#current.delete(path);
      this.#release(job);
      job.resolve(this.#options.refuse());
      return;
    }
    this.#waiting[priority].add(job);
    this.#start();
  }

  #start(): void {
    for (const priority of PRIORITIES) {
      for (const job of this.#waiting[priority]) {
        if (!this.#hasRoomFor(priority)) break;
        this.#waiting[priority].delete(job);
        void this.#run(job);
      }
    }
    if (this.#running.size === 0) this.#onIdle?.();
  }

  #hasRoomFor(priority: Priority): boolean {
    if (this.#running.size >= ALL_SLOTS) return false;
    if (isOfPeople(priority)) return this.#countRunning(priority) < SLOTS_OF_PEOPLE;
    if (this.#onIdle && priority === 'background') return false;
    const people = this.#waiting.write.size + this.#waiting.read.size + this.#countRunning('write', 'read');
    return this.#countRunning('publish', 'background') < (people > 0 ? IDLE_SLOTS_WHILE_BUSY : IDLE_SLOTS);
  }

  async #run(job: RenderJob<Result>): Promise<void> {
    this.#running.add(job);
    job.begun = this.#options.clock();
    const result = await this.#options.run(job);
    this.#running.delete(job);
    this.#release(job);
    const { path, following } = job;
    if (following) {
      this.#current.set(path, following);
      this.#enqueue(following);
    } else {
      this.#current.delete(path);
    }
    job.resolve(result);
    this.#start();
  }

  #countRunning(...priorities: readonly Priority[]): number {
    let count = 0;
    for (const job of this.#running) if (priorities.includes(job.priority)) count++;
    return count;
  }
}

const isOfPeople = (priority: Priority): boolean => priority === 'write' || priority === 'read';

function newJob<Result>(path: string, priority: Priority, reason: string): RenderJob<Result> {
  const { promise: result, resolve } = Promise.withResolvers<Result>();
  return { path, priority, reason, begun: undefined, requesters: new Set(), result, resolve, following: undefined };
}

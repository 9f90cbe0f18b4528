/**
 * Documents as JSON in UTF-8, for as long as they stay as they are. Bounded by bytes; the oldest go first, those used
 * since they were put (or last spared) are spared once. The bytes lie outside the heap, where no collection of garbage
 * goes through them, and are sent as they are.
 *
 * Why it cannot be stale: entries are put only by reads, which never run between a write and its commit (one connection,
 * a batch is one turn of the event loop); every write of a document drops its entries before it returns; a change of the
 * collection gives new plans, whose numbers no entry has; and a document's sequence is never used twice.
 */
export interface CachedDocument {
  readonly id: string;
  readonly sequence: number;
  /** Without the closing part that names database and collection. */
  readonly json: Buffer;
  /** JSON text of its permission list. */
  readonly permissions: string;
}

interface Entry {
  readonly document: CachedDocument;
  used: boolean;
}

/** What an entry costs besides its JSON, bytes, about. */
const ENTRY = 500;

/** Plans are numbered from 1; a sequence fits below this. */
const PLAN_STEP = 2 ** 36;

export class DocumentCache {
  readonly #limit: number;
  readonly #bySequence = new Map<number, Entry>();
  readonly #byId = new Map<string, Entry>();
  #size = 0;

  /** @param limit most bytes kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(plan: number, sequence: number): CachedDocument | undefined {
    return use(this.#bySequence.get(plan * PLAN_STEP + sequence));
  }

  getById(plan: number, id: string): CachedDocument | undefined {
    return use(this.#byId.get(`${plan}/${id}`));
  }

  put(plan: number, document: CachedDocument): void {
    // A document that fills much of the cache would cost more others than it is worth.
    if (document.json.length > this.#limit / 16) return;
    this.drop(plan, document.sequence);
    const entry = { document, used: false };
    this.#bySequence.set(plan * PLAN_STEP + document.sequence, entry);
    this.#byId.set(`${plan}/${document.id}`, entry);
    this.#size += document.json.length + ENTRY;
    if (this.#size > this.#limit) this.#shrink();
  }

  drop(plan: number, sequence: number): void {
    const key = plan * PLAN_STEP + sequence;
    const entry = this.#bySequence.get(key);
    if (!entry) return;
    this.#bySequence.delete(key);
    this.#byId.delete(`${plan}/${entry.document.id}`);
    this.#size -= entry.document.json.length + ENTRY;
  }

  /** Goes through the entries from the oldest; a spared one goes to the end, where it is met again if need be. */
  #shrink(): void {
    for (const [key, entry] of this.#bySequence) {
      if (this.#size <= this.#limit) return;
      if (entry.used) {
        entry.used = false;
        this.#bySequence.delete(key);
        this.#bySequence.set(key, entry);
      } else {
        this.drop(Math.floor(key / PLAN_STEP), key % PLAN_STEP);
      }
    }
  }
}

function use(entry: Entry | undefined): CachedDocument | undefined {
  if (!entry) return undefined;
  entry.used = true;
  return entry.document;
}

/**
 * Documents as JSON, for as long as they stay as they are. Bounded by characters; the least recently used go first.
 *
 * Why it cannot be stale: entries are put only by reads, which never run between a write and its commit (one connection,
 * a batch is one turn of the event loop); every write of a document drops its entries before it returns; a change of the
 * collection gives new plans, whose numbers no entry has; and a document's sequence is never used twice.
 */
export interface CachedDocument {
  readonly id: string;
  readonly sequence: number;
  /** Without the closing part that names database and collection. */
  readonly json: string;
  /** JSON text of its permission list. */
  readonly permissions: string;
}

/** Plans are numbered from 1; a sequence fits below this. */
const PLAN_STEP = 2 ** 36;

export class DocumentCache {
  readonly #limit: number;
  readonly #bySequence = new Map<number, CachedDocument>();
  readonly #byId = new Map<string, CachedDocument>();
  #size = 0;

  /** @param limit most characters kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(plan: number, sequence: number): CachedDocument | undefined {
    const key = plan * PLAN_STEP + sequence;
    const found = this.#bySequence.get(key);
    if (found) {
      this.#bySequence.delete(key);
      this.#bySequence.set(key, found);
    }
    return found;
  }

  getById(plan: number, id: string): CachedDocument | undefined {
    const found = this.#byId.get(`${plan}/${id}`);
    return found && this.get(plan, found.sequence);
  }

  put(plan: number, document: CachedDocument): void {
    if (document.json.length > this.#limit / 16) return;
    this.drop(plan, document.sequence);
    this.#bySequence.set(plan * PLAN_STEP + document.sequence, document);
    this.#byId.set(`${plan}/${document.id}`, document);
    this.#size += document.json.length;
    while (this.#size > this.#limit) {
      const oldest = this.#bySequence.keys().next().value;
      if (oldest === undefined) return;
      this.drop(Math.floor(oldest / PLAN_STEP), oldest % PLAN_STEP);
    }
  }

  drop(plan: number, sequence: number): void {
    const key = plan * PLAN_STEP + sequence;
    const found = this.#bySequence.get(key);
    if (!found) return;
    this.#bySequence.delete(key);
    this.#byId.delete(`${plan}/${found.id}`);
    this.#size -= found.json.length;
  }
}

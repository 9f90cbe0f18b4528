/** The bus between services and whoever listens: realtime, webhooks, the site's revalidation. */

/** One change, told after it is committed. */
export interface BackendEvent {
  /** Concrete name first, e.g. `databases.blog.collections.articles.documents.x.create`, then its wildcard variants. */
  readonly events: readonly string[];
  /** Realtime channels, in the contract's order. */
  readonly channels: readonly string[];
  /** Roles that may receive it. */
  readonly roles: readonly string[];
  /** The same JSON as the HTTP answer. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** What webhooks get in its place: the secret of a token, for whoever sends mails of their own. */
  readonly webhookPayload?: Readonly<Record<string, unknown>>;
  /**
   * Of an update, the keys whose values are other than before: of the attributes, `$createdAt` and `$permissions`, and
   * `$updatedAt` where it alone is. Absent where something came or went, or what it was is not known.
   */
  readonly changed?: readonly string[] | undefined;
  /** The author of the change; absent when a key made it. */
  readonly userId?: string;
  /** ISO date of the contract's form. */
  readonly timestamp: string;
}

/** May give a promise: a change of documents is answered when it ends, so it must be short. */
export type EventListener = (event: BackendEvent) => unknown;

/** Delivers each event to every listener, in order; a listener's failure is reported and stops nobody. */
export class EventBus {
  readonly #listeners = new Set<EventListener>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Subscribes; gives the function that unsubscribes. */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Gives what to wait for when a listener asks for that; it never rejects. */
  emit(event: BackendEvent): Promise<unknown> | undefined {
    const work: Promise<unknown>[] = [];
    for (const listener of this.#listeners) {
      try {
        const listened = listener(event);
        if (listened instanceof Promise) work.push(listened.catch(this.#report));
      } catch (error) {
        this.#report(error);
      }
    }
    return work.length > 0 ? Promise.all(work) : undefined;
  }
}

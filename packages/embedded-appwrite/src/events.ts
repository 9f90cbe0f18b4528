export interface BackendEvent {
  /** Concrete name first, e.g. `databases.blog.collections.articles.documents.x.create`, then its wildcard variants. */
  readonly events: readonly string[];
  readonly channels: readonly string[];
  readonly roles: readonly string[];
  /** The same JSON as in the HTTP response. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Sent to webhooks instead of `payload`: includes a token's secret, for servers that send their own emails. */
  readonly webhookPayload?: Readonly<Record<string, unknown>>;
  /** Changed keys of an updated document (see `DocumentTable.changed`); absent for all other events. */
  readonly changed?: readonly string[] | undefined;
  /** The user who made the change; absent if a guest or a caller with a server key made it. */
  readonly userId?: string;
  readonly timestamp: string;
}

/** May return a promise. The response to a document change waits until it settles. */
export type EventListener = (event: BackendEvent) => unknown;

/** Delivers each event to every listener, in order. A failing listener is reported and does not stop the others. */
export class EventBus {
  readonly #listeners = new Set<EventListener>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns a promise that resolves once all listeners are done or have failed; undefined if none returned one. */
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

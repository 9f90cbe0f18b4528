/** Limits the memory taken by responses that clients have not read yet, in total and per network. */
import { CountByKey } from '@common-ink/http/limits/count-by-key.ts';
import { AppwriteError } from './errors.ts';

/** Responses of up to this many bytes do not count as unread. */
const FREE = 64 * 1024;

export class UnreadAnswers {
  readonly #limit: number;
  readonly #ofNetwork: number;
  readonly #held = new CountByKey();
  #sum = 0;

  /** @param limit maximum bytes for all networks. @param ofNetwork maximum bytes for one network */
  constructor(limit = 64 * 1024 * 1024, ofNetwork = 16 * 1024 * 1024) {
    this.#limit = limit;
    this.#ofNetwork = ofNetwork;
  }

  /** Counts a response until the returned function is called. Throws 503 `general_server_busy` above a limit. */
  take(network: () => string, bytes: number): (() => void) | undefined {
    if (bytes <= FREE) return undefined;
    const name = network();
    const held = this.#held.get(name);
    // A network without an unread response is never refused.
    const isCrowded = this.#sum + bytes > this.#limit || held + bytes > this.#ofNetwork;
    if (held > 0 && isCrowded) throw new AppwriteError('general_server_busy');
    this.#sum += bytes;
    this.#held.add(name, bytes);
    return () => {
      this.#sum -= bytes;
      this.#held.add(name, -bytes);
    };
  }
}

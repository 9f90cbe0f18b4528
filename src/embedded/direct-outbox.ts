/** Mails that services hand over to be sent. */
import type { Store } from './sqlite/store.ts';

export interface Outbox<Mail> {
  /** Runs `work` in one write; what it enqueues is sent once that is on disk. */
  write<T>(work: (enqueue: (mail: Mail) => void) => T): Promise<T>;
}

/** An outbox that keeps nothing: mails are handed over once what caused them is on disk. */
export function directOutbox<Mail>(store: Store, send: (mail: Mail) => void): Outbox<Mail> {
  return {
    async write(work) {
      const mails: Mail[] = [];
      const done = await store.write(() => {
        mails.length = 0;
        return work((mail) => mails.push(mail));
      });
      mails.forEach(send);
      return done;
    },
  };
}

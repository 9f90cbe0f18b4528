/** Pages that readers have while their compressed forms and their files are still being made. */
import { type Coding, compressAs, type MadeForms } from './bodies.ts';
import type { Encoding } from './encoding.ts';
import type { Entry } from './entry.ts';

export class Unfinished {
  /** Whether its files are in place in the end; false when it was taken away or replaced before. */
  readonly stored: Promise<boolean>;
  readonly #identity: Buffer;
  readonly #asked = new Map<Coding, Promise<Buffer>>();
  #made: MadeForms = {};

  constructor(identity: Buffer, work: (page: Unfinished) => Promise<boolean>) {
    this.#identity = identity;
    this.stored = work(this);
  }

  /** The compressed forms that are there by now. */
  get made(): MadeForms {
    return this.#made;
  }

  /** Ends when nobody waits for a form any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#asked.values());
  }

  add(forms: MadeForms): void {
    this.#made = { ...this.#made, ...forms };
  }

  /** A form for somebody who waits for it: made now, whatever else is to be made. */
  form(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return Promise.resolve(this.#identity);
    const made = this.#made[encoding];
    if (made) return Promise.resolve(made);
    const asked = this.#asked.get(encoding) ?? this.#make(encoding);
    this.#asked.set(encoding, asked);
    return asked;
  }

  async #make(coding: Coding): Promise<Buffer> {
    const form = await compressAs(coding, this.#identity);
    this.add({ [coding]: form });
    return form;
  }
}

/** Those of a store, with what they hold in memory. */
export class UnfinishedPages {
  readonly #pages = new Map<Entry, Unfinished>();
  #bytes = 0;

  /** Of all of them, uncompressed. */
  get bytes(): number {
    return this.#bytes;
  }

  of(entry: Entry): Unfinished | undefined {
    return this.#pages.get(entry);
  }

  /** Until `work` ends, with what it gives, the page is among them. */
  add(entry: Entry, identity: Buffer, work: (page: Unfinished) => Promise<boolean>): Promise<boolean> {
    const page = new Unfinished(identity, (self) => work(self).finally(() => this.#delete(entry, identity)));
    this.#pages.set(entry, page);
    this.#bytes += identity.length;
    return page.stored;
  }

  #delete(entry: Entry, identity: Buffer): void {
    if (this.#pages.delete(entry)) this.#bytes -= identity.length;
  }
}

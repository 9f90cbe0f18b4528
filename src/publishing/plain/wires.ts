/**
 * Answers of stored pages as they go over the wire. Their date and age are whole seconds, so what is asked for more than
 * once in a second is put together once, and goes out as one piece.
 */
import { holdsAlready } from '../store/conditional.ts';
import { type Held, showAge } from '../store/resident.ts';
import type { PlainRead } from './plain-read.ts';

export interface WireAnswer {
  /** The whole answer, or its head alone: */
  readonly bytes: Buffer;
  /** what follows then. */
  readonly body?: Buffer;
}

/** Whoever answers plain reads with ready bytes. */
export interface PlainAnswers {
  /** On a connection that stays open for `keepAlive` seconds. Undefined for a page that is not current and in memory. */
  answer(read: PlainRead, keepAlive: number): WireAnswer | undefined;
}

interface Wire {
  readonly twoPieces: WireAnswer;
  readonly head: WireAnswer;
  readonly notModified: WireAnswer;
  /** Made for the second reader. */
  whole: WireAnswer | undefined;
}

/** Longer bodies are not copied to save a call of the system. */
const LONGEST_WHOLE = 64 * 1024;
/** Most bytes of whole answers at once. */
const MOST_BYTES = 4 * 1024 * 1024;
/** About what the heads of an answer take. */
const HEADS = 4 * 1024;

export class Wires {
  readonly #wires = new Map<Held, Wire>();
  #bytes = 0;
  /** Seconds since 1970, and what all heads of this second end with. */
  #now = -1;
  #end = '';

  /** The bytes that answer `read` with this form of the page. `keepAlive` in seconds. */
  answer(held: Held, read: PlainRead, now: number, keepAlive: number): WireAnswer {
    if (now !== this.#now) this.#begin(now, keepAlive);
    const known = this.#wires.get(held);
    const wire = known ?? this.#made(held);
    if (read.ifNoneMatch !== undefined && holdsAlready(read.ifNoneMatch, held.etag)) return wire.notModified;
    if (read.isHead) return wire.head;
    if (wire.whole) return wire.whole;
    if (!known || held.body.length > LONGEST_WHOLE) return wire.twoPieces;
    wire.whole = { bytes: Buffer.concat([wire.head.bytes, held.body]) };
    this.#bytes += wire.whole.bytes.length;
    return wire.whole;
  }

  #begin(now: number, keepAlive: number): void {
    this.#now = now;
    this.#end = `Date: ${new Date(now * 1000).toUTCString()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}\r\n\r\n`;
    this.#forget();
  }

  #forget(): void {
    this.#wires.clear();
    this.#bytes = 0;
  }

  #made(held: Held): Wire {
    if (this.#bytes > MOST_BYTES) this.#forget();
    const age = Math.max(0, this.#now - held.entry.checkedAt);
    if (age !== held.age) showAge(held, age);
    const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${lines(held.head)}${this.#end}`, 'latin1');
    const notModified = Buffer.from(`HTTP/1.1 304 Not Modified\r\n${lines(held.notModified)}${this.#end}`, 'latin1');
    const wire: Wire = {
      twoPieces: { bytes, body: held.body },
      head: { bytes },
      notModified: { bytes: notModified },
      whole: undefined,
    };
    this.#wires.set(held, wire);
    this.#bytes += HEADS;
    return wire;
  }
}

function lines(headers: readonly string[]): string {
  let text = '';
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return text;
}

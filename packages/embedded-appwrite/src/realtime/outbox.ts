/** Limits the memory for messages that wait for slow clients, by dropping the clients that are furthest behind. */
import type { Duplex } from 'node:stream';

/** Maximum size of all waiting messages in bytes. A message counts once, no matter how many sockets it waits for. */
const LIMIT = 32 * 1024 * 1024;
/** Approximate overhead of a waiting message, in bytes per socket. */
const WAITING = 512;

export interface Recipient {
  /**
   * The WebSocket's underlying stream. Frames bypass `ws`, which cannot share part of a frame among sockets.
   */
  readonly stream: Duplex;
  drop(): void;
}

export interface SharedPart {
  readonly bytes: Buffer;
  readonly waiting: Set<Recipient>;
}

/** Returns the header of an unmasked, uncompressed server text frame (RFC 6455, 5.2). */
export function frameHeader(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length]);
  if (length < 65_536) return Buffer.from([0x81, 126, length >> 8, length & 0xff]);
  const header = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUIntBE(length, 4, 6);
  return header;
}

export class Outbox {
  readonly #limit: number;
  /** Message parts that at least one socket is still waiting for, oldest first. */
  readonly #parts = new Set<SharedPart>();
  #held = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  share(text: string): SharedPart {
    return { bytes: Buffer.from(text), waiting: new Set() };
  }

  /** Sends `part` followed by `rest` as a single message, without copying `part`. */
  send(recipient: Recipient, part: SharedPart, rest = ''): void {
    const { stream } = recipient;
    const end = Buffer.from(rest);
    this.#hold(part, recipient);
    stream.cork();
    stream.write(frameHeader(part.bytes.length + end.length));
    stream.write(part.bytes);
    // Node calls this callback once the message has been sent or the socket has been closed.
    stream.write(end, () => this.#release(part, recipient));
    stream.uncork();
    this.#shrink();
  }

  #hold(part: SharedPart, recipient: Recipient): void {
    if (part.waiting.size === 0) {
      this.#parts.add(part);
      this.#held += part.bytes.length;
    }
    part.waiting.add(recipient);
    this.#held += WAITING;
  }

  #release(part: SharedPart, recipient: Recipient): void {
    if (!part.waiting.delete(recipient)) return;
    this.#held -= WAITING;
    if (part.waiting.size > 0) return;
    this.#held -= part.bytes.length;
    this.#parts.delete(part);
  }

  #shrink(): void {
    for (const part of this.#parts) {
      if (this.#held <= this.#limit) return;
      for (const recipient of [...part.waiting]) {
        this.#release(part, recipient);
        recipient.drop();
      }
    }
  }
}

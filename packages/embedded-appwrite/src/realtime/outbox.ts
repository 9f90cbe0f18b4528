/**
 * What waits for clients that do not read as fast as things happen, bounded over all sockets together: beyond the bound
 * the clients that lag furthest behind are dropped. They connect again, as after any loss of the network.
 */
import type { Duplex } from 'node:stream';

/** Bytes of messages that wait, each counted once however many sockets it waits for. */
const LIMIT = 32 * 1024 * 1024;
/** Bytes that one more waiting socket costs, about. */
const WAITING = 512;

/** A socket that messages go to. */
export interface Recipient {
  /** Below the WebSocket; frames are written to it directly, since the library would not share a part of one. */
  readonly stream: Duplex;
  /** Drops the socket with its waiting messages. */
  drop(): void;
}

/** The beginning of a message, the same for all recipients. */
export interface SharedPart {
  readonly bytes: Buffer;
  readonly waiting: Set<Recipient>;
}

/** The header of a text frame of a server, whole and not compressed (RFC 6455, 5.2). */
export function frameHeader(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length]);
  if (length < 65_536) return Buffer.from([0x81, 126, length >> 8, length & 0xff]);
  const header = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUIntBE(length, 4, 6);
  return header;
}

export class Outbox {
  readonly #limit: number;
  /** Oldest first. */
  readonly #parts = new Set<SharedPart>();
  #held = 0;

  /** @param limit most bytes that wait */
  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** For `send`, any number of times. */
  share(text: string): SharedPart {
    return { bytes: Buffer.from(text), waiting: new Set() };
  }

  /** Sends one message: the shared part, then `rest`. Nothing of the shared part is copied. */
  send(recipient: Recipient, part: SharedPart, rest = ''): void {
    const { stream } = recipient;
    const end = Buffer.from(rest);
    this.#hold(part, recipient);
    stream.cork();
    stream.write(frameHeader(part.bytes.length + end.length));
    stream.write(part.bytes);
    // Called when the message has left for the network, and also when the socket is gone.
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

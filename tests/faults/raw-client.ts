/** Sends any bytes over raw sockets, one request at a time, and reports the answer and whether it ended in time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A status, `closed` if the server ended the connection without one, `hang` if no answer came in time. */
export type Outcome = number | 'closed' | 'hang';

/** Milliseconds, longer than any answer may take. */
const PATIENCE = 20_000;

interface RawResponse {
  readonly outcome: Outcome;
  readonly reusable: boolean;
}

/** Returns the status of the answer once its length is known and complete. */
function complete(bytes: Buffer, method: string): { status: number; closes: boolean } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const closes = /\r\nconnection: close/i.test(head);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const bodiless = method === 'HEAD' || status === 204 || status === 304;
  if (bodiless || bytes.length >= end + 4 + length) return { status, closes };
  return undefined;
}

export class RawClient {
  readonly #port: number;
  #kept: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async #socket(): Promise<Socket> {
    if (this.#kept && !this.#kept.destroyed && this.#kept.writable) return this.#kept;
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => {});
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    this.#kept = socket;
    return socket;
  }

  async ask(method: string, bytes: Buffer): Promise<Outcome> {
    const socket = await this.#socket();
    const { outcome, reusable } = await this.#roundTrip(socket, bytes, (received) => complete(received, method));
    if (!reusable) {
      socket.destroy();
      this.#kept = undefined;
    }
    return outcome;
  }

  /** Sends bytes that are not a whole request and waits for the end of the connection. */
  async babble(bytes: Buffer): Promise<Outcome> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => {});
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    const answer = this.#roundTrip(socket, bytes, () => undefined);
    socket.end();
    const { outcome } = await answer;
    socket.destroy();
    return outcome;
  }

  close(): void {
    this.#kept?.destroy();
  }

  #roundTrip(
    socket: Socket,
    bytes: Buffer,
    whole: (received: Buffer) => { status: number; closes: boolean } | undefined,
  ): Promise<RawResponse> {
    return new Promise((resolve) => {
      let received = Buffer.alloc(0) as Buffer;
      const timer = setTimeout(() => finish({ outcome: 'hang', reusable: false }), PATIENCE);
      const finish = (answer: RawResponse): void => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClose);
        resolve(answer);
      };
      const onData = (chunk: Buffer): void => {
        received = Buffer.concat([received, chunk]);
        const answer = whole(received);
        if (answer) finish({ outcome: answer.status, reusable: !answer.closes });
      };
      const onClose = (): void => {
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received.toString('latin1', 0, 20))?.[1]);
        finish({ outcome: Number.isNaN(status) ? 'closed' : status, reusable: false });
      };
      socket.on('data', onData).on('close', onClose);
      socket.write(bytes);
    });
  }
}

import { WebSocket } from 'ws';
import { PROJECT } from './backend.ts';

export interface Frame {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read frames of any shape
  readonly data: any;
}

export type TestSocket = ReturnType<typeof openSocket>;

/** Opens `/v1/realtime?<query>` without waiting for `connected`. */
export function openSocket(
  origin: string,
  { query = `project=${PROJECT}`, headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/realtime?${query}`, { headers });
  const frames: Frame[] = [];
  const waiting: ((frame: Frame) => void)[] = [];
  socket.on('error', () => {});
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame;
    const taker = waiting.shift();
    if (taker) taker(frame);
    else frames.push(frame);
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const next = (): Promise<Frame> => {
    const frame = frames.shift();
    return frame ? Promise.resolve(frame) : new Promise((resolve) => waiting.push(resolve));
  };
  const ask = (frame: unknown) => {
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    return next();
  };
  return {
    ...{ socket, next, ask, closed },
    subscribe: (subscriptionId: string, channels: readonly string[], queries: readonly string[] = []) =>
      ask({ type: 'subscribe', data: [{ subscriptionId, channels, queries }] }),
    /** Sends a ping and returns the unread frames that arrived before its reply. */
    async rest() {
      socket.send('{"type":"ping"}');
      const came: Frame[] = [];
      for (let frame = await next(); frame.type !== 'pong'; frame = await next()) came.push(frame);
      return came;
    },
    close: () => socket.terminate(),
  };
}

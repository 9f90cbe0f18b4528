/** Errors that are sent as an `error` frame (contract 2.6). */

export const CODES = {
  /** The frame is not understood; the socket stays open. */
  format: 1003,
  /** The connection is not wanted; it is closed. */
  policy: 1008,
  /** Too many messages or connections. */
  busy: 1013,
} as const;

export class FrameError extends Error {
  override readonly name = 'FrameError';
  readonly code: number;

  constructor(message: string, code: number = CODES.format) {
    super(message);
    this.code = code;
  }
}

/** The `error` frame. */
export function errorFrame(code: number, message: string): string {
  return JSON.stringify({ type: 'error', data: { code, message } });
}

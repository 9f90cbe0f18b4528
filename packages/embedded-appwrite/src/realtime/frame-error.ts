/** Errors sent as an `error` frame (contract 2.6). */

export const CODES = {
  /** Invalid frame; the socket stays open. */
  format: 1003,
  /** Refused connection; it is closed. */
  policy: 1008,
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

export function errorFrame(code: number, message: string): string {
  return JSON.stringify({ type: 'error', data: { code, message } });
}

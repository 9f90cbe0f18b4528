/** Reports that the data cannot be used or written; the message tells the operator what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /**
   * `ENOSPC`: the disk is full, but earlier writes are safe. `damaged`: the database is damaged; writes are refused.
   */
  readonly code: 'ENOSPC' | 'damaged' | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { readonly code?: StoreError['code'] } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE, which SQLite returns when it cannot enlarge the WAL index file. */
const SQLITE_CODES = new Set([13, 4874]);
const SYSTEM_CODES = new Set(['ENOSPC', 'EDQUOT']);

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return SYSTEM_CODES.has(code as string) || SQLITE_CODES.has(errcode as number);
}

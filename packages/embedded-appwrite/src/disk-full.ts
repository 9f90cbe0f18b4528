/** Thrown when nothing can be written. Earlier writes are kept. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the log's index, a file that grows too. */
const SQLITE_CODES = new Set([13, 4874]);
const SYSTEM_CODES = new Set(['ENOSPC', 'EDQUOT']);

export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFull) return true;
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return SYSTEM_CODES.has(code as string) || SQLITE_CODES.has(errcode as number);
}

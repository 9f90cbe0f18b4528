import { StoreError } from 'embedded-appwrite';
import { faultOf, OperatorError } from '#blog/errors.ts';
import type { Configuration } from './configuration.ts';

const SENTENCES: Readonly<
  Record<string, (configuration: Pick<Configuration, 'host' | 'port'>, path: string) => string>
> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is taken. Stop the program that uses it, or set PORT to a free one.`,
  EADDRNOTAVAIL: ({ host }) => `This machine has no address ${host}. Set HOST to one of its own, such as 127.0.0.1.`,
  ENOTFOUND: ({ host }) => `The host name ${host} is not known. Set HOST to an address of this machine.`,
  EACCES: ({ port }, path) =>
    path ? folder(path) : `This user may not open port ${port}. Set PORT to a number above 1023.`,
  EPERM: (_, path) => folder(path),
  EROFS: (_, path) => folder(path),
  ENOTDIR: (_, path) => folder(path),
  EEXIST: (_, path) => folder(path),
  ENOENT: (_, path) => folder(path),
  ELOOP: (_, path) => `${path} is a link to itself. Restore the file from a backup, or delete the link.`,
  ENOSPC: (_, path) => `The disk is full at ${path}. Free some space, or set DATA_DIR to a folder on another disk.`,
};

const STORAGE_FULL = 507;

const folder = (path: string) =>
  `The data folder is not writable (${path}). Set DATA_DIR to a folder that this user may write to.`;

/** Returns a sentence for the operator; undefined for an unexpected error, which needs its stack trace. */
export function startFault(
  error: unknown,
  configuration: Pick<Configuration, 'host' | 'port' | 'dataDirectory'> | undefined,
): string | undefined {
  if (error instanceof OperatorError || error instanceof StoreError) return error.message;
  if (configuration && faultOf((error as Error).cause).code === STORAGE_FULL) {
    return SENTENCES.ENOSPC?.(configuration, configuration.dataDirectory);
  }
  const { code, path } = error as NodeJS.ErrnoException;
  if (code && path && !configuration)
    return `${path} cannot be read (${code}). Give it to the user that runs the server.`;
  if (!code || !configuration) return undefined;
  const network =
    'syscall' in (error as object) &&
    ['listen', 'bind', 'getaddrinfo'].includes(`${(error as NodeJS.ErrnoException).syscall}`);
  return SENTENCES[code]?.(configuration, network ? '' : (path ?? configuration.dataDirectory));
}

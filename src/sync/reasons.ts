/** Describes in one sentence why a run, or the sync of one file, failed. */
import { faultOf, isUnreachable, OperatorError } from '#blog/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no space left on the disk. Free some, and run this again.',
  EDQUOT: 'The quota of the disk is used up. Free some space, and run this again.',
  EROFS: 'The folder is read-only: the sync has to write into it.',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
};

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | null)?.code ?? '');

/** Returns true if the error would affect all other files and posts too. */
export const endsRun = (error: unknown): boolean =>
  isUnreachable(error) || ['ENOSPC', 'EDQUOT', 'EROFS'].includes(codeOf(error));

export function reasonOf(error: unknown): string {
  const message = faultOf(error).message || String(error);
  if (isUnreachable(error)) return `The blog does not answer (${message}).`;
  const reason = REASONS[codeOf(error)];
  return reason?.endsWith('denied') ? `${reason} (${message}).` : (reason ?? message);
}

/** Returns an error whose message is a sentence for the operator. */
export const explained = (error: unknown): Error =>
  error instanceof OperatorError ? error : new OperatorError(reasonOf(error), { cause: error });

/** A bound on the time that one text may take: some texts of a few kilobytes keep a parser of Markdown or HTML busy for minutes. */

import { createContext, Script } from 'node:vm';
import { OperatorError } from '#blog/errors.ts';

/** The longest texts that can be stored take some seconds, on a busy machine several times that. */
export const TEXT_MS = 30_000;

const context = createContext({ work: undefined });
const script = new Script('work()');

/**
 * Returns what `work` does, which may wait for nothing. V8 ends it after `longestMs`, and at once when the process gets
 * SIGINT, which its listeners then hear.
 * @throws OperatorError where it was ended, else what `work` throws.
 */
export function withinTime<Result>(work: () => Result, longestMs = TEXT_MS): Result {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: longestMs, breakOnSigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new OperatorError(`it takes more than ${longestMs / 1000} seconds to read. Shorten or split it`);
    if (code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error;
    process.emit('SIGINT', 'SIGINT');
    throw new OperatorError('reading it was interrupted');
  }
}

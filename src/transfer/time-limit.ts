/** Limits the time for one text, because a few kilobytes can keep a Markdown or HTML parser busy for minutes. */

import { createContext, Script } from 'node:vm';
import { OperatorError } from '#blog/errors.ts';

/** Default time limit for one text. The longest texts take several seconds, and longer on a busy machine. */
export const TEXT_MS = 30_000;

const context = createContext({ work: undefined });
const script = new Script('work()');

/**
 * Runs `work`, which V8 stops after `longestMs`, or immediately on SIGINT. SIGINT still reaches the process's
 * listeners.
 * @throws OperatorError if `work` was stopped, or the error that `work` throws
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

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { faultOf, OperatorError } from '#blog/errors.ts';

/** Returns an error's sentence, or the error itself without one. */
export const sentenceOf = (error: unknown): unknown => faultOf(error).message || error;

/** Runs a command and sets the exit code to its result (default: 0), or to 1 with the error's sentence on stderr. */
export async function runCommand(work: () => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}

/**
 * @param most positional arguments, at most
 * @throws OperatorError with the usage
 */
export function readArguments<Options extends ParseArgsOptionsConfig>(usage: string, options: Options, most = 0) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (positionals.length <= most) return { values, positionals };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`);
  }
  throw new OperatorError(usage);
}

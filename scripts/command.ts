/** The frame of a command: its arguments, its exit code, and the sentence it fails with. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { faultOf, OperatorError } from '#blog/errors.ts';

/** The sentence of an error, or the error itself if it has none. */
export const sentenceOf = (error: unknown): unknown => faultOf(error).message || error;

/**
 * Runs a command and sets the exit code to what it returns (default: 0), or to 1 when it fails, with the error's sentence
 * on the standard error.
 */
export async function runCommand(work: () => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}

/**
 * Reads the command line.
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

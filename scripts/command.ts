import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { faultOf, OperatorError } from '#blog/errors.ts';

/** Returns an error's sentence, or the error itself without one. */
export const sentenceOf = (error: unknown): unknown => faultOf(error).message || error;

/** Kinds of options. */
export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean', default: false } as const;

/** Runs a command and sets the exit code to its result, 0 without one, or to 1 with the error's sentence on stderr. */
export async function runCommand(work: () => Promise<unknown>): Promise<void> {
  try {
    process.exitCode = Number((await work()) ?? 0);
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

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { faultOf, OperatorError } from '#blog/errors.ts';

export const sentenceOf = (error: unknown): unknown => faultOf(error).message || error;

export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean', default: false } as const;

export async function runCommand(work: () => Promise<unknown>): Promise<void> {
  try {
    process.exitCode = Number((await work()) ?? 0);
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}

/** @throws OperatorError with the usage if the arguments are wrong */
export function readArguments<Options extends ParseArgsOptionsConfig>(usage: string, options: Options, most = 0) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (positionals.length <= most) return { values, positionals };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`);
  }
  throw new OperatorError(usage);
}

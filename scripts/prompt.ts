import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { OperatorError } from '#blog/errors.ts';

/** Asks questions on stderr and reads the answers, one a line, from stdin: the terminal, a file or a pipe. */
export function createPrompt() {
  const { stdin, stderr } = process;
  let isSecret = false;
  const output = new Writable({
    write: (chunk, _encoding, done) => (isSecret ? done() : void stderr.write(chunk, () => done())),
  });
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  const answers = lines[Symbol.asyncIterator]();
  return {
    /** Returns the answer; `secret` hides it as it is typed. @throws OperatorError at the end of the input */
    async ask(question: string, options: { readonly secret?: boolean } = {}): Promise<string> {
      isSecret = options.secret ?? false;
      stderr.write(question);
      const { value, done } = await answers.next();
      if (isSecret) stderr.write('\n');
      if (done) throw new OperatorError('Run this in a terminal to sign in.');
      return value.trim();
    },
    /** Releases the terminal, so that Ctrl+C ends the command. */
    close: () => lines.close(),
  };
}

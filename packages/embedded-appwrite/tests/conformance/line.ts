import { inject, type TestContext, test } from 'vitest';
import { EXCEPTIONS } from './exceptions.ts';
import type { Server } from './server.ts';

export function server(): Server {
  return inject('server');
}

/** Declares the test of one checklist id; `statement` is the rule, `timeout` is in milliseconds. */
export function line(
  id: string,
  statement: string,
  run: (context: TestContext) => Promise<void>,
  timeout = 60_000,
): void {
  const exception = EXCEPTIONS[id];
  test(`${id} ${statement}`, { timeout }, async (context) => {
    if (exception?.on !== (server().embedded ? 'embedded' : 'attached')) return run(context);
    const failure = await run(context).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) throw new Error(`${id} holds now: take it out of exceptions.ts.`);
    context.skip(`exception: ${exception.reason}`);
  });
}

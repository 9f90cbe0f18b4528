/** Asks the site for a page, for no longer than a reader's patience. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { printable } from './strip-invalid-characters.ts';

export interface Rendered {
  readonly response: Response;
  readonly body: Buffer;
  readonly milliseconds: number;
}

/** The page was not rendered: the renderer threw, or took too long. */
class RenderFailure extends Error {
  override readonly name = 'RenderFailure';
}

/**
 * @throws RenderFailure with the reason as `cause`. A render that took too long goes on by itself; nobody sees what
 * it gives.
 */
export async function renderWithin(
  render: (path: string) => Promise<Response>,
  path: string,
  milliseconds: number,
): Promise<Rendered> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new RenderFailure(`${path} was not rendered within ${milliseconds} ms.`)),
    milliseconds,
  );
  const work = async (): Promise<Rendered> => {
    // Of pages that need no answer of the backend, one is done before the next begins: they share this thread.
    await nextTurn();
    const start = performance.now();
    const response = await render(path);
    const given = Buffer.from(await response.arrayBuffer());
    const body = response.headers.get('content-type')?.startsWith('text/html') ? printable(given) : given;
    return { response, body, milliseconds: performance.now() - start };
  };
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    if (error instanceof RenderFailure) throw error;
    throw new RenderFailure(`${path} could not be rendered.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** True for an answer that says nothing about the page: the backend is down, overloaded or broken. */
export function isFault({ status }: Response): boolean {
  return status >= 500 || status === 429;
}

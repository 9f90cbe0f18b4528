import { setImmediate as nextTurn } from 'node:timers/promises';
import { printable } from './strip-invalid-characters.ts';

export interface Rendered {
  readonly response: Response;
  readonly body: Buffer;
  readonly milliseconds: number;
}

/**
 * Renders a page within a time limit. The result of a render that takes longer is ignored.
 * @throws Error with the renderer's own error, if any, as `cause`.
 */
export async function renderWithin(
  render: (path: string) => Promise<Response>,
  path: string,
  milliseconds: number,
): Promise<Rendered> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${path} was not rendered within ${milliseconds} ms.`)),
    milliseconds,
  );
  const work = async (): Promise<Rendered> => {
    // Renders that do not wait for the backend share this thread, so each finishes before the next begins.
    await nextTurn();
    const start = performance.now();
    try {
      const response = await render(path);
      const given = Buffer.from(await response.arrayBuffer());
      const body = response.headers.get('content-type')?.startsWith('text/html') ? printable(given) : given;
      return { response, body, milliseconds: performance.now() - start };
    } catch (error) {
      throw new Error(`${path} could not be rendered.`, { cause: error });
    }
  };
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns true if the backend is down, overloaded or broken, so that the response says nothing about the page. */
export function isFault({ status }: Response): boolean {
  return status >= 500 || status === 429;
}

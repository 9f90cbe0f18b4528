/** Simulates readers that request one page after another, without a pause, until they are stopped. */

export interface Reading {
  readonly path: string;
  readonly status: number;
  readonly text: string;
  /** `performance.now()` at the time of the request. */
  readonly begun: number;
  readonly page: string | null;
}

/** Gives each request a random client address, which the site accepts from a proxy on this machine. */
const anybody = () => ({ 'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 255)).join('.')}` });

/** Starts readers. `judge` is called with each response; a failed request has the status 0. */
export function startReaders(
  origin: string,
  paths: readonly string[],
  judge: (reading: Reading) => void,
  readers = 16,
) {
  let [ended, count] = [false, 0];
  const read = async (first: number) => {
    for (let at = first; !ended; at++) {
      const path = paths[at % paths.length] as string;
      const begun = performance.now();
      try {
        const response = await fetch(origin + path, { redirect: 'manual', headers: anybody() });
        const text = await response.text();
        judge({ path, status: response.status, text, begun, page: response.headers.get('x-page') });
      } catch (error) {
        judge({ path, status: 0, text: String(error), begun, page: null });
      }
      count++;
    }
  };
  const all = Promise.all(Array.from({ length: readers }, (_, at) => read(at)));
  return {
    get count() {
      return count;
    },
    async end() {
      ended = true;
      await all;
    },
  };
}

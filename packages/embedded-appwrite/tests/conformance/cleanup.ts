/** Removals for the current test file, run in reverse order. Their failures are ignored. */
const made: (() => Promise<unknown>)[] = [];
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
export const later = (remove: () => Promise<unknown>): void => void made.push(remove);

export async function removeAll(): Promise<void> {
  for (const remove of made.splice(0).reverse()) await remove().catch(() => {});
}

/** Returns a function that makes a fixture on first use, once per file. A failure fails every test that needs it. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

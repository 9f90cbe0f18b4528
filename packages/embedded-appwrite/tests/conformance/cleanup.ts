/** Clean-up functions of the current test file, run in reverse order. Their failures are ignored. */
const made: (() => Promise<unknown>)[] = [];
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
export const later = (remove: () => Promise<unknown>): void => void made.push(remove);

export async function removeAll(): Promise<void> {
  for (const remove of made.splice(0).reverse()) await remove().catch(() => {});
}

/** Returns a function that creates a fixture on first use. If that fails, every test that needs the fixture fails. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

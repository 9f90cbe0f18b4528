/** What a file made on the server, removed after its tests in reverse order. Failing to remove is no failure of a line. */
const made: (() => Promise<unknown>)[] = [];

/** Remembers how something is removed. */
export function later(remove: () => Promise<unknown>): void {
  made.push(remove);
}

/** Removes everything; `after-file.ts` has it done after each file. */
export async function removeAll(): Promise<void> {
  for (const remove of made.splice(0).reverse()) await remove().catch(() => {});
}

/** Makes a fixture when it is first asked for, once per file; a failure fails each line that needs it. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Modules that are imported when they are first needed. */

/**
 * What `load` imports. Chromium and Firefox remember that a script did not come and never ask for it again under its
 * address; it is asked for under another one then. (Safari asks again by itself.)
 */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
    if (!address) throw error;
    return import(/* @vite-ignore */ `${address}?${Date.now()}`);
  }
}

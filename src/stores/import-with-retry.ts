/** Imports a failed module under another address: Chromium and Firefox cache a failed import. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
    if (!address) throw error;
    return import(/* @vite-ignore */ `${address}?${Date.now()}`);
  }
}

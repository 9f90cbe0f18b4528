/** Retries a failed import under a different URL, because Chromium and Firefox cache failed imports. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
    if (!address) throw error;
    return import(/* @vite-ignore */ `${address}?${Date.now()}`);
  }
}

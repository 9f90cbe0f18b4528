/** For tests of `src/backend/browser`: replaces the browser globals that this code and the Appwrite SDK need. */
import { vi } from 'vitest';
import type { Site } from '#blog/site.ts';

/** Stubs a page's globals until `vi.unstubAllGlobals()` is called. */
export function standInBrowser(site: Site): void {
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  vi.stubGlobal('localStorage', localStorage);
  vi.stubGlobal('window', { localStorage, console });
  vi.stubGlobal('location', { origin: site.url });
  vi.stubGlobal('document', { querySelector: () => ({ content: JSON.stringify(site) }) });
}

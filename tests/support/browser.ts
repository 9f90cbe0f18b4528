/** Replaces the browser globals that the browser SDK and our client need, for tests of `backend/browser`. */
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

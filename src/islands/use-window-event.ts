import { useEffect } from 'react';

export function useWindowEvent(type: 'hashchange' | 'pagehide' | 'popstate', listener: (event: Event) => void): void {
  useEffect(() => {
    addEventListener(type, listener);
    return () => removeEventListener(type, listener);
  });
}

/** Reloads the page when its fragment changes, because the user may open another one-time link in the same tab. */
export function useReloadOnNewLink(): void {
  useWindowEvent('hashchange', () => location.hash !== '' && location.reload());
}

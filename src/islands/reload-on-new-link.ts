import { useEffect } from 'react';

/** Reloads the page when its fragment changes, as it does when another one-time link is opened in the same tab. */
export function useReloadOnNewLink(): void {
  useEffect(() => {
    const reload = () => location.hash !== '' && location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
}

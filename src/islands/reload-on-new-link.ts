import { useEffect } from 'react';

/** Reloads the page when its fragment changes, because the user may open another one-time link in the same tab. */
export function useReloadOnNewLink(): void {
  useEffect(() => {
    const reload = () => location.hash !== '' && location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
}

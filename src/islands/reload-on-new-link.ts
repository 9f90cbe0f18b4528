/** A one-time link opened at the page of another one changes the fragment alone, which loads nothing. */
import { useEffect } from 'react';

/** Loads the page again when its address gets another fragment. */
export function useReloadOnNewLink(): void {
  useEffect(() => {
    const reload = () => location.hash !== '' && location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
}

import { useEffect, useState } from 'react';
import { importWithRetry } from '#stores/import-with-retry.ts';

/** Returns true once the server has said that the user owns the site. Asks only if `isWanted`. */
export function useIsOwner(isWanted: boolean): boolean {
  const [isOwner, setOwner] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    const ask = async () => (await importWithRetry(() => import('#stores/people.ts'))).siteState();
    ask().then(
      ({ role }) => setOwner(role === 'owner'),
      (error: unknown) => console.error('The role could not be read:', error),
    );
  }, [isWanted]);
  return isOwner;
}

/** A part of the editor's screen that is loaded when it is first wanted. */

import { type ComponentType, useEffect, useRef, useState } from 'react';

/** The component while it is wanted and here. `onFault`: it could not be loaded. */
export function usePart<P>(
  wanted: boolean,
  load: () => Promise<ComponentType<P>>,
  onFault: () => void,
): ComponentType<P> | undefined {
  const [part, setPart] = useState<ComponentType<P>>();
  const live = useRef({ load, onFault });
  live.current = { load, onFault };
  useEffect(() => {
    if (!wanted || part) return;
    let gone = false;
    live.current.load().then(
      (loaded) => !gone && setPart(() => loaded),
      (error: unknown) => {
        console.error('A part of the editor could not be loaded:', error);
        if (!gone) live.current.onFault();
      },
    );
    return () => {
      gone = true;
    };
  }, [wanted, part]);
  return wanted ? part : undefined;
}

/** Loads a component of the form when it is first needed. */

import { useEffect, useRef, useState } from 'react';
import { importWithRetry } from '#stores/import-with-retry.ts';

export interface LazyComponent<Component> {
  /** The component, while it is wanted and loaded. */
  readonly Component: Component | undefined;
  /** Loads it again; defined while it is wanted and loading has failed. */
  readonly retry: (() => void) | undefined;
}

/** The component that `load` imports under `name`. `onFault` is called when it could not be loaded. */
export function useLazyComponent<Module, Name extends keyof Module>(
  wanted: boolean,
  load: () => Promise<Module>,
  name: Name,
  onFault?: () => void,
): LazyComponent<Module[Name]> {
  const [part, setPart] = useState<Module[Name]>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const live = useRef({ load, onFault });
  live.current = { load, onFault };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is the reason to load again.
  useEffect(() => {
    if (!wanted || part) return;
    let gone = false;
    setFailed(false);
    importWithRetry(live.current.load).then(
      (loaded) => !gone && setPart(() => loaded[name]),
      (error: unknown) => {
        console.error('A part of the form could not be loaded:', error);
        if (gone) return;
        setFailed(true);
        live.current.onFault?.();
      },
    );
    return () => {
      gone = true;
    };
  }, [wanted, part, name, attempt]);
  return {
    Component: wanted ? part : undefined,
    retry: wanted && failed ? () => setAttempt((before) => before + 1) : undefined,
  };
}

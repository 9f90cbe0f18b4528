/** A part of the form's screen that is loaded when it is first wanted. */

import { useEffect, useRef, useState } from 'react';
import { loadPart } from '#stores/load-part.ts';

export interface LatePart<Part> {
  /** While it is wanted and here. */
  readonly Part: Part | undefined;
  /** Tries again; there while it is wanted and could not be loaded. */
  readonly again: (() => void) | undefined;
}

/** The component that `load` imports under `name`. `onFault`: it could not be loaded. */
export function usePart<Module, Name extends keyof Module>(
  wanted: boolean,
  load: () => Promise<Module>,
  name: Name,
  onFault?: () => void,
): LatePart<Module[Name]> {
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
    loadPart(live.current.load).then(
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
    Part: wanted ? part : undefined,
    again: wanted && failed ? () => setAttempt((before) => before + 1) : undefined,
  };
}

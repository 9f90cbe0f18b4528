/** Replaces `React.lazy`, which caches a failed load, and Suspense, which shows loaded content up to 300 ms late. */

import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { listText, postFormText } from '#blog/messages.ts';
import { Button } from '#components/controls/Button.tsx';
import { importWithRetry } from '#stores/import-with-retry.ts';

export interface LazyComponent<Component> {
  readonly Component: Component | undefined;
  /** Loads the component again; defined only after a failed load. */
  readonly retry: (() => void) | undefined;
}

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads the code again.
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

interface LazyPartProps {
  readonly fallback?: ReactNode;
  readonly onFault?: () => void;
}

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** Returns a component that loads its implementation when it is first rendered. Call it at module level. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ComponentType<PropsOf<Module[Name]> & LazyPartProps> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part.
  return function LazyPart({ fallback = null, onFault, ...props }) {
    const { Component, retry } = useLazyComponent(true, load, name, onFault);
    const Part = Component as ComponentType<object> | undefined;
    if (Part) return <Part {...props} />;
    return retry && !onFault ? <TryAgain onAgain={retry} /> : fallback;
  };
}

export function TryAgain({ fault = postFormText.notLoaded, onAgain }: { fault?: string; onAgain: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p className="text-danger">{fault}</p>
      <Button
        tone="quiet"
        onClick={({ currentTarget }) => {
          // Moves the focus to the control that the dialog focused first, because this button is about to disappear.
          currentTarget.closest('dialog')?.querySelector<HTMLElement>('[autofocus]')?.focus();
          onAgain();
        }}
      >
        {listText.retry}
      </Button>
    </div>
  );
}

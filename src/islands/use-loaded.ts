import { type DependencyList, useEffect, useState } from 'react';

interface Loaded<Value> {
  readonly value?: Value;
  readonly error?: unknown;
}

const NOTHING = {};

/** Loads a value when the component appears and when `dependencies` change. `retry` loads it again. */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>, dependencies: DependencyList = []) {
  const [loaded, setLoaded] = useState<Loaded<Value>>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names the dependencies of `load`.
  useEffect(() => {
    const stop = new AbortController();
    setLoaded(NOTHING);
    load(stop.signal).then(
      (value) => !stop.signal.aborted && setLoaded({ value }),
      (error: unknown) => !stop.signal.aborted && setLoaded({ error }),
    );
    return () => stop.abort();
  }, [...dependencies, attempt]);
  return { ...loaded, retry: () => setAttempt(attempt + 1) };
}

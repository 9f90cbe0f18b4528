import { useEffect, useEffectEvent } from 'react';

/** The window's events, and the one document event used here that bubbles to the window. */
type Events = WindowEventMap & Pick<DocumentEventMap, 'visibilitychange'>;

export function useWindowEvent<Type extends keyof Events>(type: Type, listener: (event: Events[Type]) => void): void {
  const onEvent = useEffectEvent(listener) as EventListener;
  useEffect(() => {
    addEventListener(type, onEvent);
    return () => removeEventListener(type, onEvent);
  }, [type]);
}

/** Reloads the page when its fragment changes, because the user may open another one-time link in the same tab. */
export function useReloadOnNewLink(): void {
  useWindowEvent('hashchange', () => location.hash !== '' && location.reload());
}

import type { KeyboardEvent } from 'react';

/**
 * Whether a key is for an input method, which is about to write what it shows: Enter takes it over and does nothing else.
 * Safari tells of that Enter after the composition has ended, by its code alone.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

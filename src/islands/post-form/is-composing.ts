import type { KeyboardEvent } from 'react';

/**
 * True if a key belongs to an input method, where Enter only accepts its text. Safari reports that Enter after the
 * composition has ended, by its key code alone.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

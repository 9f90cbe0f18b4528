import type { KeyboardEvent } from 'react';

/**
 * Returns true if a key belongs to an input method, where Enter only accepts its text. Safari reports that Enter after
 * the composition, recognisable by its key code only.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

import type { KeyboardEvent } from 'react';

/** Returns true if a key press belongs to an input method. Safari marks its final Enter only by key code 229. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

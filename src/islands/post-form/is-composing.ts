import type { KeyboardEvent } from 'react';

/** Returns true if a key belongs to an input method; Safari marks its final Enter by the key code only. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

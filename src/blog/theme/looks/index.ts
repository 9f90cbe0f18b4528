import { DEFAULT_PALETTES } from '../colours.ts';
import type { Look } from './look.ts';

export const DEFAULT_LOOK: Look = {
  id: 'ink',
  palettes: DEFAULT_PALETTES,
  fonts: 'newsreader-inter',
  list: 'lead',
  post: 'inset',
  measure: 66,
  corners: 3,
  density: 'airy',
};
/** In the order in which an owner chooses among them. */
export const LOOKS: readonly Look[] = [DEFAULT_LOOK];

/** Returns undefined for an id that this version does not know. */
export const lookOf = (id: string): Look | undefined => LOOKS.find((look) => look.id === id);

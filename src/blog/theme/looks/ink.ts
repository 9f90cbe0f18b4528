import { DEFAULT_PALETTES } from '../colours.ts';
import type { Look } from './look.ts';

/** The default: the values of `styles/tokens.css`. */
export const ink: Look = {
  id: 'ink',
  palettes: DEFAULT_PALETTES,
  fonts: 'newsreader-inter',
  headlines: 'medium',
  header: 'bar',
  list: 'lead',
  post: 'inset',
  widthRem: 80,
  measure: 66,
  cornersPx: 3,
  density: 'airy',
};

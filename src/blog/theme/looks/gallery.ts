import type { Look } from './look.ts';

/** A photographer’s grid: pictures edge to edge, small captions, no colour but theirs. */
export const gallery: Look = {
  id: 'gallery',
  palettes: {
    light: {
      paper: '#fafafa',
      well: '#efefef',
      ink: '#161616',
      soft: '#5c5c5c',
      hairline: '#dedede',
      edge: '#808080',
      accent: '#161616',
      'accent-strong': '#454545',
      'on-accent': '#ffffff',
    },
    dark: {
      paper: '#101010',
      well: '#1b1b1b',
      ink: '#f0f0f0',
      soft: '#a8a8a8',
      hairline: '#2e2e2e',
      edge: '#787878',
      accent: '#f0f0f0',
      'accent-strong': '#c4c4c4',
      'on-accent': '#101010',
    },
  },
  fonts: 'hanken-hanken',
  headlines: 'medium',
  header: 'bar',
  list: 'grid',
  post: 'wide',
  widthRem: 112,
  measure: 62,
  cornersPx: 0,
  density: 'compact',
};

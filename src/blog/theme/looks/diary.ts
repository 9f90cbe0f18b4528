import type { Look } from './look.ts';

/** A diary: one column, the day beside each entry, titles in italics. */
export const diary: Look = {
  id: 'diary',
  palettes: {
    light: {
      paper: '#f8f2e7',
      well: '#f0e7d7',
      ink: '#2a201a',
      soft: '#66574a',
      hairline: '#e4d7c3',
      edge: '#8f7d69',
      accent: '#963a22',
      'accent-strong': '#742a17',
      'on-accent': '#ffffff',
    },
    dark: {
      paper: '#1a1512',
      well: '#251e1a',
      ink: '#efe4d6',
      soft: '#b7a794',
      hairline: '#3a3029',
      edge: '#86776a',
      accent: '#eba284',
      'accent-strong': '#f5c3ae',
      'on-accent': '#1a1512',
    },
  },
  fonts: 'brygada-cabin',
  headlines: 'italic',
  header: 'bar',
  list: 'entries',
  post: 'entry',
  widthRem: 52,
  measure: 60,
  cornersPx: 2,
  density: 'airy',
};

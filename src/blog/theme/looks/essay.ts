import type { Look } from './look.ts';

/** A quiet page for essays: no pictures, centred titles, paragraphs set as in a book. */
export const essay: Look = {
  id: 'essay',
  palettes: {
    light: {
      paper: '#f5f4ee',
      well: '#ebe9e0',
      ink: '#23221d',
      soft: '#5b584c',
      hairline: '#dcd9cc',
      edge: '#848071',
      accent: '#4c5a24',
      'accent-strong': '#374218',
      'on-accent': '#ffffff',
    },
    dark: {
      paper: '#161713',
      well: '#21221c',
      ink: '#e8e6dc',
      soft: '#aaa798',
      hairline: '#33342c',
      edge: '#7a786b',
      accent: '#bccb8c',
      'accent-strong': '#d6e2b0',
      'on-accent': '#161713',
    },
  },
  fonts: 'brygada-cabin',
  headlines: 'medium',
  header: 'masthead',
  list: 'titles',
  post: 'none',
  widthRem: 46,
  measure: 56,
  cornersPx: 0,
  density: 'airy',
};

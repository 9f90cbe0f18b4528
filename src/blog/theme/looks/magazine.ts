import type { Look } from './look.ts';

/** A magazine: a masthead, a cover story, columns, and a large title over a wide picture. */
export const magazine: Look = {
  id: 'magazine',
  palettes: {
    light: {
      paper: '#ffffff',
      well: '#f3f2f0',
      ink: '#0e0e0d',
      soft: '#575653',
      hairline: '#d8d6d2',
      edge: '#7f7d79',
      accent: '#bf1626',
      'accent-strong': '#93101c',
      'on-accent': '#ffffff',
    },
    dark: {
      paper: '#0f0f10',
      well: '#1b1b1d',
      ink: '#f4f3f1',
      soft: '#abaaa6',
      hairline: '#313134',
      edge: '#7a7a7d',
      accent: '#ff8078',
      'accent-strong': '#ffaaa4',
      'on-accent': '#0f0f10',
    },
  },
  fonts: 'newsreader-inter',
  headlines: 'bold',
  header: 'masthead',
  list: 'cover',
  post: 'opening',
  widthRem: 84,
  measure: 62,
  cornersPx: 0,
  density: 'compact',
};

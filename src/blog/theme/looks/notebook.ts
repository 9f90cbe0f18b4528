import type { Look } from './look.ts';

/** An engineer’s notebook: a rail, a dense log of titles, and a typewriter’s voice around a slab serif. */
export const notebook: Look = {
  id: 'notebook',
  palettes: {
    light: {
      paper: '#f7f9f7',
      well: '#ebf0ed',
      ink: '#15201c',
      soft: '#4d5d57',
      hairline: '#d5deda',
      edge: '#74857e',
      accent: '#0a6a4c',
      'accent-strong': '#075038',
      'on-accent': '#ffffff',
    },
    dark: {
      paper: '#0d1412',
      well: '#17211e',
      ink: '#dce8e2',
      soft: '#94a8a0',
      hairline: '#25332e',
      edge: '#657a72',
      accent: '#5fd0a3',
      'accent-strong': '#97e6c6',
      'on-accent': '#0d1412',
    },
  },
  fonts: 'bitter-jetbrains',
  headlines: 'interface',
  header: 'rail',
  list: 'plain',
  post: 'inset',
  widthRem: 72,
  measure: 62,
  cornersPx: 4,
  density: 'compact',
};

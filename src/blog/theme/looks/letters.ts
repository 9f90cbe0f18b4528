import type { Look } from './look.ts';

/** A newsletter’s archive: the latest letter, then a sheet for each of the others. */
export const letters: Look = {
  id: 'letters',
  palettes: {
    light: {
      paper: '#eef1f8',
      well: '#fdfdff',
      ink: '#171a29',
      soft: '#535970',
      hairline: '#d9deeb',
      edge: '#7b8299',
      accent: '#4239c0',
      'accent-strong': '#2e2796',
      'on-accent': '#ffffff',
    },
    dark: {
      paper: '#11131d',
      well: '#1c1f2d',
      ink: '#e6e8f3',
      soft: '#a4aac2',
      hairline: '#2d3145',
      edge: '#747b96',
      accent: '#b3b0ff',
      'accent-strong': '#d0ceff',
      'on-accent': '#11131d',
    },
  },
  fonts: 'newsreader-inter',
  headlines: 'interface',
  header: 'bar',
  list: 'rows',
  post: 'sheet',
  widthRem: 58,
  measure: 62,
  cornersPx: 10,
  density: 'compact',
};

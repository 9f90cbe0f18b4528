/** What the editor says beyond the names of its formatting tools: its views and panels. */

const count = (value: number): string => value.toLocaleString('en-US');
const words = (value: number): string => (value === 1 ? '1 word' : `${count(value)} words`);

export const editorText = {
  blocksOffered: (value: number) =>
    value === 1 ? '1 block. Enter inserts it.' : `${value} blocks. Arrow keys choose, Enter inserts.`,
  find: 'Find',
  outline: 'Outline',
  fullScreen: 'Full screen',
  source: 'HTML source',
  sourceOn: 'HTML source. The other tools are off.',
  sourceOff: 'Back in the text. Undo takes back what was changed in the source.',
  length: words,
  minutes: (value: number) => `${value} min read`,
  fullScreenOn: 'Full screen. Escape leaves it.',
  fullScreenOff: 'Full screen off',
  notLoaded: 'This part of the editor could not be loaded. Check the connection and try again.',
  findLabel: 'Find in the text',
  replaceLabel: 'Replace with',
  findNext: 'Next',
  findPrevious: 'Previous',
  findClose: 'Close the search',
  matchCase: 'Match case',
  replace: 'Replace',
  replaceAll: 'Replace all',
  found: (at: number, of: number) => (of === 0 ? 'Nothing found' : `${count(at)} of ${count(of)}`),
  replaced: (value: number) => (value === 1 ? 'One place replaced' : `${count(value)} places replaced`),
  outlineEmpty: 'Headings of the text appear here.',
  outlineClose: 'Close the outline',
  untitledHeading: 'Heading without words',
} as const;

/** Texts of the editor. */

import de from './de/editor.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  // What is written in
  placeholder: 'Write, or press / for a heading, a picture, a list…',
  footnotes: 'Footnotes',
  length: { one: '1 word', other: '{count} words' },
  minutes: '{minutes} min read',

  // Tools
  formatting: 'Formatting',
  heading: 'Heading',
  subheading: 'Subheading',
  smallHeading: 'Small heading',
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Strikethrough',
  code: 'Code',
  link: 'Link',
  list: 'List',
  numberedList: 'Numbered list',
  taskList: 'Task list',
  quote: 'Quote',
  picture: 'Picture',
  table: 'Table',
  codeBlock: 'Code block',
  break: 'Break',
  undo: 'Undo',
  redo: 'Redo',
  find: 'Find',
  outline: 'Outline',
  fullScreen: 'Full screen',
  source: 'HTML source',

  // The slash menu: what a block is for, and by which other words it is found
  blocks: 'Blocks',
  blocksOffered: { one: '1 block. Enter inserts it.', other: '{count} blocks. Arrow keys choose, Enter inserts.' },
  help: {
    heading: ['A part of the post', 'h2 title'],
    subheading: ['A part within a part', 'h3 title'],
    picture: ['From this device', 'image photo upload'],
    list: ['With bullets', 'bullet ul unordered'],
    numberedList: ['In order', 'ol ordered'],
    taskList: ['With boxes to tick', 'todo check'],
    quote: ['A quotation', 'blockquote cite'],
    code: ['With its language', 'pre program'],
    table: ['Rows and columns', 'grid'],
    break: ['A pause between parts', 'hr line rule divider'],
  },

  // Beside a link, a picture, code, a table
  address: 'Address of the link',
  setLink: 'Set the link',
  removeLink: 'Remove the link',
  underway: { one: '1 picture on the way', other: '{count} pictures on the way' },
  underwayPercent: '1 picture on the way · {percent} %',
  arrived: 'Uploaded',
  wrongAddress: 'Enter an address such as example.com or /post/another.',
  describe: 'Describe the picture for those who cannot see it',
  description: 'A red boat on a still lake',
  addCaption: 'Add a caption',
  removeCaption: 'Remove the caption',
  captionFace: 'Caption',
  removePicture: 'Remove the picture',
  language: 'Language',
  noLanguage: 'none',
  /** Each with the few letters that fit on its button. */
  rowBelow: ['Add a row below', '+ Row'],
  columnRight: ['Add a column to the right', '+ Column'],
  deleteRow: ['Delete the row', '− Row'],
  deleteColumn: ['Delete the column', '− Column'],
  headerRow: ['Header row on or off', 'Header'],
  alignLeft: ['Align the column left', 'Left'],
  alignMiddle: ['Align the column in the middle', 'Middle'],
  alignRight: ['Align the column right', 'Right'],
  deleteTable: 'Delete the table',

  // Views
  sourceOn: 'HTML source. The other tools are off.',
  sourceOff: 'Back in the text. Undo reverts changes made in the source.',
  fullScreenOn: 'Full screen. Escape leaves it.',
  fullScreenOff: 'Full screen off',
  findLabel: 'Find in the text',
  replaceLabel: 'Replace with',
  findNext: 'Next',
  findPrevious: 'Previous',
  findClose: 'Close the search',
  matchCase: 'Match case',
  replace: 'Replace',
  replaceAll: 'Replace all',
  noMatch: 'Nothing found',
  matchCount: '{at} of {of}',
  replaced: { one: 'One place replaced', other: '{count} places replaced' },
  outlineEmpty: 'Headings of the text appear here.',
  outlineClose: 'Close the outline',
  untitledHeading: 'Heading without words',
} as const;

export const editorText = textsOf(en, de);

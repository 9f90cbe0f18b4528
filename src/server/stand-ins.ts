/** Packages of packages that the writer's browser does not get: modules of ours do in their place what is used of them. */

import { join } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = join(import.meta.dirname, '..');
const noMarkdown = join(SOURCE, 'islands/post-form/editor/no-markdown.ts');

/** Package → the module that stands in for it. Also for whoever bundles the editor by itself. */
export const STAND_INS: Readonly<Record<string, string>> = {
  'json-bigint': join(SOURCE, 'backend/native-json.ts'),
  // Milkdown reads and writes Markdown; our document is HTML in and HTML out (docs/decisions/007-html-in-the-editor.md).
  '@milkdown/transformer': noMarkdown,
  'remark-gfm': noMarkdown,
  'remark-inline-links': noMarkdown,
  'remark-parse': noMarkdown,
  'remark-stringify': noMarkdown,
  unified: noMarkdown,
  'unist-util-visit': noMarkdown,
  'unist-util-visit-parents': noMarkdown,
};

/** Puts them in place in the browser's bundle; the server keeps the packages. */
export const standIns = (): Plugin => ({
  name: 'common-ink:stand-ins',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: (id) => STAND_INS[id],
});

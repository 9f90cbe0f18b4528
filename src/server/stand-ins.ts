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

/** In place of our own modules; they need a bundle of modules. */
const IN_BROWSERS: Readonly<Record<string, string>> = {
  './messages/de.ts': join(SOURCE, 'blog/messages/de.browser.ts'),
  './messages/editor-de.ts': join(SOURCE, 'blog/messages/editor-de.browser.ts'),
};

/** For the SDK on the server. Its other packages are used as they are. */
const ON_THE_SERVER: Readonly<Record<string, string>> = {
  'json-bigint': join(SOURCE, 'backend/native-json.ts'),
  undici: join(SOURCE, 'backend/near-fetch.ts'),
};

/** Puts them in place. */
export const standIns = (): Plugin => ({
  name: 'common-ink:stand-ins',
  enforce: 'pre',
  apply: 'build',
  resolveId(id, importer) {
    if (this.environment.name === 'client') return STAND_INS[id] ?? IN_BROWSERS[id];
    return importer?.includes('/node_modules/node-appwrite/') ? ON_THE_SERVER[id] : undefined;
  },
});

/** TypeScript's enums as packages ship them: code that a bundler must keep, as it cannot see that it only fills a list. */
const ENUM = /^var (\w+);\n\(function \(\1\) \{\n([\s\S]*?)\n\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm;

/** Lists of a preset's parts: the bundler cannot see that to flatten one changes nothing. */
const PARTS = /^((?:const|var|let) \w+ = )(\[\n[\w,\s]*?\n\]\.flat\(\);)$/gm;

/** Its names for an inspector, which read the parts that they name. */
const NAMED = /^withMeta\([\w$.]+, \{\n[\s\S]*?\n\}\);$/gm;

/** What makes a part of Milkdown, and does nothing until the part is used. */
const MAKERS = [
  'withMeta',
  '$command',
  '$ctx',
  '$inputRule',
  '$markAttr',
  '$nodeAttr',
  '$prose',
  '$remark',
  '$useKeymap',
];

/** Lets the bundler leave out what nobody asks for: the SDK's lists of time zones, flags and cards, Milkdown's inspection. */
export const leanPackages = (): Plugin => ({
  name: 'common-ink:lean-packages',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  options: (options) => ({
    ...options,
    treeshake: { ...(typeof options.treeshake === 'object' && options.treeshake), manualPureFunctions: MAKERS },
  }),
  transform: (code, id) => {
    if (/node_modules\/@milkdown\/preset-commonmark\//.test(id)) {
      return { code: code.replace(PARTS, '$1/*#__PURE__*/ $2').replace(NAMED, ''), map: null };
    }
    return /node_modules\/appwrite\/.*\.js$/.test(id)
      ? { code: code.replace(ENUM, 'var $1 = /*#__PURE__*/ (($1) => {\n$2\nreturn $1;\n})({});'), map: null }
      : undefined;
  },
});

import { join } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = join(import.meta.dirname, '../..');
const noMarkdown = join(SOURCE, 'islands/post-form/editor/schema/no-markdown.ts');

export const PACKAGE_ALIASES: Readonly<Record<string, string>> = {
  'json-bigint': join(SOURCE, 'backend/browser/native-json.ts'),
  // Leaves out Milkdown's Markdown support, because our editor reads and writes HTML
  // (docs/decisions/007-html-in-the-editor.md).
  '@milkdown/transformer': noMarkdown,
  'remark-gfm': noMarkdown,
  'remark-inline-links': noMarkdown,
  'remark-parse': noMarkdown,
  'remark-stringify': noMarkdown,
  unified: noMarkdown,
  'unist-util-visit': noMarkdown,
  'unist-util-visit-parents': noMarkdown,
};

/** Only German pages load German messages. Their virtual modules share a folder, so that they are bundled together. */
const GERMAN = /\/de\/([\w-]+)\.json$/;
const CATALOGUES = join(SOURCE, 'blog/messages');
const IF_GERMAN = `\0${CATALOGUES}/german/`;

/** Milkdown functions to mark as free of side effects, so that the bundler drops unused calls. */
const MILKDOWN_MAKERS = [
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

/** Resolves the aliases in the browser's bundle only; Vite's `resolve.alias` would apply to the server as well. */
export const bundleAliases = (): Plugin => ({
  name: 'common-ink:bundle-aliases',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  options: (options) => ({
    ...options,
    treeshake: {
      ...(typeof options.treeshake === 'object' && options.treeshake),
      manualPureFunctions: MILKDOWN_MAKERS,
    },
  }),
  resolveId(id, importer) {
    const [, german] = GERMAN.exec(id) ?? [];
    if (german && importer?.startsWith(join(SOURCE, 'blog/messages'))) return IF_GERMAN + german;
    return PACKAGE_ALIASES[id];
  },
  load(id) {
    if (!id.startsWith(IF_GERMAN)) return undefined;
    const file = JSON.stringify(join(CATALOGUES, 'de', `${id.slice(IF_GERMAN.length)}.json`));
    return `export default document.documentElement.lang === 'de' ? (await import(${file})).default : {};`;
  },
});

/** Styles that only some articles need; `styles/prose.css` has the rest. */
import type { RenderedContent } from '#blog/content/render.ts';
import { tableOfContents } from '#blog/content/table-of-contents.ts';
import code from '#styles/prose/code.css?inline';
import contents from '#styles/prose/contents.css?inline';
import hyphens from '#styles/prose/hyphens.css?inline';
import letters from '#styles/prose/letters.css?inline';
import mathematics from '#styles/prose/mathematics.css?inline';
import notes from '#styles/prose/notes.css?inline';
import tables from '#styles/prose/tables.css?inline';
import tasks from '#styles/prose/tasks.css?inline';
import { cspHash } from './csp-hash.ts';

const part = (css: string, isNeeded: (content: RenderedContent) => boolean) => ({
  css,
  isNeeded,
  hash: cspHash(css),
});

/** Languages whose words can be longer than a line on a phone. */
const LONG_WORDS = /^(?:de|nl|sv|da)$/;
/** Languages whose letters the site's fonts lack. */
const OTHER_LETTERS = /^(?:ja|zh|ko|ar|fa|ur|he)/;

export const ARTICLE_STYLES = [
  part(contents, (content) => tableOfContents(content).length > 0),
  part(code, ({ html }) => html.includes('<pre')),
  part(tables, ({ html }) => html.includes('<table')),
  part(mathematics, ({ html }) => html.includes('<math')),
  part(tasks, ({ html }) => html.includes('class="task"')),
  part(hyphens, ({ language }) => LONG_WORDS.test(language?.code ?? '')),
  part(letters, ({ language }) => OTHER_LETTERS.test(language?.code ?? '')),
  part(notes, ({ html }) => html.includes('class="footnotes"')),
];

/** Styles of what not every article has, apart from those of every article (`styles/prose.css`). */
import { createHash } from 'node:crypto';
import { contentsOf } from '#blog/content/contents.ts';
import type { RenderedContent } from '#blog/content/render.ts';
import code from '#styles/prose/code.css?inline';
import contents from '#styles/prose/contents.css?inline';
import notes from '#styles/prose/notes.css?inline';
import tables from '#styles/prose/tables.css?inline';

const part = (css: string, isNeeded: (content: RenderedContent) => boolean) => ({
  css,
  isNeeded,
  /** By which the page's policy names it. */
  hash: `sha256-${createHash('sha256').update(css).digest('base64')}` as const,
});

export const ARTICLE_STYLES = [
  part(contents, (content) => contentsOf(content).length > 0),
  part(code, ({ html }) => html.includes('<pre')),
  part(tables, ({ html }) => html.includes('<table')),
  part(notes, ({ html }) => html.includes('class="footnotes"')),
];

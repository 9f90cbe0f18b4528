/** Styles of what not every article has, apart from those of every article (`styles/prose.css`). */
import { createHash } from 'node:crypto';
import code from '#styles/prose/code.css?inline';
import notes from '#styles/prose/notes.css?inline';
import tables from '#styles/prose/tables.css?inline';

const part = (sign: string, css: string) => ({
  sign,
  css,
  hash: `sha256-${createHash('sha256').update(css).digest('base64')}` as const,
});

/** Each with what an article's HTML holds that needs it, and the hash that the page's policy names it by. */
export const ARTICLE_STYLES = [part('<pre', code), part('<table', tables), part('class="footnotes"', notes)] as const;

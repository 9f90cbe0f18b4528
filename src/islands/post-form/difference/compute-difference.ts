import { type FormInput, POST_FIELD_NAMES, type PostFieldName, sameValue } from '#blog/post.ts';
import { canonicalForm, isInline } from '../editor/html/canonical-form.ts';
import { inertContent } from '../editor/html/inert-document.ts';
import { htmlIn } from '../editor/html/serialize-rules.ts';
import { align, type Block, type Row } from './align.ts';
import { tokensOf } from './tokens.ts';

export interface Version extends FormInput {
  /** The id of a stored file, or a file that has not been uploaded yet. If undefined, the picture is not compared. */
  readonly featuredImage?: string | File | undefined;
}

export type FieldName = Exclude<PostFieldName, 'content'>;

export interface Difference {
  readonly before: Version;
  readonly after: Version;
  readonly fields: readonly FieldName[];
  readonly rows: readonly Row[];
  readonly isEmpty: boolean;
}

const FIELDS = POST_FIELD_NAMES.filter((name): name is FieldName => name !== 'content');

export function differenceOf(before: Version, after: Version): Difference {
  const fields = FIELDS.filter((name) => {
    if (name !== 'featuredImage') return !sameValue(name, before, after);
    const [one, other] = [before[name], after[name]];
    return one !== undefined && other !== undefined && one !== other;
  });
  const rows = align(blocksOf(before.content), blocksOf(after.content));
  return { before, after, fields, rows, isEmpty: fields.length === 0 && rows.every(({ kind }) => kind === 'same') };
}

export function blocksOf(html: string): Block[] {
  const groups: Node[][] = [];
  let loose = false;
  for (const node of inertContent(html).childNodes) {
    const isSpace = node instanceof Text && !/[^ \t\r\n\f]/.test(node.data);
    const last = groups.at(-1);
    if (last && (isSpace || (loose && isInline(node)))) last.push(node);
    else if (!isSpace) {
      groups.push([node]);
      loose = isInline(node);
    }
  }
  const { body } = document.implementation.createHTMLDocument();
  return groups.map((nodes) => {
    body.replaceChildren(...nodes);
    return { html: htmlIn(body), key: canonicalForm(body), tokens: tokensOf(nodes) };
  });
}

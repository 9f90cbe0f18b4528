/** Markdown input rules that Milkdown's preset lacks, or that replace preset rules that match too much. */

import { schemaCtx } from '@milkdown/kit/core';
import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import {
  createCodeBlockInputRule,
  emphasisUnderscoreInputRule,
  inlineCodeInputRule,
  wrapInBlockquoteInputRule,
  wrapInBulletListInputRule,
  wrapInHeadingInputRule,
} from '@milkdown/kit/preset/commonmark';
import { markRule } from '@milkdown/kit/prose';
import { closeHistory } from '@milkdown/kit/prose/history';
import { wrappingInputRule } from '@milkdown/kit/prose/inputrules';
import { type EditorState, TextSelection, type Transaction } from '@milkdown/kit/prose/state';
import { findWrapping } from '@milkdown/kit/prose/transform';
import { $inputRule } from '@milkdown/kit/utils';
import { addressesIn } from '#blog/content/link-addresses.ts';
import { isCode, linkAddress, type } from '../commands/text-commands.ts';
import { inputRule, keyPlugin } from '../plugins.ts';
import { footnoteRules } from './footnote-rules.ts';

/** Removes a list marker typed at the start of an item that already has a marker of the same kind. */
const repeatedMarkerRule = inputRule(/^\s*(?:[-+*]|(\d+)[.)])\s$/, ({ doc, tr }, [, number], start, end) => {
  const $start = doc.resolve(start);
  const list = number ? 'ordered_list' : 'bullet_list';
  const begun = $start.depth > 2 && $start.node(-2).type.name === list && $start.index(-1) === 0;
  return begun ? tr.delete(start, end) : null;
});

/** Turns "1. " and "1) " into a numbered list, or continues the list above if the number is next. */
const numberRule = $inputRule((ctx) => {
  const { ordered_list: list } = ctx.get(schemaCtx).nodes;
  return wrappingInputRule(
    /^\s*(\d+)[.)]\s$/,
    list as NonNullable<typeof list>,
    ([, number]) => ({ order: Number(number) }),
    ([, number], above) => above.childCount + above.attrs.order === Number(number),
  );
});

/** Turns "[ ] " and "[x] " at the start of a block into a task; one undo step restores the typed text. */
const taskRule = inputRule(/^\[( |x)\]\s$/i, ({ doc, tr, schema }, [, state], start, end) => {
  const $start = doc.resolve(start);
  const isItem = $start.node(-1).type.name === 'list_item';
  if ($start.parent.type.name !== 'paragraph' || (isItem && $start.index(-1) > 0)) return null;
  tr.delete(start, end);
  let item = isItem ? $start.before(-1) : 0;
  if (!isItem) {
    const range = tr.doc.resolve(start).blockRange();
    const wrapping = range && findWrapping(range, type(schema, 'bullet_list'));
    if (!range || !wrapping) return null;
    tr.wrap(range, wrapping);
    item = range.start + 1;
  }
  tr.setNodeMarkup(item, null, { ...tr.doc.nodeAt(item)?.attrs, checked: state?.toLowerCase() === 'x' });
  const above = isItem ? undefined : tr.doc.resolve(item - 1).nodeBefore;
  if (above?.type.name === 'bullet_list' && above.lastChild?.attrs.checked !== null) tr.join(item - 1);
  return closeHistory(tr);
});

/** Turns "---", "___ " and "*** " into a thematic break and moves the rest of the text below it. Ignores captions. */
const breakRule = inputRule(/^(?:---|___\s|\*\*\*\s)$/, ({ doc, tr, schema }, _match, start, end) => {
  const { hr, paragraph } = schema.nodes;
  const $start = doc.resolve(start);
  const { parent } = $start;
  if (!hr || !paragraph || parent.type.name === 'figure') return null;
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), hr)) return null;
  const rest = parent.content.cut(doc.resolve(end).parentOffset);
  const below = rest.size > 0 ? parent.copy(rest) : paragraph.create();
  tr.replaceWith($start.before(), $start.after(), [hr.create(), below]);
  return tr.setSelection(TextSelection.create(tr.doc, $start.before() + 2)).scrollIntoView();
});

/** Markers must touch the text inside, so that "2 * 3 * 4" and "~5 or ~6" stay unchanged. */
const MARKS: readonly (readonly [mark: string, sign: RegExp])[] = [
  ['emphasis', /(?<![\w*])\*(?![\s*])([^*]*[^\s*])\*$/],
  ['strong', /(?<![\w:/_])(\*\*|__)(?![\s*_])([^*_]*[^\s*_])\1$/],
  ['strike_through', /(?<![\w:/~])(~{1,2})(?![\s~])(.*?[^\s~])\1$/],
];

const markRules = MARKS.map(([name, sign]) =>
  $inputRule((ctx) => {
    const mark = ctx.get(schemaCtx).marks[name];
    return markRule(sign, mark as NonNullable<typeof mark>);
  }),
);

/** Turns "[words](url)" into a link, except in code. Keeps marks within the words. */
const linkRule = inputRule(/(?<!!)\[([^\][]+)\]\(([^\s()]+)\)$/, (state, [, words = '', typed = ''], start, end) => {
  const { tr, schema } = state;
  const { link } = schema.marks;
  const href = linkAddress(typed);
  if (!link || !href || isCode(state, start, end)) return null;
  const close = start + 1 + words.length;
  tr.delete(close, end).delete(start, start + 1);
  return tr.addMark(start, close - 1, link.create({ href })).removeStoredMark(link);
});

function linkBefore({ selection, doc, tr, schema }: EditorState): Transaction | null {
  const { $from, empty } = selection;
  const { link } = schema.marks;
  if (!empty || !link || $from.parent.type.spec.code) return null;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 2000), $from.parentOffset, null, '\ufffc');
  const found = addressesIn(before).at(-1);
  if (!found || /[\s\ufffc]/.test(before.slice(found.end))) return null;
  const href = found.address;
  const end = $from.pos - before.length + found.end;
  const start = end - href.length;
  let literal = false;
  doc.nodesBetween(start, end, ({ marks }) => {
    literal ||= marks.some(({ type }) => type === link || type.spec.code === true);
  });
  return literal ? null : tr.addMark(start, end, link.create({ href })).removeStoredMark(link);
}

const addressRules = [
  inputRule(/\S $/, (state) => linkBefore(state)?.insertText(' ') ?? null),
  keyPlugin({
    Enter: (state, dispatch) => {
      const tr = linkBefore(state);
      if (tr) dispatch?.(tr);
      return false;
    },
  }),
];

/** Keeps block markers in a caption as text, because the preset's input rules would remove the picture. */
const captionSigns = inputRule(/^(?:#{1,6}|```[a-z]*)\s$/, ({ doc, tr }, [typed], _start, end) => {
  if (doc.resolve(end).parent.type.name !== 'figure') return null;
  return typed.endsWith('\n') ? tr : tr.insertText(' ', end);
});

/** Input rules in order of precedence: the rules above, then those of the preset. */
export const inputRules: MilkdownPlugin[] = [
  captionSigns,
  repeatedMarkerRule,
  numberRule,
  taskRule,
  breakRule,
  ...markRules,
  linkRule,
  ...footnoteRules,
  ...addressRules,
  wrapInBlockquoteInputRule,
  wrapInBulletListInputRule,
  createCodeBlockInputRule,
  wrapInHeadingInputRule,
  emphasisUnderscoreInputRule,
  inlineCodeInputRule,
];

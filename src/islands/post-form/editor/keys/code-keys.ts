/** Keys in code: Tab indents lines, Shift+Tab unindents them, Enter keeps the indentation. */

import type { Command, EditorState } from '@milkdown/kit/prose/state';
import { keyPlugin } from '../plugins.ts';

const stepOf = (code: string) => (/^\t/m.test(code) ? '\t' : '  ');

/** Returns the selected code, its document position, and the offsets of the selected lines; undefined outside code. */
function chosenLines({ selection: { $from, $to } }: EditorState) {
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return undefined;
  const code = $from.parent.textContent;
  const first = code.lastIndexOf('\n', $from.parentOffset - 1) + 1;
  const starts = [first];
  for (let end = code.indexOf('\n', first); end >= 0 && end < $to.parentOffset; end = code.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return { code, start: $from.start(), starts };
}

const indent: Command = (state, dispatch) => {
  const lines = chosenLines(state);
  if (!lines) return false;
  const { tr } = state;
  const step = stepOf(lines.code);
  if (state.selection.empty) tr.insertText(step);
  else for (const line of lines.starts.toReversed()) tr.insertText(step, lines.start + line);
  dispatch?.(tr.scrollIntoView());
  return true;
};

const outdent: Command = (state, dispatch) => {
  const lines = chosenLines(state);
  if (!lines) return false;
  const { tr } = state;
  for (const line of lines.starts.toReversed()) {
    const [step = ''] = /^(?:\t| {1,2})/.exec(lines.code.slice(line)) ?? [];
    if (step) tr.delete(lines.start + line, lines.start + line + step.length);
  }
  dispatch?.(tr.scrollIntoView());
  return true;
};

const newLine: Command = (state, dispatch) => {
  const lines = chosenLines(state);
  if (!lines) return false;
  const line = lines.starts[0] ?? 0;
  const before = lines.code.slice(line, state.selection.$from.parentOffset);
  const [space = ''] = /^[\t ]*/.exec(before) ?? [];
  dispatch?.(state.tr.insertText(`\n${space}`).scrollIntoView());
  return true;
};

export const codeKeys = keyPlugin({ Tab: indent, 'Shift-Tab': outdent, Enter: newLine });

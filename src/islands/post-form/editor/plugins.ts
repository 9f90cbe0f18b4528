/** Shorthands for creating ProseMirror plugins that do not need Milkdown's context. */

import { InputRule } from '@milkdown/kit/prose/inputrules';
import { keymap } from '@milkdown/kit/prose/keymap';
import { type Command, type EditorState, Plugin, type PluginSpec, type Transaction } from '@milkdown/kit/prose/state';
import { $inputRule, $prose } from '@milkdown/kit/utils';

export const plugin = <State>(spec: PluginSpec<State>) => $prose(() => new Plugin(spec));

export const keyPlugin = (bindings: Record<string, Command>) => $prose(() => keymap(bindings));

type Handler = (state: EditorState, match: RegExpMatchArray, start: number, end: number) => Transaction | null;
export const inputRule = (pattern: RegExp, handler: Handler) => $inputRule(() => new InputRule(pattern, handler));

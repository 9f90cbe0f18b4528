/** Code in colours by classes alone (`tok-keyword`, `tok-string`…), because the pages' policy allows no inline style. */

import type { Element, ElementContent } from 'hast';
import { createCssVariablesTheme, createHighlighterCore, type GrammarState, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages, bundledLanguagesInfo } from 'shiki/langs';

/** Longest block in characters that is coloured; a longer one is data rather than code, and is shown plain. */
const LONGEST_COLOURED = 20_000;

/** Characters of a line that is coloured. Some grammars take a time for it that grows with the cube of its length. */
const LONGEST_LINE = 500;
/** Characters of lines that are read at once. */
const AT_ONCE = 1000;

/** Milliseconds of this thread that are left for colouring one document: code can be written to take minutes. */
export interface HighlightBudget {
  left: number;
  /** For the first code in languages that were not used before: code in others is coloured all the same. */
  forNewLanguages: number;
}

/** Languages that are held ready: each takes up to ten megabytes. With one more, all of them are made ready anew. */
const MOST_LANGUAGES = 50;

const THEME = createCssVariablesTheme({ name: 'ink', variablePrefix: '--', fontStyle: true });
let highlighter: Promise<HighlighterCore> | undefined;
/** Languages whose patterns were made ready, which takes longer than the reading and is done once. */
const warm = new Set<string>();

/** A number of thirty digits takes V's grammar a minute, and twice as long with each more: no clock ends one pattern. */
const SHOWN_PLAIN: ReadonlySet<string> = new Set(['v']);

const identity = (language: string): string | undefined => {
  const name = language.toLowerCase();
  return Object.hasOwn(bundledLanguages, name) && !SHOWN_PLAIN.has(name) ? name : undefined;
};

/** What a reader calls the language: `rs` → `Rust`. The given name where it is unknown. */
export function languageName(language: string): string {
  const name = language.toLowerCase();
  return bundledLanguagesInfo.find((info) => info.id === name || info.aliases?.includes(name))?.name ?? language;
}

const newHighlighter = (): Promise<HighlighterCore> =>
  createHighlighterCore({ themes: [THEME], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });

/**
 * Loads what the languages of one document need, once per process. Unknown ones are passed over; so is one whose grammar
 * cannot be read, as while packages are installed under a running server: its code is shown plain until the next render.
 */
export async function loadLanguages(languages: Iterable<string>): Promise<void> {
  highlighter ??= newHighlighter();
  let shiki = await highlighter;
  if (warm.size > MOST_LANGUAGES) {
    shiki.dispose();
    warm.clear();
    highlighter = newHighlighter();
    shiki = await highlighter;
  }
  const missing = [...new Set(languages)]
    .map(identity)
    .filter((name) => name !== undefined && !shiki.getLoadedLanguages().includes(name));
  for (const name of missing) {
    await shiki
      .loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages])
      .catch((error: Error) => process.emitWarning(`Code in ${name} is shown plain: ${error.message}`));
  }
}

/**
 * The code as spans, one class a token; plain text for a language that is unknown or was not loaded, and from where
 * `patience` ends. Call `loadLanguages` first.
 */
export async function highlight(code: string, language: string, budget: HighlightBudget): Promise<ElementContent[]> {
  const name = identity(language);
  if (!name || !highlighter || code.length > LONGEST_COLOURED) return [{ type: 'text', value: code }];
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(name)) return [{ type: 'text', value: code }];
  const nodes: ElementContent[] = [];
  let state: GrammarState | undefined;
  for (const [index, part] of partsOf(code).entries()) {
    if (index > 0) append(nodes, '\n', undefined);
    const isNew = !warm.has(name);
    if ((isNew ? budget.forNewLanguages : budget.left) <= 0) {
      append(nodes, part, undefined);
      continue;
    }
    const before = process.threadCpuUsage();
    const { tokens, grammarState } = shiki.codeToTokens(part, {
      lang: name,
      theme: 'ink',
      tokenizeMaxLineLength: LONGEST_LINE,
      // For one line. The clock of a busy machine: a short one would leave code half coloured.
      tokenizeTimeLimit: 5_000,
      ...(state && { grammarState: state }),
    });
    state = grammarState;
    tokens.forEach((line, place) => {
      if (place > 0) append(nodes, '\n', undefined);
      for (const token of line) append(nodes, token.content, tokenClass(token.color));
    });
    const { user, system } = process.threadCpuUsage(before);
    budget[isNew ? 'forNewLanguages' : 'left'] -= (user + system) / 1000;
    warm.add(name);
  }
  return nodes;
}

/** Whole lines, some at a time; joined with line breaks they are the code. */
function partsOf(code: string): string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  let length = 0;
  for (const line of code.split('\n')) {
    if (lines.length > 0 && length + line.length > AT_ONCE) {
      parts.push(lines.join('\n'));
      [lines, length] = [[], 0];
    }
    lines.push(line);
    length += line.length + 1;
  }
  return [...parts, lines.join('\n')];
}

/** `var(--token-keyword)` → `tok-keyword`. The foreground needs no class. */
function tokenClass(colour: string | undefined): string | undefined {
  const name = /^var\(--token-([a-z-]+)\)$/.exec(colour ?? '')?.[1];
  return name && `tok-${name}`;
}

/** Neighbours of one kind become one span: half the bytes, the same picture. White space belongs to whatever is before it. */
function append(nodes: ElementContent[], text: string, className: string | undefined): void {
  const last = nodes.at(-1);
  if (last?.type === 'text' && (className === undefined || text.trim() === '')) last.value += text;
  else if (className === undefined) nodes.push({ type: 'text', value: text });
  else if (last?.type === 'element' && classOf(last) === className)
    (last.children[0] as { value: string }).value += text;
  else
    nodes.push({
      type: 'element',
      tagName: 'span',
      properties: { className: [className] },
      children: [{ type: 'text', value: text }],
    });
}

const classOf = (element: Element) => (element.properties.className as string[])[0];

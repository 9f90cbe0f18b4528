/** Highlights code with classes (`tok-keyword`, `tok-string`…), because the pages' CSP allows no inline styles. */

import type { Element, ElementContent } from 'hast';
import { createCssVariablesTheme, createHighlighterCore, type GrammarState, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages, bundledLanguagesInfo } from 'shiki/langs';

/** Maximum length of a highlighted code block in characters. A longer block is usually data and stays plain. */
const LONGEST_COLOURED = 20_000;

/** Maximum length of a highlighted line in characters, because some grammars take cubic time. */
const LONGEST_LINE = 500;
const AT_ONCE = 1000;

/** CPU time left for highlighting one document, in milliseconds. */
export interface HighlightBudget {
  left: number;
  /** CPU milliseconds left for code in languages whose patterns are not compiled yet. */
  forNewLanguages: number;
}

/** Once a highlighter has highlighted more languages than this (up to 10 MB each), a new one replaces it. */
const MOST_LANGUAGES = 50;

const THEME = createCssVariablesTheme({ name: 'ink', variablePrefix: '--', fontStyle: true });
let highlighter: Promise<HighlighterCore> | undefined;
const warm = new Set<string>();

/**
 * Languages shown without highlighting. V's grammar needs a minute for a 30-digit number, and the tokenizer's time
 * limit cannot interrupt a single regex match.
 */
const SHOWN_PLAIN: ReadonlySet<string> = new Set(['v']);

const identity = (language: string): string | undefined => {
  const name = language.toLowerCase();
  return Object.hasOwn(bundledLanguages, name) && !SHOWN_PLAIN.has(name) ? name : undefined;
};

/** Returns the display name of a language: `rs` → `Rust`. An unknown name is returned unchanged. */
export function languageName(language: string): string {
  const name = language.toLowerCase();
  return bundledLanguagesInfo.find((info) => info.id === name || info.aliases?.includes(name))?.name ?? language;
}

const newHighlighter = (): Promise<HighlighterCore> =>
  createHighlighterCore({ themes: [THEME], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });

/**
 * Loads the grammars that a document needs and that are not loaded yet. Skips unknown languages and grammars that fail
 * to load, e.g. while an upgrade replaces packages under a running server; their code stays plain.
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
 * Returns the code as text and spans, each with one class. Code stays plain text if it is too long, if its language is
 * not loaded (call `loadLanguages` first) or if the budget is used up.
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
      // Milliseconds per line. A lower limit would leave lines half highlighted on a busy machine.
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

function tokenClass(colour: string | undefined): string | undefined {
  const name = /^var\(--token-([a-z-]+)\)$/.exec(colour ?? '')?.[1];
  return name && `tok-${name}`;
}

/**
 * Appends a token. To halve the size of the HTML, merges it into the last token if both have the same class, or if the
 * last one is plain text and the new one is white space.
 */
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

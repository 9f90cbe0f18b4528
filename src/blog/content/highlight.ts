/** Code in colours by classes alone (`tok-keyword`, `tok-string`…), because the pages' policy allows no inline style. */

import type { Element, ElementContent } from 'hast';
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages, bundledLanguagesInfo } from 'shiki/langs';

/** Longest block in characters that is coloured; a longer one is data rather than code, and is shown plain. */
export const LONGEST_COLOURED = 20_000;

const THEME = createCssVariablesTheme({ name: 'ink', variablePrefix: '--', fontStyle: true });
let highlighter: Promise<HighlighterCore> | undefined;

const identity = (language: string): string | undefined => {
  const name = language.toLowerCase();
  return Object.hasOwn(bundledLanguages, name) ? name : undefined;
};

/** What a reader calls the language: `rs` → `Rust`. The given name where it is unknown. */
export function languageName(language: string): string {
  const name = language.toLowerCase();
  return bundledLanguagesInfo.find((info) => info.id === name || info.aliases?.includes(name))?.name ?? language;
}

/** Loads what the languages of one document need, once per process. Unknown ones are passed over. */
export async function loadLanguages(languages: Iterable<string>): Promise<void> {
  highlighter ??= createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const shiki = await highlighter;
  const missing = [...new Set(languages)]
    .map(identity)
    .filter((name) => name !== undefined && !shiki.getLoadedLanguages().includes(name));
  for (const name of missing) await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
}

/** The code as spans, one class a token; plain text for an unknown language. Call `loadLanguages` first. */
export async function highlight(code: string, language: string): Promise<ElementContent[]> {
  const name = identity(language);
  if (!name || !highlighter || code.length > LONGEST_COLOURED) return [{ type: 'text', value: code }];
  const { tokens } = (await highlighter).codeToTokens(code, {
    lang: name,
    theme: 'ink',
    tokenizeMaxLineLength: 2000,
    // For one line. Only a brake on a runaway pattern: a short one leaves code half coloured on a busy machine.
    tokenizeTimeLimit: 5_000,
  });
  const nodes: ElementContent[] = [];
  tokens.forEach((line, index) => {
    if (index > 0) append(nodes, '\n', undefined);
    for (const token of line) append(nodes, token.content, tokenClass(token.color));
  });
  return nodes;
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

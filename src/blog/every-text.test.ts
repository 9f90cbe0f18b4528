/** Every text that a person reads stands in the catalogues, and has another language. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { de } from './messages/de.ts';
import { de as editorDe } from './messages/editor-de.ts';
import { en as editorEn } from './messages/editor-en.ts';
import * as en from './messages/en.ts';
import { de as pageDe } from './messages/page-de.ts';
import * as pageEn from './messages/page-en.ts';

const SOURCE = join(import.meta.dirname, '..');

/** Attributes and properties that are read out or shown. */
const SPOKEN =
  /^(?:aria-(?:label|description|placeholder|roledescription|valuetext)|alt|title|label|placeholder|help|text|description|question|link|empty|error)$/;
/** What stands in markup and is no text of a language. */
const NO_TEXT = /^(?:[^\p{L}]*|\/.*|you@example\.com|https:\/\/…|[a-z]+(?:-[a-z]+)+)$/u;

/** Words in the markup of a TSX file, with their lines. */
function wordsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(SOURCE, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const note = (node: ts.Node, words: string) => {
    if (NO_TEXT.test(words.trim())) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${file}:${line + 1} ${words.trim()}`);
  };
  const strings = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) note(node, node.text);
    else if (ts.isTemplateExpression(node))
      note(node, node.head.text + node.templateSpans.map((span) => span.literal.text).join(''));
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(strings);
    else if (ts.isParenthesizedExpression(node)) strings(node.expression);
    else if (ts.isBinaryExpression(node) && /^(?:&&|\|\||\?\?)$/.test(node.operatorToken.getText(source)))
      strings(node.right);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) note(node, node.text);
    else if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) strings(node.expression);
    else if (ts.isJsxAttribute(node) && SPOKEN.test(node.name.getText(source)) && node.initializer) {
      strings(
        ts.isJsxExpression(node.initializer) ? (node.initializer.expression ?? node.initializer) : node.initializer,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('no island and no component has words of its own', () => {
  const files = globSync('{islands,components}/**/*.tsx', { cwd: SOURCE }).filter((file) => !file.includes('.test.'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(wordsIn)).toEqual([]);
});

/** Words that are the same in both languages. */
const SAME = /^(?:Name|Status|Code|Text|Link|Tab|Version|Position|Format|Design)?$/;

it('the German catalogue has a text of its own for each key of the English one', () => {
  const same: string[] = [];
  const german: Readonly<Record<string, object>> = { ...de, ...pageDe };
  for (const [group, texts] of Object.entries<object>({ ...en, ...pageEn })) {
    const translated = german[group] as Record<string, unknown>;
    expect(Object.keys(translated ?? {}).sort()).toEqual(Object.keys(texts).sort());
    for (const [key, text] of Object.entries(texts)) {
      const other = translated[key];
      expect(typeof other).toBe(typeof text);
      if (typeof text === 'string' && text === other && !SAME.test(text)) same.push(`${group}.${key}: ${text}`);
    }
  }
  expect(same).toEqual([]);
});

it('so has the catalogue of the editor', () => {
  const flat = (texts: object, path = ''): [string, unknown][] =>
    Object.entries(texts).flatMap(([key, text]): [string, unknown][] =>
      typeof text === 'object' && text !== null ? flat(text, `${path}${key}.`) : [[path + key, text]],
    );
  const english = new Map(flat(editorEn));
  const german = flat(editorDe);
  expect(german.map(([key]) => key)).toEqual([...english.keys()]);
  expect(german.filter(([key, text]) => text === '' || text === english.get(key))).toEqual([]);
});

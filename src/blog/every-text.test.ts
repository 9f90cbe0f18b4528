/** Checks that every text on a screen comes from a message catalogue. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');

/** Names of attributes and properties whose values browsers display or screen readers read out. */
const SPOKEN =
  /^(?:aria-(?:label|description|placeholder|roledescription|valuetext)|alt|title|label|placeholder|help|text|description|question|link|empty|error)$/;
/** Strings in markup that need no translation. */
const NO_TEXT = /^(?:[^\p{L}]*|\/.*|you@example\.com|https:\/\/…|[a-z]+(?:-[a-z]+)+)$/u;

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

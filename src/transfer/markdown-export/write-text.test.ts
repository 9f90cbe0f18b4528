import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitise } from '#blog/content/sanitise.ts';
import { anyContent } from '../../../tests/editor/content.ts';
import { anyDocument } from '../../../tests/editor/documents.ts';
import { storedHtml } from '../html/conform.ts';
import { readOwnText } from '../markdown/own-text.ts';
import { writeText } from './write-text.ts';

const back = (html: string) => {
  const { body, form } = writeText(html);
  return storedHtml(readOwnText(body, form));
};

test('documents of the stored set come back to the letter', () => {
  for (const html of fc.sample(anyDocument, { numRuns: 100, seed: 1 })) expect(back(html)).toBe(html);
});

test('whatever the sanitiser lets through', () => {
  for (const html of fc.sample(anyContent, { numRuns: 100, seed: 1 }).map(sanitise)) {
    const { html: settled } = writeText(html);
    expect(back(html)).toBe(settled);
    expect(sanitise(settled)).toBe(settled);
  }
});

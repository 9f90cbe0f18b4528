import { expect, test } from 'vitest';
import { sourceOf } from './SourceView.tsx';

const STORED =
  '<h2>a</h2><ul><li><p>b</p><p>c</p></li><li>d</li></ul><pre><code>&lt;/p&gt;\n&lt;p&gt;</code></pre><hr><p>e</p>';

test('each block begins a line, and what is stored has none of these breaks', () => {
  const { shown, stored } = sourceOf(STORED);
  expect(shown.split('\n').slice(0, 3)).toEqual(['<h2>a</h2>', '<ul><li><p>b</p>', '<p>c</p>']);
  expect(stored(shown)).toBe(STORED);
  expect(stored(shown.replace('>e<', '>E<'))).toBe(STORED.replace('>e<', '>E<'));
});

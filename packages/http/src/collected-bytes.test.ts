import { expect, test } from 'vitest';
import { CollectedBytes } from './collected-bytes.ts';

test('joins chunks, split characters included', () => {
  const text = 'Ink, 墨 and 𝕎. '.repeat(50);
  const whole = Buffer.from(text);
  const eachByte = Array.from(whole, (_, i) => whole.subarray(i, i + 1));
  for (const chunks of [[whole], [whole.subarray(0, 7), whole.subarray(7)], eachByte]) {
    const bytes = new CollectedBytes();
    for (const chunk of chunks) bytes.add(chunk);
    expect(bytes.length).toBe(whole.length);
    expect(bytes.takeText()).toBe(text);
  }
});

test('is empty after its text was taken', () => {
  const bytes = new CollectedBytes();
  expect(bytes.takeText()).toBe('');
  for (const text of ['a', 'b']) bytes.add(Buffer.from(text));
  bytes.takeText();
  expect(bytes.length).toBe(0);
  expect(bytes.takeText()).toBe('');
  bytes.add(Buffer.from('c'));
  expect(bytes.takeText()).toBe('c');
});

import { expect, test } from 'vitest';
import { CollectedBytes } from './collected-bytes.ts';

const collected = (chunks: readonly Buffer[]): CollectedBytes => {
  const bytes = new CollectedBytes();
  for (const chunk of chunks) bytes.add(chunk);
  return bytes;
};

test('joins chunks, split characters included', () => {
  const text = 'Ink, 墨 and 𝕎. '.repeat(50);
  const whole = Buffer.from(text);
  const eachByte = Array.from(whole, (_, i) => whole.subarray(i, i + 1));
  for (const chunks of [[whole], [whole.subarray(0, 7), whole.subarray(7)], eachByte]) {
    const bytes = collected(chunks);
    expect(bytes.length).toBe(whole.length);
    expect(bytes.takeText()).toBe(text);
  }
  expect(collected([]).takeText()).toBe('');
});

test('is empty after its text was taken', () => {
  const bytes = collected([Buffer.from('a'), Buffer.from('b')]);
  bytes.takeText();
  expect(bytes.length).toBe(0);
  expect(bytes.takeText()).toBe('');
  bytes.add(Buffer.from('c'));
  expect(bytes.takeText()).toBe('c');
});

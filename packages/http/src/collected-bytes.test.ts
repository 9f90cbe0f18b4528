import { expect, test } from 'vitest';
import { CollectedBytes } from './collected-bytes.ts';

test('joins chunks, split characters included, and is empty after its text was taken', () => {
  const text = 'Ink, 墨 and 𝕎. '.repeat(50);
  const whole = Buffer.from(text);
  const eachByte = Array.from(whole, (_, i) => whole.subarray(i, i + 1));
  for (const chunks of [[whole], [whole.subarray(0, 7), whole.subarray(7)], eachByte]) {
    const bytes = new CollectedBytes();
    for (let turn = 0; turn < 2; turn++) {
      expect([bytes.length, bytes.takeText()]).toEqual([0, '']);
      for (const chunk of chunks) bytes.add(chunk);
      expect(bytes.length).toBe(whole.length);
      expect(bytes.takeText()).toBe(text);
    }
  }
});

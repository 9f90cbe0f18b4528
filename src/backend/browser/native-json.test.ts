import { expect, it } from 'vitest';
import nativeJson from './native-json.ts';

const { parse } = nativeJson();

it('keeps whole numbers that a number cannot hold', () => {
  const [safe, beyond] = ['9007199254740991', '9007199254740993'];
  const read = parse(`{"safe":${safe},"beyond":${beyond},"text":"${beyond}","part":1.00000000000000001}`);
  expect(read).toEqual({ safe: 9007199254740991, beyond: 9007199254740993n, text: '9007199254740993', part: 1 });
});

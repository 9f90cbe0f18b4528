import { expect, it } from 'vitest';
import { pictureId, sizeInId } from './file-id.ts';

it('tells its size, and is no longer than ids may be', () => {
  const id = pictureId('0123456789abcdef0123', { width: 12_000, height: 99_999 });
  expect(id.length).toBeLessThanOrEqual(36);
  expect(sizeInId(id)).toEqual({ width: 12_000, height: 99_999 });
});

it('tells nothing where somebody else chose it', () => {
  const chosen = ['', 'abc', '6741f3', 'photo-1600x', 'photo-0x10', 'photo-1600x900.jpg', 'photo-100000x1', '10x10'];
  for (const id of chosen) expect(sizeInId(id), id).toBeUndefined();
});

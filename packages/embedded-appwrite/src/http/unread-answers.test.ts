import { expect, it } from 'vitest';
import { UnreadAnswers } from './unread-answers.ts';

const KIBIBYTE = 1024;
const LARGE = 100 * KIBIBYTE;

it('counts what one network has not read, and goes on when that is read', () => {
  const answers = new UnreadAnswers(10 * LARGE, 2 * LARGE);
  const isRead = answers.take(() => 'a', LARGE);
  answers.take(() => 'a', LARGE);
  expect(() => answers.take(() => 'a', LARGE)).toThrow(expect.objectContaining({ type: 'general_server_busy' }));
  expect(answers.take(() => 'b', LARGE)).toBeDefined();
  isRead?.();
  expect(answers.take(() => 'a', LARGE)).toBeDefined();
});

it('counts all together, but never refuses a small answer or the only one of a network', () => {
  const answers = new UnreadAnswers(2 * LARGE, 2 * LARGE);
  answers.take(() => 'a', LARGE);
  answers.take(() => 'b', LARGE);
  expect(() => answers.take(() => 'a', LARGE)).toThrow();
  expect(answers.take(() => 'a', 64 * KIBIBYTE)).toBeUndefined();
  expect(answers.take(() => 'c', 5 * LARGE)).toBeDefined();
});

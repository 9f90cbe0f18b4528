import { expect, test } from 'vitest';
import { bodyMemory } from './body-memory.ts';

const MIB = 1024 * 1024;

test('large bodies share 64 MiB; one that goes beyond is refused, and fits once another is read', () => {
  const bodies = Array.from({ length: 6 }, bodyMemory);
  for (const body of bodies.slice(0, 5)) body.take(12 * MIB);
  const last = bodies.at(-1) as ReturnType<typeof bodyMemory>;
  expect(() => last.take(12 * MIB)).toThrow(expect.objectContaining({ type: 'general_server_busy', code: 503 }));
  expect(() => bodyMemory().take(64 * 1024)).not.toThrow();
  bodies[0]?.release();
  expect(() => last.take(12 * MIB)).not.toThrow();
  for (const body of bodies) body.release();
});

test('a body that is released twice counts once', () => {
  const body = bodyMemory();
  body.take(12 * MIB);
  body.release();
  body.release();
  const others = Array.from({ length: 5 }, bodyMemory);
  for (const other of others) other.take(12 * MIB);
  expect(() => bodyMemory().take(12 * MIB)).toThrow('busy');
  for (const other of others) other.release();
});

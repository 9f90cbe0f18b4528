import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { listen } from './listen.ts';

test('asks the system to hold thousands of connections while the thread is busy', async () => {
  const server = createServer();
  const asked = vi.spyOn(server, 'listen');
  await listen(server, 0, '127.0.0.1');
  expect(asked).toHaveBeenCalledWith(expect.objectContaining({ backlog: 4096 }), expect.anything());
  await new Promise((resolve) => server.close(resolve));
});

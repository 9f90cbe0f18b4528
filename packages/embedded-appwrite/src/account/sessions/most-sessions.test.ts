import { expect, test } from 'vitest';
import { startTestBackend } from '../../../tests/support/backend.ts';

test('of 502 sessions the newest 500 stay', async () => {
  const server = await startTestBackend();
  const made: string[] = [];
  const { userId, cookies } = await server.signUp('ann@example.com');
  for (let i = 0; i < 501; i++) {
    const { status, body } = await server.request('POST', `/users/${userId}/sessions`, { asKey: true, body: {} });
    expect(status).toBe(201);
    made.push(String(body.$id));
  }
  const { body } = await server.request('GET', `/users/${userId}/sessions`, { asKey: true });
  expect((body.sessions as { $id: string }[]).map(({ $id }) => $id)).toEqual(made.slice(1));
  expect(await server.request('GET', '/account', { cookies })).toMatchObject({ status: 401 });
  await server.stop();
});

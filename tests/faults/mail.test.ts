/**
 * Mail (docs/decisions/016-mail-and-tokens.md): a mail whose token was answered is sent, even if the process is
 * killed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailServer } from 'embedded-appwrite/testing';
import { afterEach, expect, test } from 'vitest';
import { startBackendProcess } from '../support/backend-process.ts';
import { Broken, createClient } from './client.ts';

const ROUNDS = 6;
const MAILS = 12;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test(`${ROUNDS} rounds of kill -9 lose no mail whose code was answered`, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'killed-mail-'));
  ends.push(() => rm(directory, { recursive: true, force: true }));
  const server = await startMailServer();
  ends.push(server.stop);
  const mail = { host: '127.0.0.1', port: server.port, secure: 'none', from: { address: 'a@example.com' } } as const;
  const answered = new Map<string, string>();

  for (let round = 0; round < ROUNDS; round += 1) {
    const backend = await startBackendProcess(directory, { options: { mail } });
    const { json } = createClient(backend.endpoint);
    let heard = 0;
    await Promise.all(
      Array.from({ length: MAILS }, async (_, i) => {
        const email = `round${round}-${i}@example.com`;
        const body = { userId: 'unique()', email };
        const reply = await json('POST', '/account/tokens/email', body).catch((error: unknown) => {
          if (error instanceof Broken) return undefined;
          throw error;
        });
        if (reply?.status === 201) answered.set(email, String(reply.json().secret));
        heard += 1;
        // Kills the backend when half of the requests are answered and fewer mails are sent.
        if (heard === MAILS / 2) await backend.kill();
      }),
    );
  }

  const last = await startBackendProcess(directory, { options: { mail } });
  ends.push(last.stop);
  expect(answered.size).toBeGreaterThanOrEqual((ROUNDS * MAILS) / 2);
  for (const [email, code] of answered) {
    const { email: received } = await server.mailTo(email);
    expect(received.text?.split('\n')).toContain(code);
  }
});

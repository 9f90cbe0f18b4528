/** The test function of the conformance suite: each test's name begins with the checklist ids that it covers. */
import { test as base, inject, type TestContext } from 'vitest';
import { guestOf, keyOf, person, server } from './people.ts';
import { schema } from './schema.ts';
import type { Server } from './server.ts';

export { expect } from 'vitest';

type Skip = TestContext['skip'];

const withLimits = (skip: Skip): Server => {
  const endpoint = inject('limitsEndpoint');
  return endpoint ? { ...server(), endpoint } : skip('needs a server that enforces rate limits: --limits-endpoint URL');
};

const withMail = (skip: Skip): Server => {
  const mail = inject('mail');
  return mail ? { ...server(), endpoint: mail.endpoint } : skip('needs mails that can be read: --mailbox FOLDER');
};

const file = { scope: 'file' } as const;

/** Fixtures are created on first use; users and documents are removed after the file's tests. */
export const test = base
  .extend('guest', file, () => guestOf())
  .extend('key', file, () => keyOf())
  .extend('db', file, () => schema())
  .extend('pub', file, ({ db }) => db.pub)
  .extend('sec', file, ({ db }) => db.sec)
  .extend('prv', file, ({ db }) => db.prv)
  .extend('ann', () => person())
  .extend('bob', () => person())
  .extend('cem', () => person())
  .extend('limited', ({ skip }) => withLimits(skip))
  /** A server that sends rate-limit headers. An attached server sends them even if it does not enforce the limits. */
  .extend('counting', ({ skip }) => (server().embedded ? withLimits(skip) : server()))
  .extend('mailing', ({ skip }) => withMail(skip))
  .extend('limitedMailing', ({ skip }) => {
    withMail(skip);
    return withLimits(skip);
  });

/** Test support for packages built on the backend. */
export { createPasswords } from '../../src/account/passwords/password.ts';
export { USER_SCOPES } from '../../src/http/access/authenticate.ts';
export { BODY_LIMIT, GUEST_BODY, USER_BODY } from '../../src/http/body.ts';
export type { RateLimit } from '../../src/http/route.ts';
export { factorKey, sealColumn } from '../../src/mfa/sealed-column.ts';
export { codeOf, stepAt } from '../../src/mfa/totp.ts';
export { openStore } from '../../src/sqlite/store.ts';
export { App } from './authenticator-app.ts';
export { KEY, PROJECT, QUICK_PASSWORDS, startTestBackend, type TestBackend } from './backend.ts';
export { forkBackend } from './fork-backend.ts';
export { linkOf } from './mail-link.ts';
export { type ReceivedMail, smtpError, startMailServer, type TestMailServer } from './mail-server.ts';

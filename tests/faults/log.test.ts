import { Account, Client } from 'node-appwrite';
import { expect, test } from 'vitest';
import { PASSWORD, type RunningSite, type SiteOptions } from '../e2e/site.ts';
import { send } from '../support/gateway.ts';
import { started } from './tools.ts';

const logging = (environment: NodeJS.ProcessEnv, access: SiteOptions['access'] = 'embedded') =>
  started({ environment: { LOG_FORMAT: 'json', ...environment }, access });

type Line = Readonly<Record<'time' | 'level' | 'message', string>> & { readonly request?: string };
const linesOf = ({ said }: RunningSite): Line[] => said.split('\n').flatMap((line) => (line ? JSON.parse(line) : []));

const SECRETS = {
  cookie: 'a_session_common-ink=c2Vzc2lvbi1vZi1hZGE',
  authorization: 'Bearer token-of-ada-lovelace',
  'x-forwarded-for': '198.51.100.77',
  'user-agent': 'browser-of-ada',
} as const;

/** Sends a request that carries every kind of personal data. */
const ask = (site: RunningSite, path: string, method = 'GET') =>
  send(site.url + path, { method, headers: SECRETS, localAddress: '127.0.0.77' });

test('each line is a JSON object, from the first to the last', async () => {
  const site = await logging({});
  await site.stop();
  const lines = linesOf(site);
  expect(lines.map(({ message }) => message)).toContainEqual(expect.stringContaining('Common Ink is ready'));
  for (const { time, level } of lines) {
    expect(new Date(time).toISOString()).toBe(time);
    expect(['info', 'warn', 'error']).toContain(level);
  }
});

test('an answer that is an error says its request’s id, and so does what the log says of it', async () => {
  const site = await logging({}, 'gateway');
  expect((await ask(site, '/')).headers['x-request-id']).toBeUndefined();
  const missing = await ask(site, '/post/nowhere');
  const hex = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect([missing.status, missing.headers['x-request-id']]).toEqual([404, hex]);
  const refused = await ask(site, '/api/pages');
  expect([refused.status, refused.headers['x-request-id']]).toEqual([403, hex]);
  await site.remote?.stop();
  const failed = await ask(site, '/search?q=my+illness');
  const id = failed.headers['x-request-id'];
  expect([failed.status, id]).toEqual([503, hex]);
  await expect.poll(() => linesOf(site).filter((line) => line.request === id)).not.toEqual([]);
  // Stored pages are served even though the backend is stopped.
  const hit = await ask(site, '/');
  expect([hit.status, hit.headers['x-request-id']]).toEqual([200, undefined]);
});

test('nothing in the log is a person’s: no address, cookie, token or query', async () => {
  const mail = { SMTP_HOST: '127.0.0.1', SMTP_PORT: '9', MAIL_FROM: 'blog@example.com' };
  for (const site of [await logging(mail), await logging({}, 'gateway')]) {
    const writer = await site.writer('Ada Lovelace');
    await site.post(writer);
    const account = () => new Account(new Client().setEndpoint(site.backend).setProject('common-ink'));
    const nothing = () => undefined;
    const misuse = async () => {
      const query = '/search?q=my+illness';
      for (const path of [query, '/v1/account?secret=mailed-secret', '/api/pages?path=/post/x', '/%']) {
        for (const method of ['GET', 'POST']) await ask(site, path, method);
      }
      const { email } = writer;
      for (const password of ['Wrong-guess-1', PASSWORD])
        await account().createEmailPasswordSession({ email, password }).catch(nothing);
      const url = `${site.url}/recover`;
      await account().createRecovery({ email, url }).catch(nothing);
    };
    await misuse();
    await site.remote?.stop();
    await misuse();
    await site.stop();
    expect(linesOf(site).length).toBeGreaterThan(1);
    const sent = ['my+illness', 'my illness', 'mailed-secret', 'Wrong-guess-1', PASSWORD, '127.0.0.77'];
    const hers = ['token-of-ada', 'c2Vzc2lvbi1vZi1hZGE', 'Ada Lovelace', writer.email, writer.session];
    for (const secret of [...Object.values(SECRETS), ...sent, ...hers]) expect(site.said).not.toContain(secret);
  }
});

test('LOG_LEVEL says the least that is said', async () => {
  const site = await logging({ LOG_LEVEL: 'warn', LOG_FORMAT: 'text' });
  await site.stop();
  expect(site.said).not.toContain(' info ');
  expect(site.said).toContain('is ready');
});

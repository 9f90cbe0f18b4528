import { createServer, type Socket } from 'node:net';
import { freePort } from '@common-ink/http/free-port.ts';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import { smtpError, startMailServer, type TestMailServer } from '../../tests/support/mail-server.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';
import { openStore, type Store } from '../sqlite/store.ts';
import type { Mail } from './mail.ts';
import { type Clock, createMailer, type Mailer } from './mailer.ts';
import { MOST_WAITING } from './outbox-records.ts';
import type { MailOptions } from './transport.ts';

const HOUR = 3_600_000;
const KEY = Buffer.alloc(32, 7);
const SECRET = 'c0ffee'.repeat(20);
const FROM = { address: 'blog@example.com', name: 'Blog' };
const ANN = 'ann@example.com';

class TestClock implements Clock {
  #now = Date.parse('2026-01-01T00:00:00Z');
  readonly #alarms = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const alarm = { at: this.#now + milliseconds, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  get next(): number {
    return Math.min(...[...this.#alarms].map(({ at }) => at)) - this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const alarm of [...this.#alarms]) {
      if (alarm.at > this.#now || !this.#alarms.delete(alarm)) continue;
      alarm.run();
    }
  }
}

let store: Store;
let clock: TestClock;
let logged: string[];

beforeEach(() => {
  store = openStore(folderOfTest(), MIGRATIONS);
  clock = new TestClock();
  logged = [];
  onTestFinished(() => store.close());
});

async function mailServer(...options: Parameters<typeof startMailServer>): Promise<TestMailServer> {
  const server = await startMailServer(...options);
  onTestFinished(server.stop);
  return server;
}

function mailer(port: number, options: Partial<MailOptions> = {}, key = KEY): Mailer {
  const made = createMailer({
    ...{ store, key, clock, project: () => 'Common Ink' },
    options: { host: '127.0.0.1', port, secure: 'none', from: FROM, ...options },
    log: (level, message) => logged.push(`${level}: ${message}`),
  });
  onTestFinished(made.close);
  return made;
}

const LINK = `https://blog.example.com/reset?secret=${SECRET}`;
const recovery = (address: string): Mail => ({ kind: 'recovery', language: 'en', to: { address }, link: LINK });
async function settled(of: Mailer): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await of.settled();
}
async function post(to: Mailer, address = ANN): Promise<void> {
  await to.write((enqueue) => enqueue(recovery(address)));
  await settled(to);
}
const waiting = (): number => store.database.prepare('SELECT count(*) AS n FROM outbox').get()?.n as number;

async function nextAttempt(of: Mailer): Promise<number> {
  const pause = clock.next;
  clock.advance(pause);
  await settled(of);
  return pause;
}

async function offered(answer: TestMailServer['answer']) {
  const server = await mailServer();
  server.answer = answer;
  const outbox = mailer(server.port);
  await post(outbox);
  return { server, outbox };
}

it('sends what was written, and keeps nothing of it', async () => {
  const server = await mailServer();
  await post(mailer(server.port));
  const { email, from, to } = await server.mailTo(ANN);
  expect({ from, to }).toEqual({ from: FROM.address, to: [ANN] });
  expect(email).toMatchObject({ from: FROM, replyTo: [FROM], subject: 'Password Reset for Common Ink' });
  expect(email.text).toContain(SECRET);
  expect(waiting()).toBe(0);
});

it('sends nothing of a write that failed', async () => {
  const failing = mailer(1).write((enqueue) => {
    enqueue(recovery(ANN));
    throw new Error('No.');
  });
  await expect(failing).rejects.toThrow('No.');
  expect(waiting()).toBe(0);
});

it('keeps neither address nor secret in plain text', async () => {
  await post(mailer(1));
  const rows = JSON.stringify(store.database.prepare('SELECT *, cast(sealed AS TEXT) AS text FROM outbox').all());
  expect(waiting()).toBe(1);
  expect(rows).not.toContain('ann@');
  expect(rows).not.toContain(SECRET);
});

it('tries again while the recipient is put off, for an hour and longer, then delivers', async () => {
  const { server, outbox } = await offered(() => smtpError(451, '4.7.1 Greylisted, ann@example.com'));
  const began = clock.now();
  const pauses: number[] = [];
  while (clock.now() - began < HOUR) pauses.push(await nextAttempt(outbox));
  expect(pauses.slice(0, 8).map((pause) => pause / 1000)).toEqual([15, 30, 60, 120, 240, 480, 900, 900]);
  server.answer = () => undefined;
  await nextAttempt(outbox);
  expect((await server.mailTo(ANN)).email.subject).toBe('Password Reset for Common Ink');
  expect(waiting()).toBe(0);
  expect(logged).toEqual([
    'warn: A mail (recovery) could not be sent; the server will try again: EENVELOPE RCPT TO 451 4.7.1',
  ]);
});

it('gives up a day later, not before, and says so without the address', async () => {
  const { server, outbox } = await offered(() => smtpError(450, '4.2.0 ann@example.com is away'));
  clock.advance(25 * HOUR);
  await settled(outbox);
  expect(waiting()).toBe(1);
  clock.advance(2 * HOUR);
  await settled(outbox);
  expect(waiting()).toBe(0);
  expect(server.offered).toHaveLength(3);
  expect(logged.at(-1)).toBe('warn: Gave up sending a mail (recovery): EENVELOPE RCPT TO 450 4.2.0');
  expect(logged.join('\n')).not.toContain('ann@');
});

it('gives up at once what is refused for good, and goes on with the others', async () => {
  const { server, outbox } = await offered((to) => (to === ANN ? smtpError(550, `5.1.1 no ${ANN}`) : undefined));
  await post(outbox, 'bob@example.com');
  await server.mailTo('bob@example.com');
  expect(waiting()).toBe(0);
  expect(logged).toEqual(['warn: Gave up sending a mail (recovery): EENVELOPE RCPT TO 550 5.1.1']);
});

it('delays no other mail for a recipient who is put off', async () => {
  const { server, outbox } = await offered((to) => (to === ANN ? smtpError(451, 'later') : undefined));
  await post(outbox, 'bob@example.com');
  await server.mailTo('bob@example.com');
});

it('a server that is away is asked again, by one mail for all, and gets them when it is back', async () => {
  const port = await freePort();
  const outbox = mailer(port);
  const all = ['ann', 'bob', 'eve'].map((name) => `${name}@example.com`);
  for (const address of all) await post(outbox, address);
  for (let tries = 0; tries < 20; tries += 1) await nextAttempt(outbox);
  expect(waiting()).toBe(3);
  const server = await mailServer({}, port);
  while (waiting() > 0) await nextAttempt(outbox);
  expect(server.received.map(({ to }) => to[0]).sort()).toEqual(all);
});

it('a server that says nothing is given up after the timeout, and the mail stays', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const outbox = mailer((silent.address() as { port: number }).port, { timeout: 50 });
  await post(outbox);
  expect(waiting()).toBe(1);
  expect(logged[0]).toContain('ETIMEDOUT');
});

it('a server that offers no STARTTLS gets neither mail nor password where TLS is asked for', async () => {
  const server = await mailServer({ authOptional: true });
  const outbox = mailer(server.port, { secure: 'tls', username: 'blog', password: 'of the mailbox' });
  await post(outbox);
  expect(server.offered).toEqual([]);
  expect(waiting()).toBe(1);
  expect(logged[0]).toContain('ETLS');
});

it('a server that refuses the password is tried again', async () => {
  const server = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) =>
      password === 'right' ? callback(null, { user: 'blog' }) : callback(smtpError(535, '5.7.8 wrong')),
  });
  const wrong = mailer(server.port, { username: 'blog', password: 'wrong' });
  await post(wrong);
  expect(waiting()).toBe(1);
  await wrong.close();
  const right = mailer(server.port, { username: 'blog', password: 'right' });
  while (waiting() > 0) await nextAttempt(right);
  await server.mailTo(ANN);
});

it('sends a mail again, under the same id, whose process was killed on the way', async () => {
  const server = await mailServer();
  const first = mailer(server.port);
  // Keeps the sent email in the outbox, as if the process had been killed right after sending it.
  store.database.exec("CREATE TRIGGER stay BEFORE DELETE ON outbox BEGIN SELECT raise(ABORT, 'killed'); END");
  await post(first);
  const once = await server.mailTo(ANN);
  await first.close();
  store.database.exec('DROP TRIGGER stay');
  const second = mailer(server.port);
  await nextAttempt(second);
  expect((await server.mailTo(ANN)).email.messageId).toBe(once.email.messageId);
  expect(waiting()).toBe(0);
});

it('drops what another server key sealed', async () => {
  const server = await mailServer();
  const before = mailer(1);
  await post(before);
  await before.close();
  const after = mailer(server.port, {}, Buffer.alloc(32, 8));
  while (waiting() > 0) await nextAttempt(after);
  expect(server.offered).toEqual([]);
  expect(logged.at(-1)).toContain('a different server key');
});

it('takes no more when too many wait, and loses none of them', async () => {
  const outbox = mailer(1);
  await outbox.write((enqueue) => {
    for (let i = 0; i < MOST_WAITING; i += 1) enqueue(recovery(`user${i}@example.com`));
  });
  await expect(post(outbox, 'late@example.com')).rejects.toMatchObject({ type: 'general_server_busy' });
  expect(waiting()).toBe(MOST_WAITING);
});

it.each([
  ['Ann\r\nBcc: eve@example.com', 'Ann Bcc: eve@example.com'],
  ['Ann "the pen" <eve@example.com>, Bob', 'Ann "the pen" <eve@example.com>, Bob'],
  ['Jürgen Ödön 李雷', 'Jürgen Ödön 李雷'],
])('sends to no other address and adds no header for the name %j', async (name, shown) => {
  const server = await mailServer();
  await mailer(server.port).write((enqueue) => enqueue({ ...recovery(ANN), to: { address: ANN, name } }));
  const { email, to } = await server.mailTo(ANN);
  expect(to).toEqual([ANN]);
  expect(email.to).toEqual([{ address: ANN, name: shown }]);
  expect(email.headers.map(({ key }) => key)).not.toContain('bcc');
});

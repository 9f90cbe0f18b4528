/** Test support: an SMTP server on loopback that stores the emails it receives and fails on demand. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailOptions } from '../../src/index.ts';
import { linkOf } from './mail-link.ts';

export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly email: Email;
}

export interface TestMailServer {
  readonly port: number;
  /** Settings that make a backend send its email through this server. */
  readonly options: MailOptions;
  readonly received: ReceivedMail[];
  /** Addresses from all `RCPT TO` commands so far, including refused ones. */
  readonly offered: string[];
  /** Returns the error to send for a recipient, `drop` to close all connections, or undefined to accept. */
  answer: (address: string) => Error | 'drop' | undefined;
  /** Called with each email before it is acknowledged. */
  keep?: (raw: Buffer) => Promise<void>;
  /** Returns the next unread email to `address`; waits up to two minutes. */
  mailTo(address: string): Promise<ReceivedMail>;
  linkTo(address: string): Promise<URLSearchParams>;
  codeTo(address: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<TestMailServer> {
  const given = new Set<ReceivedMail>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    ...options,
    onRcptTo({ address }, _session, callback) {
      made.offered.push(address);
      const answer = made.answer(address);
      if (answer !== 'drop') callback(answer ?? null);
      else for (const connection of server.connections) connection.close();
    },
    async onData(stream, session, callback) {
      const parts = await stream.toArray().catch(() => undefined);
      // The stream fails if the sender is killed while sending.
      if (!parts) return;
      const raw = Buffer.concat(parts);
      made.received.push({
        from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
        to: session.envelope.rcptTo.map(({ address }) => address),
        raw: raw.toString('utf8'),
        email: await PostalMime.parse(raw),
      });
      await made.keep?.(raw);
      callback();
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  const bound = (server.server.address() as AddressInfo).port;
  const made: TestMailServer = {
    port: bound,
    options: { host: '127.0.0.1', port: bound, secure: 'none', from: { address: 'blog@example.com', name: 'Blog' } },
    received: [],
    offered: [],
    answer: () => undefined,
    async mailTo(address) {
      for (let waited = 0; waited < 120_000; waited += 10) {
        const mail = made.received.find((mail) => mail.to.includes(address) && !given.has(mail));
        if (mail) {
          given.add(mail);
          return mail;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`A mail to ${address} did not come in two minutes.`);
    },
    linkTo: async (address) => linkOf((await made.mailTo(address)).email).searchParams,
    codeTo: async (address) => /^\d{6}$/m.exec((await made.mailTo(address)).email.text ?? '')?.[0] ?? '',
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return made;
}

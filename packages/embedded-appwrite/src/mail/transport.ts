import type { Transporter } from 'nodemailer';
import { type Mailbox, oneLine, type RenderedMail } from './mail.ts';

export interface MailOptions {
  readonly host: string;
  readonly port: number;
  /** `ssl` uses TLS from the first byte, `tls` requires STARTTLS, `auto` uses it if offered, `none` never encrypts. */
  readonly secure: 'ssl' | 'tls' | 'none' | 'auto';
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The sender, or a function called for each email. */
  readonly from: Mailbox | (() => Mailbox);
  /** Milliseconds to connect and, without `keepsConnection`, to wait for each response; default 30,000. */
  readonly timeout?: number;
  /** Sends all emails over one connection, which stays open between them. */
  readonly keepsConnection?: boolean;
  /** Signs emails (RFC 6376). */
  readonly dkim?:
    | { readonly domainName: string; readonly keySelector: string; readonly privateKey: string }
    | undefined;
}

export interface Delivery {
  /** Extra email headers. Each replaces a default header with the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Address that receives bounces. Default: the sender. */
  readonly returnPath?: string | undefined;
}

/** The outcome of an attempt to send an email; `reason` never contains an email address. */
export type Outcome =
  | { readonly state: 'sent' }
  /** `server` means that other emails would fail too, `mail` that only this one is affected. */
  | { readonly state: 'failed'; readonly affects: 'server' | 'mail'; readonly reason: string }
  | { readonly state: 'refused'; readonly reason: string };

const TIMEOUT = 30_000;
const ACCEPTING = 600_000;
/** SMTP codes for wrong sender settings. The operator can correct these, so the email is tried again. */
const ABOUT_SENDER: readonly number[] = [530, 534, 535, 538];

interface SmtpFault {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/** Returns an error's outcome with codes only, because the server's message may contain the recipient's address. */
function outcomeOf(error: unknown): Outcome {
  const { code, command, responseCode, response } = (error ?? {}) as SmtpFault;
  const number = typeof responseCode === 'number' ? responseCode : 0;
  const enhanced = typeof response === 'string' ? (/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response)?.[1] ?? '') : '';
  const reason = [code, command, number || '', enhanced].filter((part) => typeof part !== 'string' || part).join(' ');
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  if (isAboutMail && number >= 500 && !ABOUT_SENDER.includes(number)) return { state: 'refused', reason };
  return { state: 'failed', affects: isAboutMail && number > 0 ? 'mail' : 'server', reason };
}

/** Loads nodemailer on demand, because most processes send no mail. */
async function open(options: MailOptions): Promise<Transporter> {
  const { host, port, secure, username, password, timeout = TIMEOUT, keepsConnection = false, dkim } = options;
  return (await import('nodemailer')).createTransport({
    ...(keepsConnection && { pool: true, maxConnections: 1, maxMessages: Number.POSITIVE_INFINITY }),
    ...(dkim && { dkim }),
    host,
    port,
    secure: secure === 'ssl',
    requireTLS: secure === 'tls',
    ignoreTLS: secure === 'none',
    ...(username !== undefined && { auth: { user: username, pass: password ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    // RFC 5321, 4.5.3.2.6: a server may take ten minutes to accept an email. Giving up earlier could send it twice.
    socketTimeout: keepsConnection ? ACCEPTING : timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Timeout of `mailFault`, in milliseconds. */
const LOOK = 10_000;

/** Connects and signs in without sending. Returns the reason for a failure, or `undefined`. */
export async function mailFault(options: MailOptions): Promise<string | undefined> {
  const transporter = await open({ ...options, timeout: LOOK });
  try {
    await transporter.verify();
    return undefined;
  } catch (error) {
    const outcome = outcomeOf(error);
    return `${options.host}:${options.port}: ${outcome.state === 'sent' ? '' : outcome.reason}`;
  } finally {
    transporter.close();
  }
}

export function createTransport(options: MailOptions) {
  const { from } = options;
  let transporter: Promise<Transporter> | undefined;

  return {
    /** @param id for the Message-ID; the same on each attempt, so that email clients recognise a duplicate */
    async send(
      id: string,
      to: Mailbox,
      mail: RenderedMail,
      signal: AbortSignal,
      { headers = {}, returnPath }: Delivery = {},
    ): Promise<Outcome> {
      transporter ??= open(options);
      const { address, name = '' } = typeof from === 'function' ? from() : from;
      const sender = { address, name: oneLine(name) };
      try {
        const transport = await transporter;
        await transport.sendMail({
          ...mail,
          from: sender,
          replyTo: sender,
          to: { address: to.address, name: oneLine(to.name ?? '') },
          messageId: `<${id}@${address.split('@').at(-1)}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          ...(returnPath && { envelope: { from: returnPath, to: to.address } }),
          signal,
        });
        return { state: 'sent' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    /** Closes the connection that `keepsConnection` keeps open. */
    async close(): Promise<void> {
      (await transporter)?.close();
    },
  };
}

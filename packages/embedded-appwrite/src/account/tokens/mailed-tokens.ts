/** Starts a mail flow: writes a token and the mail with its secret in one write, and emits the event. */
import type { Caller } from '../../caller.ts';
import { header } from '../../http/access/credentials.ts';
import { AppwriteError } from '../../http/errors.ts';
import type { Answer, RouteContext } from '../../http/route.ts';
import type { Kernel } from '../../kernel.ts';
import type { Mail } from '../../mail/mail.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { mailLanguage } from '../../mail/texts.ts';
import type { Accounts } from '../accounts.ts';
import type { UserRecord } from '../user.ts';
import { emitUserChange, type UserResource } from '../user-events.ts';
import { type TokenRecord, type TokenType, tokenJson } from './token-records.ts';

/** Throws 503 `general_smtp_disabled` if mail is not configured. */
export function requireMail({ mail }: Kernel, text?: string): Mailer {
  if (!mail) throw new AppwriteError('general_smtp_disabled', text);
  return mail;
}

export interface MailedToken {
  readonly type: TokenType;
  readonly secret: string;
  /** Seconds. */
  readonly lifetime: number;
  readonly phrase?: string | undefined;
  /** Returns the token's user, creating it if necessary. Runs within the write. */
  readonly user: () => UserRecord;
  readonly mail: (token: TokenRecord, user: UserRecord) => Pick<Mail, 'kind' | 'link' | 'code' | 'to'>;
}

/** Resolves with the token once it and its mail are on disk. */
export function writeMailedToken(
  kernel: Kernel,
  { tokens }: Accounts,
  context: RouteContext<unknown>,
  { type, secret, lifetime, phrase, user: owner, mail }: MailedToken,
): Promise<TokenRecord> {
  const language = mailLanguage(header(context.request, 'x-appwrite-locale'));
  return requireMail(kernel).write((enqueue) => {
    const user = owner();
    const token = tokens.insert({ userId: user.id, type, secret, lifetime });
    enqueue({ language, ...mail(token, user), ...(phrase !== undefined && { phrase }) });
    return token;
  });
}

/** Returns 201 with the token; only keys see its secret. */
export function tokenAnswer(caller: Caller, token: TokenRecord, secret: string, phrase?: string): Answer {
  return { status: 201, body: tokenJson(token, { secret: caller.privileged ? secret : '', phrase: phrase ?? '' }) };
}

/** Emits a new token: to webhooks with its secret, to the user's own sockets without. */
export function emitToken(
  { events }: Kernel,
  caller: Caller,
  kind: UserResource['kind'],
  token: TokenRecord,
  secret: string,
): void {
  emitUserChange(events, caller, {
    userId: token.userId,
    resource: { kind, id: token.id },
    action: 'create',
    payload: tokenJson(token),
    webhookPayload: tokenJson(token, { secret }),
  });
}

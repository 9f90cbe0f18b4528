import type { Caller } from '../../caller.ts';
import { header } from '../../http/access/credentials.ts';
import { AppwriteError } from '../../http/errors.ts';
import { type Answer, created, type RouteContext } from '../../http/route.ts';
import type { Kernel } from '../../kernel.ts';
import { type Mail, mailLink } from '../../mail/mail.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { mailLanguage } from '../../mail/texts.ts';
import type { Accounts } from '../accounts.ts';
import type { UserRecord } from '../user.ts';
import { emitUserChange, type UserResource } from '../user-events.ts';
import { LONG_SECRET, tokenSecret } from './secret.ts';
import { type TokenRecord, type TokenType, tokenJson } from './token-records.ts';

export const HOUR = 3600;

/** Returns the mailer. Throws 503 `general_smtp_disabled` if mail is not configured. */
export function requireMail({ mail }: Kernel, text?: string): Mailer {
  if (!mail) throw new AppwriteError('general_smtp_disabled', text);
  return mail;
}

interface MailedToken {
  readonly type: TokenType;
  readonly secret: string;
  /** Seconds until the token expires. */
  readonly lifetime: number;
  readonly phrase?: string | undefined;
  readonly user: () => UserRecord;
  readonly mail: (token: TokenRecord, user: UserRecord) => Pick<Mail, 'kind' | 'link' | 'code' | 'to'>;
}

/**
 * Stores a token and its email in one write, then returns 201 with the token. Includes the token's secret only for
 * callers with a server key.
 */
export async function mailToken(
  kernel: Kernel,
  { tokens }: Accounts,
  { request, caller }: RouteContext<unknown>,
  { type, secret, lifetime, phrase, user: owner, mail }: MailedToken,
): Promise<Answer> {
  const language = mailLanguage(header(request, 'x-appwrite-locale') ?? kernel.options.mailLocale?.());
  const token = await requireMail(kernel).write((enqueue) => {
    const user = owner();
    const written = tokens.insert({ userId: user.id, type, secret, lifetime });
    enqueue({ language, ...mail(written, user), ...(phrase !== undefined && { phrase }) });
    return written;
  });
  if (type === 'recovery' || type === 'verification') emitToken(kernel, caller, type, token, secret);
  return created(tokenJson(token, { secret: caller.privileged ? secret : '', phrase: phrase ?? '' }));
}

export function mailProof(
  kernel: Kernel,
  accounts: Accounts,
  context: RouteContext<{ url: string }>,
  type: 'recovery' | 'verification',
  user: () => UserRecord,
): Promise<Answer> {
  const secret = tokenSecret(LONG_SECRET);
  return mailToken(kernel, accounts, context, {
    ...{ type, secret, lifetime: HOUR, user },
    mail: ({ expire }, { id, email, name }) => ({
      kind: type,
      to: { address: email, name },
      link: mailLink(context.params.url, { userId: id, secret, expire }),
    }),
  });
}

/** Emits the event for a new token. Webhooks receive the secret; the user's own sockets do not. */
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

/** The readers' side of the newsletter: decides what the pages `subscribe` and `subscription` show. */
import { newsletterText } from '#blog/messages/newsletter.ts';
import { addressField } from '#blog/newsletter/subscriber-forms.ts';
import type { JsonObject } from './json.ts';
import type { NewsletterService } from './locals.ts';
import type { Call } from './route.ts';

export const SUBSCRIBE = '/api/subscribe';

/** Keeps the pages out of caches, and their tokens from other sites. `no-referrer` would make forms send no origin. */
export const SUBSCRIPTION_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
};

/** Longer than `NewsletterService.request` makes a proof wait. */
const WAIT_SECONDS = 3;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface SubscribeForm {
  readonly email: string;
  /** A field that no person sees. */
  readonly website: string;
}

export const subscribeFormOf = ({ email, website }: JsonObject): SubscribeForm => ({
  email: textOf(email),
  website: textOf(website),
});

/** A faulty address and the sentence about it; both empty for an empty form. */
export interface AddressEntry {
  readonly email: string;
  readonly fault: string;
}

export type SubscribePage =
  | ({ readonly kind: 'form'; readonly status: number } & AddressEntry)
  | { readonly kind: 'wait'; readonly status: 200; readonly next: string; readonly refresh: string }
  | { readonly kind: 'sent'; readonly status: 200 }
  | Off;

interface Off {
  readonly kind: 'off';
  readonly status: 404;
}

const OFF: Off = { kind: 'off', status: 404 };

/** Answers the form, and then the proof that the form's page leads to. No answer tells whether an address is known. */
export async function subscribe({
  site,
  query,
  request,
  body,
}: Call<never, SubscribeForm | undefined>): Promise<SubscribePage> {
  const service = site?.newsletter;
  if (!service?.isOn()) return OFF;
  if (request.method === 'POST' && body) return proofOf(service, body);
  const proof = query.get('proof');
  if (proof === null) return { kind: 'form', status: 200, email: '', fault: '' };
  const outcome = await service.request(proof);
  if (outcome === 'early') return waitFor(proof);
  if (outcome === 'expired') return { kind: 'form', status: 410, email: '', fault: newsletterText.proofExpired };
  return { kind: 'sent', status: 200 };
}

function proofOf(service: NewsletterService, { email, website }: SubscribeForm): SubscribePage {
  if (website !== '') return { kind: 'sent', status: 200 };
  const entry = checkAddress(email);
  return entry.fault ? { kind: 'form', status: 422, ...entry } : waitFor(service.prove(entry.email));
}

function waitFor(proof: string): SubscribePage {
  const next = `${SUBSCRIBE}?${new URLSearchParams({ proof })}`;
  return { kind: 'wait', status: 200, next, refresh: `${WAIT_SECONDS}; url=${next}` };
}

function checkAddress(email: string): AddressEntry {
  const { data, error } = addressField.safeParse(email);
  return { email: data ?? email.slice(0, 320), fault: error?.issues[0]?.message ?? '' };
}

interface LinkForm {
  readonly action: string;
  readonly email: string;
  /** True for a mail provider's request by RFC 8058. */
  readonly isOneClick: boolean;
}

export const linkFormOf = ({ action, email, ...more }: JsonObject): LinkForm => ({
  action: textOf(action),
  email: textOf(email),
  isOneClick: more['List-Unsubscribe'] === 'One-Click',
});

export type SubscriptionPage =
  | { readonly kind: 'confirm' | 'confirmed' | 'changed'; readonly status: 200; readonly address: string }
  | ({ readonly kind: 'manage'; readonly status: number; readonly address: string } & AddressEntry)
  | { readonly kind: 'left'; readonly status: 200 }
  | { readonly kind: 'expired' | 'unknown'; readonly status: number }
  | Off;

const UNKNOWN = { kind: 'unknown', status: 404 } as const;
const EXPIRED = { kind: 'expired', status: 410 } as const;

/** Opens a link of a mail. Only a POST changes anything, because mail scanners open links. */
export async function openSubscription({
  site,
  query,
  body,
}: Call<never, LinkForm | undefined>): Promise<SubscriptionPage> {
  const service = site?.newsletter;
  if (!service) return OFF;
  const token = query.get('token') ?? '';
  // Works for each valid token, and also after the owner has turned the newsletter off.
  if (body?.isOneClick) return (await service.leave(token)) ? { kind: 'left', status: 200 } : UNKNOWN;
  const opened = await service.open(token);
  if (opened === undefined) return UNKNOWN;
  if (opened === 'expired') return EXPIRED;
  const { purpose, address } = opened;
  if (purpose === 'confirm') {
    if (!service.isOn()) return OFF;
    if (body?.action !== 'confirm') return { kind: 'confirm', status: 200, address };
    return (await service.confirm(token)) ? { kind: 'confirmed', status: 200, address } : EXPIRED;
  }
  if (body?.action === 'leave') return (await service.leave(token)) ? { kind: 'left', status: 200 } : EXPIRED;
  if (body?.action !== 'change') return { kind: 'manage', status: 200, address, email: '', fault: '' };
  const entry = checkAddress(body.email);
  if (entry.fault) return { kind: 'manage', status: 422, address, ...entry };
  return (await service.change(token, entry.email)) ? { kind: 'changed', status: 200, address: entry.email } : EXPIRED;
}

/** Handles readers' newsletter requests. Decides what the pages `subscribe` and `subscription` show. */
import { newsletterText as words } from '#blog/messages/newsletter.ts';
import { addressField } from '#blog/newsletter/subscriber-forms.ts';
import type { JsonObject } from './json.ts';
import type { Call } from './route.ts';

export interface ReaderPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** URL of the next page, shown as a link for browsers that ignore the `Refresh` header. */
  readonly next?: string;
  /** A button that posts `action` to the page's own URL. */
  readonly button?: { readonly action: string; readonly label: string };
  readonly form?: AddressForm;
}

/** A form with a field for `email`. `fault` is the error message below it. */
interface AddressForm {
  /** Shown above the form if the page has a button as well. */
  readonly heading?: string;
  readonly submit: string;
  readonly email?: string;
  readonly fault?: string;
}

/** Must exceed the two seconds during which `NewsletterService.request` returns `early`. */
const WAIT_SECONDS = 3;

/** The body contains the fields of the page's form, or those of a mail provider's one-click request (RFC 8058). */
export type SubscriptionCall = Call<never, JsonObject | undefined>;

const page = (status: number, title: string, text: string, more?: Partial<ReaderPage>): ReaderPage => ({
  ...{ status, title, text },
  ...more,
});
const off = () => page(404, words.offTitle, words.offHelp);
const sent = () => page(200, words.sentTitle, words.sentHelp);
const expired = () => page(410, words.badLinkTitle, words.expiredLink);
const unknown = () => page(404, words.badLinkTitle, words.unknownLink);

/** Returns a page for a refused or failed request, because JSON would not help a reader. */
export function refusedPage({ status, headers }: Response): ReaderPage {
  const retryAfter = headers.get('retry-after');
  const [title, text] =
    status === 429 ? [words.tooManyTitle, words.tooManyHelp] : [words.failedTitle, words.failedHelp];
  return page(status, title, text, retryAfter === null ? {} : { headers: { 'Retry-After': retryAfter } });
}

/**
 * Responds to the sign-up form with a page that makes the browser wait and then open a URL with a proof. Only a request
 * to that URL sends the confirmation email, so a bot that does not wait causes none. No response reveals who has
 * subscribed.
 */
export async function subscribe({ site, query, request, body }: SubscriptionCall): Promise<ReaderPage> {
  const service = site?.newsletter;
  const waitFor = (proof: string) => {
    const next = `/api/subscribe?${new URLSearchParams({ proof })}`;
    return page(200, words.waitTitle, words.waitHelp, { next, headers: { Refresh: `${WAIT_SECONDS}; url=${next}` } });
  };
  const askAgain = (status: number, entry: Partial<AddressForm>) =>
    page(status, words.subscribeTitle, words.subscribeHelp, { form: { submit: words.subscribe, ...entry } });

  if (!service?.isOn()) return off();
  if (request.method === 'POST' && body) {
    // Only bots fill in this hidden field.
    if (body.website) return sent();
    const { email, fault } = checkAddress(body.email);
    return fault ? askAgain(422, { email, fault }) : waitFor(service.prove(email));
  }
  const proof = query.get('proof');
  if (proof === null) return askAgain(200, {});
  const outcome = await service.request(proof);
  if (outcome === 'early') return waitFor(proof);
  return outcome === 'expired' ? askAgain(410, { fault: words.proofExpired }) : sent();
}

/** Handles a link from an email. Only a POST changes anything, because mail scanners open links. */
export async function openSubscription({ site, query, body }: SubscriptionCall, siteName: string): Promise<ReaderPage> {
  const service = site?.newsletter;
  if (!service) return off();
  const token = query.get('token') ?? '';
  const left = page(200, words.leftTitle, words.leftHelp({ site: siteName }));
  // A one-click request needs no confirmation (RFC 8058), and works even after the owner has turned the newsletter off.
  if (body?.['List-Unsubscribe'] === 'One-Click') return (await service.leave(token)) ? left : unknown();
  const opened = await service.open(token);
  if (opened === undefined) return unknown();
  if (opened === 'expired') return expired();
  const { purpose, address } = opened;
  if (purpose === 'confirm') {
    if (!service.isOn()) return off();
    const button = { action: 'confirm', label: words.subscribe };
    if (body?.action !== 'confirm')
      return page(200, words.confirmTitle, words.confirmHelp({ site: siteName, address }), { button });
    const isDone = await service.confirm(token);
    return isDone ? page(200, words.confirmedTitle, words.confirmedHelp({ address })) : expired();
  }
  if (body?.action === 'leave') return (await service.leave(token)) ? left : expired();
  const { email, fault } = body?.action === 'change' ? checkAddress(body.email) : { email: '', fault: '' };
  if (!email || fault)
    return page(fault ? 422 : 200, words.manageTitle, words.manageHelp({ site: siteName, address }), {
      button: { action: 'leave', label: words.unsubscribe },
      form: { heading: words.changeTitle, submit: words.change, email, fault },
    });
  const isAsked = await service.change(token, email);
  return isAsked ? page(200, words.sentTitle, words.changedHelp({ address: email })) : expired();
}

function checkAddress(given: unknown): { readonly email: string; readonly fault: string } {
  const text = typeof given === 'string' ? given : '';
  const { data, error } = addressField.safeParse(text);
  return { email: data ?? text.slice(0, 320), fault: error?.issues[0]?.message ?? '' };
}

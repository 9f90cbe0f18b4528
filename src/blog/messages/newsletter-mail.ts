/** Texts of the newsletter's emails, which are in the site's language. */
import de from './de/newsletter-mail.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  why: 'You get this email because you subscribed to {site}.',
  manage: 'Manage or unsubscribe',
  readOnSite: 'Read this post on the site',
  readRest: 'Read the rest on the site',
  allOnSite: 'See all posts on the site',
  picture: 'Picture',
  pictureOf: 'Picture: {description}',
  /** Numbers that are written as words at the start of a digest's subject; larger ones are written in digits. */
  numbers: ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'],
  digest: { one: '{number} new post on {site}, {period}', other: '{number} new posts on {site}, {period}' },
  confirm: {
    subject: 'Confirm your subscription to {site}',
    question: 'To get new posts from {site} by email, please confirm your address.',
    action: 'Confirm subscription',
    validity: 'This link is valid for one week.',
    otherwise: 'If you don’t press the button, nothing happens: you won’t be subscribed.',
  },
} as const;

export const newsletterMailText = textsOf(en, de);

/** Templates for common pages, such as “About”, which the owner edits before publishing them. */
import de from './de/page-suggestions.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const PAGE_SUGGESTIONS = ['about', 'contact', 'privacy'] as const;

export const en = {
  about: {
    title: 'About',
    slug: 'about',
    content:
      '<p>Say in a sentence or two what this blog is about and for whom you write.</p><h2>Who writes here</h2><p>Your name, what you do, and why you know your subject.</p><h2>Where to begin</h2><p>Link to two or three posts that show what to expect.</p>',
  },
  contact: {
    title: 'Contact',
    slug: 'contact',
    content:
      '<p>Write to you@example.com. Say how soon you usually answer.</p><h2>Corrections</h2><p>Say how readers report a mistake, and how you mark what you have corrected.</p>',
  },
  privacy: {
    title: 'Privacy',
    slug: 'privacy',
    content:
      '<h2>Who is responsible</h2><p>Your name and address, and how to reach you.</p><h2>What is stored about readers</h2><p>Reading this blog needs no account and sets no cookies. Say what your host logs and for how long.</p><h2>What is stored about people with an account</h2><p>Name, e-mail address, and what they write. Everyone can download it or delete the account.</p><h2>Third-party services</h2><p>List anything else you have added, such as statistics, videos or a mail service, or remove this part.</p>',
  },
} as const;

export const pageText = textsOf(en, de);

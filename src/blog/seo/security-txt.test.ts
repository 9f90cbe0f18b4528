import { expect, test } from 'vitest';
import type { Site } from '../site.ts';
import { securityText } from './security-txt.ts';

const at = (language: Site['language'], now: string) =>
  securityText({ url: 'https://blog.example.com', language } as Site, 'mailto:a@example.com', new Date(now));

test('the file names whom to tell, until when, in which language, and where it belongs', () => {
  expect(at('en', '2026-11-23T12:00:00Z').split('\n')).toEqual([
    'Contact: mailto:a@example.com',
    'Expires: 2027-10-01T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://blog.example.com/.well-known/security.txt',
    '',
  ]);
  expect(at('de', '2026-11-23T12:00:00Z')).toContain('Preferred-Languages: de, en\n');
});

test.each(['2026-01-01T00:00:00Z', '2027-12-31T23:59:59Z', '2028-02-29T12:00:00Z'])(
  'made at %s, it holds good for less than a year and more than nine months',
  (now) => {
    const [, expires = ''] = /^Expires: (.*)$/m.exec(at('en', now)) ?? [];
    const days = (Date.parse(expires) - Date.parse(now)) / 86_400_000;
    expect(days).toBeGreaterThan(270);
    expect(days).toBeLessThan(365);
  },
);

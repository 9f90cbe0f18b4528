import { expect, test } from 'vitest';
import { SITE } from '../../tests/support/example-site.ts';
import { headersFile, rulesOf } from './hosting.ts';

const policy = ['Content-Security-Policy', "default-src 'none'"];

function rulesAt(url: string): Map<string, string> {
  const own = ['Cache-Control', 'private, no-cache'];
  const hosting = {
    site: { ...SITE, url },
    directory: '/var/www',
    pages: [
      ...['/', '/tag/ink', '/tag/ink/page/2', '/tag/paper'].map((path) => ({ path, headers: policy })),
      { path: '/tag/ink/feed.xml', headers: ['Content-Type', 'application/rss+xml'] },
    ],
    fixed: [
      { file: '404.html', page: { path: '/404.html', headers: [] } },
      { file: 'login/index.html', page: { path: '/login', headers: own } },
      { file: 'edit-post/index.html', page: { path: '/edit-post/*', headers: own } },
      ...[{ file: 'favicon.svg' }, { file: '_astro/app.js' }],
    ],
    redirects: [],
  };
  const blocks = headersFile(hosting, rulesOf(hosting)).split('\n\n');
  return new Map(blocks.map((block) => [/^(\/.*)$/m.exec(block)?.[1] ?? '', block]));
}

test('every rule of an https site keeps browsers to https and to the types they are told', () => {
  const rules = rulesAt('https://blog.example.com');
  const patterns = ['/', '/404.html', '/_astro/*', '/edit-post/*', '/favicon.svg', '/login', '/post/*'];
  expect([...rules.keys()]).toEqual(expect.arrayContaining(patterns));
  for (const [pattern, rule] of rules) {
    expect(rule, pattern).toContain('  Strict-Transport-Security: max-age=31536000');
    expect(rule.match(/Referrer-Policy/g), pattern).toHaveLength(1);
    // Browsers must detect the types of pictures, because hosts cannot tell them from the files' names.
    if (pattern !== '/v1/storage/*') expect(rule, pattern).toContain('  X-Content-Type-Options: nosniff');
  }
});

test('no rule of an http site keeps a browser to https', () => {
  for (const rule of rulesAt('http://blog.example.com').values()) expect(rule).not.toContain('Strict-Transport');
});

test('the writers’ pages tell other sites nothing, and are kept by browsers alone', () => {
  const rules = rulesAt('https://blog.example.com');
  for (const pattern of ['/login', '/edit-post/*']) {
    expect(rules.get(pattern)).toContain('  Referrer-Policy: same-origin');
    expect(rules.get(pattern)).toContain('  Cache-Control: private, no-cache');
  }
  expect(rules.get('/')).toContain('  Referrer-Policy: strict-origin-when-cross-origin');
});

test('one rule does for all pages of tags, whose feeds lie among them: hosts take a hundred rules', () => {
  const rules = rulesAt('https://blog.example.com');
  expect([...rules.keys()].filter((pattern) => pattern.startsWith('/tag'))).toEqual(['/tag/*']);
  expect(rules.get('/tag/*')).toContain("  Content-Security-Policy: default-src 'none'");
});

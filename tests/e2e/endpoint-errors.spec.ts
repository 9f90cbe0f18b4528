/** Endpoints answer in JSON, also to unexpected failures. */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, ownSite, test } from './site.ts';

/** Lies within the project, so that the build finds its packages. */
const BUILD = 'test-results/damaged-build';

function damage(file: string, change: (code: string) => string): void {
  const [path = ''] = globSync(`${BUILD}/server/chunks/${file}_*.mjs`);
  const code = readFileSync(path, 'utf8');
  const damaged = change(code);
  expect(damaged).not.toBe(code);
  writeFileSync(path, damaged);
}

test('answers an unexpected error of an endpoint in JSON without its cause @embedded', async () => {
  cpSync('dist', BUILD, { recursive: true });
  damage('answer', (code) => code.replace('reader.postsBySlug(', 'reader.hidden('));
  damage('preview', () => 'throw new TypeError("hidden");');
  try {
    await using site = await ownSite({ build: BUILD });
    for (const [method, path] of Object.entries({ GET: '/api/authors?posts=ink', POST: '/api/preview' })) {
      const response = await fetch(site.url + path, { method, headers: { 'content-type': 'application/json' } });
      expect([response.status, response.headers.get('cache-control')], path).toEqual([500, 'no-store']);
      expect(response.headers.get('content-type'), path).toMatch(/^application\/json/);
      expect(await response.json(), path).toEqual({ error: expect.stringContaining('Try again in a moment.') });
    }
    expect(site.said).toContain('hidden');
    expect(await site.status('/api/recovery')).toBe(200);
  } finally {
    rmSync(BUILD, { recursive: true, force: true });
  }
});

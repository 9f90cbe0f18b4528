/** Pages that outlive a build name its scripts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFormerAssets } from '#server/former-assets.ts';
import { expect, ownSite, removeSite, test } from './site.ts';

test('after a new build the scripts of the one before are still served, for good @embedded', async () => {
  const site = await ownSite();
  const former = mkdtempSync(join(tmpdir(), 'common-ink-build-'));
  try {
    await site.stop();
    // The last start was that of another build.
    mkdirSync(join(former, 'fonts'));
    writeFileSync(join(former, 'Header.former.js'), 'export default 1;');
    writeFileSync(join(former, 'fonts', 'former.woff2'), 'font');
    openFormerAssets({ built: former, kept: join(site.dataDirectory, 'assets'), log: () => undefined });
    await site.start();
    const page = await (await fetch(`${site.url}/login`)).text();
    const present = /\/_astro\/[\w.-]+\.js/.exec(page)?.[0];
    for (const path of ['/_astro/Header.former.js', '/_astro/fonts/former.woff2', present]) {
      const response = await fetch(site.url + path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await fetch(`${site.url}/_astro/Header.never.js`)).status).toBe(404);
  } finally {
    rmSync(former, { recursive: true });
    await removeSite(site);
  }
});

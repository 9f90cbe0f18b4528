/** Whether what browsers reach at `SITE_URL` is this site, unspoilt on its way. */
import type { Check, DoctorSite, Finding } from '../site.ts';

const PATIENCE = 10_000;

export const proxy: Check = {
  name: 'proxy',
  needsServer: true,
  async run(site): Promise<readonly Finding[]> {
    const { siteUrl, ownAddress } = site.settings;
    if (siteUrl === ownAddress) return [];
    const there = await site.tools.siteAt(siteUrl).catch((error: Error) => error);
    if (there === undefined) {
      return [
        {
          id: 'proxy.silent',
          sentence: 'Nothing answers at the site’s address.',
          evidence: `${siteUrl} gives no answer`,
          mend: 'Start the proxy, open ports 80 and 443, or correct SITE_URL.',
        },
      ];
    }
    if (there instanceof Error || there !== siteUrl) {
      return [
        {
          id: 'proxy.other-site',
          sentence: 'What answers at the site’s address is not this site.',
          evidence: there instanceof Error ? there.message : `${siteUrl} is the site ${there}`,
          mend: `Let the proxy pass ${siteUrl} on to ${ownAddress} (docs/operating.md#domain-and-tls), or correct SITE_URL.`,
        },
      ];
    }
    return spoilt(site);
  },
};

async function spoilt({ settings: { siteUrl, ownAddress } }: DoctorSite): Promise<Finding[]> {
  const headers = { 'accept-encoding': 'br' };
  const at = (origin: string) => fetch(`${origin}/`, { headers, signal: AbortSignal.timeout(PATIENCE) });
  const [seen, sent] = await Promise.all([at(siteUrl), at(ownAddress)]);
  await Promise.all([seen.arrayBuffer(), sent.arrayBuffer()]);
  const differs = ['content-encoding', 'etag', 'content-security-policy'].filter(
    (name) => sent.headers.get(name) !== null && seen.headers.get(name) !== sent.headers.get(name),
  );
  if (differs.length === 0) return [];
  return [
    {
      id: 'proxy.changes-answers',
      sentence: 'The proxy changes what the server sends: compresses it again, caches it, or replaces headers.',
      evidence: differs
        .map((name) => `${name}: ${sent.headers.get(name)} becomes ${seen.headers.get(name)}`)
        .join('; '),
      mend: 'Turn compression, caching and header rules of the proxy off for this site (docs/operating.md#domain-and-tls).',
    },
  ];
}

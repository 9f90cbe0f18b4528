/** Finds valid settings that are probably mistakes. */
import type { Check } from '../site.ts';

const OURS = /^(?:SITE|APPWRITE|SMTP|CDN|PAGES|BACKUP|EMBEDDED|PICTURE|METRICS|INDEXNOW|WEBSUB|PEER|REBUILD|WEBHOOK)_/;
const GONE: Readonly<Record<string, string>> = {
  WORKERS: 'To use more than one core, use nginx, a CDN, an export or several instances (docs/operating.md).',
};
const OF_COMMANDS = ['BACKUP_PASSPHRASE'];

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.(?:localhost|local|internal|test))$/i;

export const configuration: Check = {
  name: 'configuration',
  async *run({ settings: { siteUrl, host, trustedProxies }, variables, knownVariables }) {
    for (const name of variables) {
      if (knownVariables.includes(name) || OF_COMMANDS.includes(name)) continue;
      const gone = GONE[name];
      if (gone) {
        yield {
          id: 'configuration.gone',
          sentence: `${name} is no longer a setting.`,
          evidence: `${name} is set`,
          mend: `Remove it. ${gone}`,
        };
      } else if (OURS.test(name)) {
        const near = nearest(name, knownVariables);
        yield {
          id: 'configuration.unknown',
          sentence: `${name} is not a setting and has no effect.`,
          evidence: `${name} is set`,
          mend: `${near ? `Set ${near} instead` : 'Remove it'}; .env.example lists all settings.`,
        };
      }
    }
    const { protocol, hostname } = new URL(siteUrl);
    const isPublic = !LOOPBACK.test(hostname);
    if (protocol === 'http:' && isPublic)
      yield {
        id: 'configuration.plain-http',
        sentence: 'Passwords are sent over the network unencrypted.',
        evidence: `SITE_URL is ${siteUrl}`,
        mend: 'Put a proxy with a certificate in front, and set SITE_URL to the https address (docs/operating.md#domain-and-tls).',
      };
    if (protocol === 'https:' && trustedProxies.length === 0)
      yield {
        id: 'configuration.no-trusted-proxy',
        sentence:
          'All readers and writers share one set of rate limits, because their requests seem to come from the proxy.',
        evidence: `SITE_URL is ${siteUrl}, and TRUSTED_PROXIES is not set`,
        mend: 'Set TRUSTED_PROXIES to the proxy’s address, such as loopback.',
      };
    if (protocol === 'https:' && /^(?:0\.0\.0\.0|::|\*)$/.test(host) && trustedProxies.includes('loopback'))
      yield {
        id: 'configuration.open-port',
        sentence: 'The server can be reached without the proxy, and so without TLS.',
        evidence: `HOST is ${host}, and the proxy is on this machine (TRUSTED_PROXIES has loopback)`,
        mend: 'Set HOST=127.0.0.1.',
      };
  },
};

const MISSPELT = 2;

function nearest(name: string, names: readonly string[]): string | undefined {
  return names
    .filter((each) => distance(each, name) <= MISSPELT)
    .toSorted((a, b) => distance(a, name) - distance(b, name))[0];
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}

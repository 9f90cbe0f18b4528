import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type PeerCertificate } from 'node:tls';
import type { Check, DoctorSite, Finding } from '../site.ts';

const TLS_MS = 5000;
const PROXY_MS = 10_000;
const DAY_MS = 86_400_000;
/** A certificate is reported this many days before it expires. Automatic renewal would have replaced it by then. */
const SOON_DAYS = 14;

export const mail: Check = {
  name: 'mail',
  async *run({ tools }) {
    const evidence = await tools.mailFault();
    if (evidence === undefined) return;
    yield {
      id: 'mail.refused',
      sentence: 'The mail server does not work, so no one can reset a password.',
      evidence,
      mend: 'Set SMTP_HOST, SMTP_PORT, SMTP_SECURE, SMTP_USERNAME and SMTP_PASSWORD to your provider’s values. Then run: npm run doctor -- mail YOUR_ADDRESS',
    };
  },
};

const hostnameOf = (siteUrl: string): string => new URL(siteUrl).hostname.replace(/^\[|\]$/g, '');

export const dns: Check = {
  name: 'DNS',
  async *run({ settings: { siteUrl } }) {
    const hostname = hostnameOf(siteUrl);
    const fault = await lookup(hostname).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (fault === undefined) return;
    yield {
      id: 'dns.unknown',
      sentence: 'The site’s host name has no address in DNS.',
      evidence: `${hostname}: ${fault}`,
      mend: `Add an A or AAAA record for ${hostname} at your DNS provider, or correct SITE_URL.`,
    };
  },
};

interface Seen {
  readonly certificate: PeerCertificate;
  readonly refusal: string | undefined;
}

export const tls: Check = {
  name: 'TLS',
  async *run({ settings: { siteUrl }, now }) {
    const { protocol, port } = new URL(siteUrl);
    if (protocol !== 'https:') return;
    const hostname = hostnameOf(siteUrl);
    const seen = await certificateAt(hostname, Number(port || 443));
    // The `proxy` check reports an address that does not respond.
    if (!seen) return;
    const until = Date.parse(seen.certificate.valid_to);
    const left = Math.floor((until - now) / DAY_MS);
    if (until < now) {
      yield {
        id: 'tls.expired',
        sentence: 'The certificate has expired, so browsers show a warning instead of the site.',
        evidence: `it was valid until ${seen.certificate.valid_to}`,
        mend: 'Renew it: run certbot renew, or restart Caddy and read its log.',
      };
    } else if (seen.refusal) {
      const isName = seen.refusal === 'ERR_TLS_CERT_ALTNAME_INVALID';
      yield {
        id: isName ? 'tls.other-name' : 'tls.not-trusted',
        sentence: isName ? 'The certificate is for another name.' : 'Browsers do not trust the certificate.',
        evidence: `${hostname}: ${seen.refusal}; it names ${seen.certificate.subjectaltname ?? 'nothing'}`,
        mend: isName
          ? `Get a certificate for ${hostname}.`
          : 'Get one from a public authority such as Let’s Encrypt, and make the proxy send its intermediate certificates.',
      };
    } else if (left < SOON_DAYS) {
      yield {
        id: 'tls.expires-soon',
        sentence: `The certificate expires in ${left} days.`,
        evidence: `it is valid until ${seen.certificate.valid_to}`,
        mend: 'Find out why it is not being renewed: certbot renew --dry-run',
      };
    }
  },
};

async function certificateAt(host: string, port: number): Promise<Seen | undefined> {
  const { promise, resolve } = Promise.withResolvers<Seen | undefined>();
  const socket = connect(
    { host, port, servername: /^[\d.:]+$/.test(host) ? '' : host, rejectUnauthorized: false },
    () => {
      const certificate = socket.getPeerCertificate();
      const error = socket.authorizationError as unknown as (Error & { code?: string }) | string | null;
      resolve({
        certificate,
        refusal: error ? (typeof error === 'string' ? error : (error.code ?? error.message)) : undefined,
      });
    },
  );
  socket.on('error', () => resolve(undefined));
  const seen = await Promise.race([promise, sleep(TLS_MS, undefined, { ref: false })]);
  socket.destroy();
  return seen;
}

export const proxy: Check = {
  name: 'proxy',
  needsServer: true,
  async *run(site) {
    const { siteUrl, ownAddress } = site.settings;
    if (siteUrl === ownAddress) return;
    const there = await site.tools.siteAt(siteUrl).catch((error: Error) => error);
    if (there === undefined) {
      yield {
        id: 'proxy.silent',
        sentence: 'Nothing answers at the site’s address.',
        evidence: `${siteUrl} does not answer`,
        mend: 'Start the proxy, open ports 80 and 443, or correct SITE_URL.',
      };
    } else if (there instanceof Error || there !== siteUrl) {
      yield {
        id: 'proxy.other-site',
        sentence: 'A different site answers at this site’s address.',
        evidence: there instanceof Error ? there.message : `the site at ${siteUrl} says its address is ${there}`,
        mend: `Make the proxy forward ${siteUrl} to ${ownAddress} (docs/operating.md#domain-and-tls), or correct SITE_URL.`,
      };
    } else yield* changedByProxy(site);
  },
};

async function* changedByProxy({ settings: { siteUrl, ownAddress } }: DoctorSite): AsyncGenerator<Finding> {
  const headers = { 'accept-encoding': 'br' };
  const at = (origin: string) => fetch(`${origin}/`, { headers, signal: AbortSignal.timeout(PROXY_MS) });
  const [seen, sent] = await Promise.all([at(siteUrl), at(ownAddress)]);
  await Promise.all([seen.arrayBuffer(), sent.arrayBuffer()]);
  const differs = ['content-encoding', 'etag', 'content-security-policy'].filter(
    (name) => sent.headers.get(name) !== null && seen.headers.get(name) !== sent.headers.get(name),
  );
  if (differs.length === 0) return;
  yield {
    id: 'proxy.changes-answers',
    sentence: 'The proxy changes the server’s responses: it compresses them again, caches them or replaces headers.',
    evidence: differs.map((name) => `${name}: ${sent.headers.get(name)} becomes ${seen.headers.get(name)}`).join('; '),
    mend: 'Turn off the proxy’s compression, caching and header rules for this site (docs/operating.md#domain-and-tls).',
  };
}

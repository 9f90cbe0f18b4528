/** The certificate that browsers see at `SITE_URL`. */

import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type PeerCertificate } from 'node:tls';
import type { Check, Finding } from '../site.ts';

const PATIENCE = 5000;
const DAY_MS = 86_400_000;
/** Days before its end: whoever renews by themselves has done so long before. */
const SOON = 14;

interface Seen {
  readonly certificate: PeerCertificate;
  /** Node's word for why it is not believed. */
  readonly refusal: string | undefined;
}

export const tls: Check = {
  name: 'TLS',
  async run({ settings: { siteUrl }, now }): Promise<readonly Finding[]> {
    const { protocol, hostname, port } = new URL(siteUrl);
    if (protocol !== 'https:') return [];
    const seen = await certificateAt(hostname.replace(/^\[|\]$/g, ''), Number(port || 443));
    // That nothing answers there is the proxy's check.
    if (!seen) return [];
    const until = Date.parse(seen.certificate.valid_to);
    const left = Math.floor((until - now) / DAY_MS);
    if (until < now) {
      return [
        {
          id: 'tls.expired',
          sentence: 'The certificate has expired: browsers show a warning in place of the site.',
          evidence: `it was valid until ${seen.certificate.valid_to}`,
          mend: 'Renew it: certbot renew, or restart Caddy and see its log.',
        },
      ];
    }
    if (seen.refusal) {
      const isName = seen.refusal === 'ERR_TLS_CERT_ALTNAME_INVALID';
      return [
        {
          id: isName ? 'tls.other-name' : 'tls.not-trusted',
          sentence: isName ? 'The certificate is for another name.' : 'Browsers do not trust the certificate.',
          evidence: `${hostname}: ${seen.refusal}; it names ${seen.certificate.subjectaltname ?? 'nothing'}`,
          mend: isName
            ? `Get a certificate for ${hostname}.`
            : 'Get one from a public authority such as Let’s Encrypt, and let the proxy send its intermediate certificates.',
        },
      ];
    }
    if (left >= SOON) return [];
    return [
      {
        id: 'tls.expires-soon',
        sentence: `The certificate expires in ${left} days.`,
        evidence: `it is valid until ${seen.certificate.valid_to}`,
        mend: 'See why it is not renewed: certbot renew --dry-run',
      },
    ];
  },
};

/** Undefined when nothing speaks TLS there. */
async function certificateAt(host: string, port: number): Promise<Seen | undefined> {
  const { promise, resolve } = Promise.withResolvers<Seen | undefined>();
  // What is presented is looked at, not believed: nothing is sent.
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
  const seen = await Promise.race([promise, sleep(PATIENCE, undefined, { ref: false })]);
  socket.destroy();
  return seen;
}

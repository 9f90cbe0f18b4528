/** Looks up the DNS records by which other mail servers judge a mail: SPF, DKIM, DMARC and the reverse name. */
import type { Resolver } from 'node:dns/promises';

export interface MailRecord {
  readonly name: 'SPF' | 'DKIM' | 'DMARC' | 'reverse name';
  readonly isRight: boolean;
  /** States the finding, and the fix if it is not right. */
  readonly sentence: string;
}

export interface MailSender {
  /** The domain of the sender's address. */
  readonly domain: string;
  /** The SMTP server. */
  readonly host: string;
  /** The TXT record that should publish the signing key. */
  readonly dkim: { readonly name: string; readonly value: string };
}

type Lookups = Pick<Resolver, 'resolveTxt' | 'resolve4' | 'resolve6' | 'reverse'>;

const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

/** @throws the resolver's error if DNS does not answer */
export async function lookUpMail(lookups: Lookups, { domain, host, dkim }: MailSender): Promise<MailRecord[]> {
  const texts = async (name: string) =>
    ((await unlessNothing(lookups.resolveTxt(name))) ?? []).map((parts) => parts.join(''));
  const [spf, key, dmarc] = await Promise.all([texts(domain), texts(dkim.name), texts(`_dmarc.${domain}`)]);
  return [
    spfRecord(
      domain,
      spf.filter((text) => /^v=spf1(?: |$)/i.test(text)),
    ),
    dkimRecord(dkim, key),
    dmarcRecord(
      domain,
      dmarc.filter((text) => /^v=DMARC1/i.test(text)),
    ),
    await reverseRecord(lookups, host),
  ];
}

function spfRecord(domain: string, found: readonly string[]): MailRecord {
  const [record = ''] = found;
  if (found.length === 1) return { name: 'SPF', isRight: true, sentence: record };
  const sentence =
    found.length === 0
      ? `${domain} has no SPF record. Add a TXT record that names your mail provider, such as "v=spf1 include:PROVIDER ~all".`
      : `${domain} has ${found.length} SPF records, and receivers then use none. Merge them into one.`;
  return { name: 'SPF', isRight: false, sentence };
}

function dkimRecord({ name, value }: MailSender['dkim'], found: readonly string[]): MailRecord {
  const keyOf = (text: string) => /(?:^|;)\s*p=([^;\s]*)/.exec(text)?.[1];
  const isRight = found.some((text) => keyOf(text) === keyOf(value));
  if (isRight) return { name: 'DKIM', isRight, sentence: `${name} publishes the key of this site.` };
  const what = found.length === 0 ? 'does not exist' : 'publishes another key';
  return { name: 'DKIM', isRight, sentence: `${name} ${what}. Add this TXT record there: ${value}` };
}

function dmarcRecord(domain: string, [record]: readonly string[]): MailRecord {
  if (record) return { name: 'DMARC', isRight: true, sentence: record };
  const sentence = `_dmarc.${domain} does not exist. Add a TXT record there, to begin with "v=DMARC1; p=none".`;
  return { name: 'DMARC', isRight: false, sentence };
}

async function reverseRecord(lookups: Lookups, host: string): Promise<MailRecord> {
  const of = await Promise.all([unlessNothing(lookups.resolve4(host)), unlessNothing(lookups.resolve6(host))]);
  const addresses = of.flatMap((found) => found ?? []);
  const names = await Promise.all(
    addresses.map(async (address) => ({ address, found: (await unlessNothing(lookups.reverse(address))) ?? [] })),
  );
  const nameless = names.find(({ found }) => found.length === 0);
  if (addresses.length === 0)
    return { name: 'reverse name', isRight: false, sentence: `${host} has no address in DNS.` };
  const sentence = nameless
    ? `${nameless.address}, an address of ${host}, has no reverse name. Ask its provider for one.`
    : `${host} is ${names.map(({ address, found }) => `${address} (${found[0]})`).join(', ')}.`;
  return { name: 'reverse name', isRight: !nameless, sentence };
}

async function unlessNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (NOTHING.has(`${(error as NodeJS.ErrnoException).code}`)) return undefined;
    throw error;
  }
}

/** Looks up the DNS records by which other servers judge the site's email: SPF, DKIM, DMARC and reverse DNS. */
import type { Resolver } from 'node:dns/promises';

interface MailRecord {
  readonly name: 'SPF' | 'DKIM' | 'DMARC' | 'reverse DNS';
  readonly isRight: boolean;
  /** Describes the record or, if it is wrong, the problem and its fix. */
  readonly sentence: string;
}

interface MailSender {
  /** Domain of the sender's address. */
  readonly domain: string;
  /** Host name of the SMTP server. */
  readonly host: string;
  /** The TXT record that should publish the signing key. */
  readonly dkim: { readonly name: string; readonly value: string };
}

type Lookups = Pick<Resolver, 'resolveTxt' | 'resolve4' | 'resolve6' | 'reverse'>;

const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks up the sender's records. @throws the resolver's error if a lookup fails, but not if a record is missing */
export async function lookUpMail(lookups: Lookups, { domain, host, dkim }: MailSender): Promise<MailRecord[]> {
  const texts = async (name: string) => (await found(lookups.resolveTxt(name))).map((parts) => parts.join(''));
  const [ofDomain, keys, ofDmarc] = await Promise.all([texts(domain), texts(dkim.name), texts(`_dmarc.${domain}`)]);
  const spf = ofDomain.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const dmarc = ofDmarc.find((text) => /^v=DMARC1/i.test(text));
  const isOwnKey = keys.some((text) => keyIn(text) === keyIn(dkim.value));
  const otherKey = keys.length === 0 ? 'does not exist' : 'publishes a different key';
  const dkimFault = `${dkim.name} ${otherKey}. Add this TXT record: ${dkim.value}`;
  const dmarcFault = `_dmarc.${domain} does not exist. Add a TXT record there. You can begin with "v=DMARC1; p=none".`;
  const spfFault =
    spf.length === 0
      ? `${domain} has no SPF record. Add a TXT record that names your mail provider, such as "v=spf1 include:PROVIDER ~all".`
      : `${domain} has ${spf.length} SPF records, so receivers ignore them all. Merge them into one.`;
  return [
    recordOf('SPF', spf.length === 1 ? spf[0] : undefined, spfFault),
    recordOf('DKIM', isOwnKey ? `${dkim.name} publishes the key of this site.` : undefined, dkimFault),
    recordOf('DMARC', dmarc, dmarcFault),
    { name: 'reverse DNS', ...(await reverseName(lookups, host)) },
  ];
}

const recordOf = (name: MailRecord['name'], right: string | undefined, fault: string): MailRecord => ({
  ...{ name, isRight: right !== undefined, sentence: right ?? fault },
});

const keyIn = (text: string) => /(?:^|;)\s*p=([^;\s]*)/.exec(text)?.[1];

async function reverseName(lookups: Lookups, host: string): Promise<Omit<MailRecord, 'name'>> {
  const addresses = (await Promise.all([found(lookups.resolve4(host)), found(lookups.resolve6(host))])).flat();
  if (addresses.length === 0) return { isRight: false, sentence: `${host} has no address in DNS.` };
  const names = await Promise.all(addresses.map(async (address) => (await found(lookups.reverse(address)))[0]));
  const nameless = addresses.find((_, at) => names[at] === undefined);
  if (nameless === undefined)
    return { isRight: true, sentence: `${host} is ${addresses.map((one, at) => `${one} (${names[at]})`).join(', ')}.` };
  const sentence = `${nameless}, an address of ${host}, has no reverse DNS name. Ask its provider to set one.`;
  return { isRight: false, sentence };
}

/** Returns the records; an empty list if DNS has none. */
async function found<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked;
  } catch (error) {
    if (NOTHING.has(`${(error as NodeJS.ErrnoException).code}`)) return [];
    throw error;
  }
}

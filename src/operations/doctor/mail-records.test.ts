import { expect, it } from 'vitest';
import { lookUpMail } from './mail-records.ts';

const dkim = { name: 'common-ink._domainkey.ink.example', value: 'v=DKIM1; k=rsa; p=QUJD' };
const SENDER = { domain: 'ink.example', host: 'smtp.ink.example', dkim };

const nothing = (): never => {
  throw Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' });
};

async function lookUp(
  texts: Readonly<Record<string, string[][]>>,
  addresses: string[] = ['192.0.2.1'],
  name = ['mx.ink.example'],
) {
  const records = await lookUpMail(
    {
      resolveTxt: async (of) => texts[of] ?? nothing(),
      resolve4: (async () => (addresses.length > 0 ? addresses : nothing())) as never,
      resolve6: (async () => nothing()) as never,
      reverse: async () => (name.length > 0 ? name : nothing()),
    },
    SENDER,
  );
  return Object.fromEntries(records.map((record) => [record.name, record]));
}

it('finds nothing to mend where all records are there', async () => {
  const found = await lookUp({
    'ink.example': [['unrelated'], ['v=spf1 include:provider.example ~all']],
    'common-ink._domainkey.ink.example': [['v=DKIM1; k=rsa; p=QU', 'JD']],
    '_dmarc.ink.example': [['v=DMARC1; p=reject']],
  });
  expect(Object.values(found).map(({ isRight }) => isRight)).toEqual([true, true, true, true]);
});

it('names each record that is missing, and the key to publish', async () => {
  const found = await lookUp({}, ['192.0.2.1'], []);
  expect(Object.values(found).map(({ isRight }) => isRight)).toEqual([false, false, false, false]);
  expect(found.DKIM?.sentence).toContain('v=DKIM1; k=rsa; p=QUJD');
  expect(found['reverse DNS']?.sentence).toContain('192.0.2.1');
});

it.each([
  ['two SPF records', { 'ink.example': [['v=spf1 a -all'], ['v=spf1 mx -all']] }, 'SPF'],
  ['another key', { 'common-ink._domainkey.ink.example': [['v=DKIM1; p=WFla']] }, 'DKIM'],
  ['a withdrawn key', { 'common-ink._domainkey.ink.example': [['v=DKIM1; p=']] }, 'DKIM'],
  ['a text that only looks like SPF', { 'ink.example': [['v=spf10 all']] }, 'SPF'],
] as const)('does not accept %s', async (_, texts, name) =>
  expect((await lookUp(texts as never))[name]?.isRight).toBe(false),
);

it('says so where the mail server has no address', async () =>
  expect((await lookUp({}, []))['reverse DNS']?.sentence).toBe('smtp.ink.example has no address in DNS.'));

it('fails where DNS does not answer', async () => {
  const failing = { resolveTxt: () => Promise.reject(Object.assign(new Error('timeout'), { code: 'ETIMEOUT' })) };
  await expect(
    lookUpMail({ ...failing, resolve4: nothing, resolve6: nothing, reverse: nothing } as never, SENDER),
  ).rejects.toThrow('timeout');
});

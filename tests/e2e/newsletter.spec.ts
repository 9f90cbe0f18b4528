/** Newsletter: readers subscribe without scripts, get posts by email and unsubscribe; the owner manages it at /site. */
import type { ReceivedMail } from 'embedded-appwrite/testing';
import type { Page } from 'playwright/test';
import { asWriter, member, ownMailSite, saveSettings, status } from './members.ts';
import { newPost } from './post-form.ts';
import { type Access, expect, hold, policyViolations, withShared } from './site.ts';

async function openNewsletter(access: Access) {
  const opened = await ownMailSite({ access }, true);
  const { site } = opened;
  const owner = await member(site, 'owner', 'Olga');
  const newsletter = { rhythm: 'each' as const, contact: 'Ink Press, 1 Quay', perMinute: 6000, delay: 0 };
  return {
    ...{ ...opened, owner },
    turnOn: () => saveSettings(site, owner, { newsletter }),
  };
}

type Newsletter = Awaited<ReturnType<typeof openNewsletter>>;

const test = withShared('letter', openNewsletter).extend<{ reader: Page }>({
  reader: async ({ open, letter }, use) => use(await open({ at: letter.site, javaScriptEnabled: false })),
});
test.describe.configure({ mode: 'serial' });

const linkIn = ({ email }: Pick<ReceivedMail, 'email'>): string =>
  /https?:\S+\/api\/subscription\?token=\S+/.exec(email.text ?? '')?.[0] ?? '';
const main = (page: Page) => page.getByRole('main');

async function subscribe(page: Page, address: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('contentinfo').getByLabel('Email address').fill(address);
  await page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe' }).click();
}

/** Subscribes an address by following the link in the confirmation email. */
async function confirm(page: Page, { mail }: Newsletter, address: string): Promise<void> {
  await subscribe(page, address);
  await expect(main(page)).toContainText('Check your mail');
  await page.goto(linkIn(await mail.mailTo(address)));
  await page.getByRole('button', { name: 'Subscribe', exact: true }).first().click();
  await expect(main(page)).toContainText('You are subscribed');
}

async function publish({ site, owner }: Newsletter, open: (visit: object) => Promise<Page>, title: string) {
  const desk = await open({ at: site, as: owner });
  const form = await newPost(desk, { title, text: 'Words of the post.', image: true });
  await expect(desk.getByLabel('Send to subscribers')).toBeChecked();
  await form.publish(/\/post\//);
  return desk;
}

test('the box does nothing until the owner turns the newsletter on', async ({ letter, reader, open }) => {
  const { site, owner } = letter;
  expect(await site.text('/')).not.toContain('action="/api/subscribe"');
  await reader.goto('/api/subscribe');
  await expect(main(reader)).toContainText('There’s no newsletter here');
  const page = await open({ at: site, as: owner, path: '/site#subscribers' });
  await page.getByLabel('What is sent').selectOption({ label: 'Each post by itself' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a postal address or another way to reach you.')).toBeVisible();
  await page.getByLabel('Contact line').fill('Ink Press, 1 Quay');
  await page.getByLabel('Minutes to wait after publishing').fill('0');
  await page.getByLabel('Emails per minute').fill('6000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(page, 'Saved.')).toBeVisible();
  await expect.poll(() => site.text('/')).toContain('action="/api/subscribe"');
});

test('a reader without script subscribes, gets a post, and leaves by its link', async ({ letter, reader, open }) => {
  await letter.turnOn();
  const { mail, site } = letter;
  const violations = policyViolations(reader);
  await subscribe(reader, 'ann@localhost');
  await expect(main(reader)).toContainText('Enter an address such as name@example.com.');
  const letThrough = await hold(reader, /\/api\/subscribe\?/);
  await subscribe(reader, 'ann+ink@example.com');
  await expect(main(reader)).toContainText('One moment');
  letThrough();
  await expect(main(reader)).toContainText('Check your mail');
  const asked = await mail.mailTo('ann+ink@example.com');
  const link = linkIn(asked);
  // A mail scanner that follows the link does not confirm the subscription.
  expect((await fetch(link)).status).toBe(200);
  await reader.goto(link);
  await expect(main(reader)).toContainText('ann+ink@example.com');
  await reader.getByRole('main').getByRole('button').first().click();
  await expect(main(reader)).toContainText('You are subscribed');

  await publish(letter, open, 'Out by mail');
  const { email, raw } = await mail.mailTo('ann+ink@example.com');
  expect(email).toMatchObject({ subject: 'Out by mail', to: [{ address: 'ann+ink@example.com' }] });
  expect(email.text).toContain('Words of the post.');
  expect(email.text).toContain('Ink Press, 1 Quay');
  expect(email.html).not.toMatch(/<script|<form|url\(|@import/i);
  const headers = Object.fromEntries(email.headers.map(({ key, value }) => [key, value]));
  expect(headers).toMatchObject({
    'list-id': '<newsletter.127.0.0.1>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  const [, unsubscribe = ''] = /<(.*)>/.exec(headers['list-unsubscribe'] ?? '') ?? [];
  expect(unsubscribe).toMatch(new RegExp(`^${site.url}/api/subscription\\?token=`));
  expect(raw).not.toContain('common-ink-e2e');

  const manage = linkIn({ email });
  await reader.goto(manage);
  await reader.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(main(reader)).toContainText('You are unsubscribed');
  await publish(letter, open, 'Not for Ann');
  await reader.goto(link);
  await expect(main(reader)).toContainText('It has expired or was already used.');
  expect(mail.received.filter(({ email: { subject } }) => subject === 'Not for Ann')).toEqual([]);
  expect(violations).toEqual([]);
});

test('a mail program’s one-click request ends a subscription, and a forged one does not', async ({
  letter,
  reader,
  open,
}) => {
  await letter.turnOn();
  const { mail } = letter;
  await confirm(reader, letter, 'bob@example.com');
  await publish(letter, open, 'For Bob');
  const { email } = await mail.mailTo('bob@example.com');
  const [, address = ''] =
    /<(.*)>/.exec(email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '') ?? [];
  const click = (url: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect((await click(`${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404);
  expect((await click(address)).status).toBe(200);
  expect((await click(address)).status).toBe(200);
  await reader.goto(address);
  await expect(main(reader)).not.toContainText('bob@example.com');
});

test('the answer is the same for known and unknown addresses and for robots', async ({ letter, reader }) => {
  await letter.turnOn();
  await confirm(reader, letter, 'known@example.com');
  const answer = async (email: string, website = '') => {
    const headers = { origin: letter.site.url, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ email, website });
    const response = await fetch(`${letter.site.url}/api/subscribe`, { method: 'POST', headers, body });
    return `${response.status} ${(await response.text()).replaceAll(/proof=[\w-]+/g, 'proof')}`;
  };
  expect(await answer('known@example.com')).toBe(await answer('unknown@example.com'));
  expect(await answer('robot@example.com', 'https://spam.example')).toMatch(/^200 [\s\S]*Check your mail/);
  for (const address of [...new Array(4).fill('often@example.com'), 'last@example.com']) {
    await subscribe(reader, address);
    await expect(main(reader)).toContainText('Check your mail');
  }
  await letter.mail.mailTo('last@example.com');
  const mailsTo = (address: string) => letter.mail.received.filter(({ to }) => to.includes(address)).length;
  // The site sends emails over several connections, so they may arrive out of order.
  await expect.poll(() => [mailsTo('robot@example.com'), mailsTo('often@example.com')]).toEqual([0, 3]);
});

test('an owner imports, finds, adds, removes and exports subscribers', async ({ letter, open }) => {
  await letter.turnOn();
  const { site, owner, mail } = letter;
  const page = await open({ at: site, as: owner, path: '/site#subscribers' });
  const csv = [
    'email,created_at,subscribed_to_emails',
    'zoe@example.com,2024-02-03T00:00:00.000Z,true',
    'gone@example.com,2024-02-03T00:00:00.000Z,false',
    'no address,,true',
    'ann+ink@example.com,2024-02-03T00:00:00.000Z,true',
  ].join('\n');
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(status(page, '1 added')).toBeVisible();
  await page.getByLabel('Search addresses').fill('zoe');
  await expect(page.getByText('zoe@example.com')).toBeVisible();
  await page.getByRole('button', { name: 'Remove zoe@example.com' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(status(page, 'zoe@example.com was removed.')).toBeVisible();
  await main(page).getByLabel('Email address').fill('carl@example.com');
  await page.getByRole('button', { name: 'Send confirmation' }).click();
  await expect(status(page, 'A confirmation is on its way')).toBeVisible();
  await mail.mailTo('carl@example.com');
  await expect(main(page).getByRole('link', { name: 'For Bob' })).toBeVisible();
  const exported = await (await asWriter(site, owner, '/api/newsletter/export')).text();
  expect(exported).toContain('known@example.com');
  expect(exported).not.toMatch(/zoe@|carl@|ann\+ink@/);
  const editor = await member(site, 'editor', 'Ed');
  for (const path of ['/api/newsletter', '/api/newsletter/export', '/api/newsletter/subscribers'])
    expect((await asWriter(site, editor, path)).status, path).toBe(403);
});

test('a subscriber changes the address, which has to confirm', async ({ letter, reader, open }) => {
  await letter.turnOn();
  const { mail } = letter;
  await confirm(reader, letter, 'old@example.com');
  await publish(letter, open, 'For the old address');
  const { email } = await mail.mailTo('old@example.com');
  const manage = linkIn({ email });
  await reader.goto(manage);
  await main(reader).getByLabel('Email address').fill('new@example.com');
  await reader.getByRole('button', { name: 'Change', exact: true }).click();
  await reader.goto(linkIn(await mail.mailTo('new@example.com')));
  await main(reader).getByRole('button').first().click();
  await expect(main(reader)).toContainText('You are subscribed');
  await publish(letter, open, 'For the new address');
  await mail.mailTo('new@example.com');
  const subjects = (address: string) =>
    mail.received.filter(({ to }) => to.includes(address)).map((received) => received.email.subject);
  expect(subjects('old@example.com')).not.toContain('For the new address');
});

test('an author previews the email of a draft, which an owner may send to themselves', async ({ letter, open }) => {
  await letter.turnOn();
  const { mail, owner, site } = letter;
  const draft = await site.post(owner, { title: 'Not yet', content: '<p>Words of the draft.</p>', status: 'inactive' });
  const page = await open({ at: site, as: owner, path: `/edit-post/${draft.id}` });
  await page.getByRole('button', { name: 'Preview the email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Preview the email' });
  const text = dialog.frameLocator('iframe').getByRole('paragraph').filter({ hasText: 'Words of the draft.' });
  await expect(text).toBeVisible();
  await dialog.getByRole('button', { name: 'Send me a test' }).click();
  await expect(status(page, 'A test is on its way to your address.')).toBeVisible();
  const { email } = await mail.mailTo(owner.email);
  expect(email).toMatchObject({ subject: 'Not yet', to: [{ address: owner.email }] });
});

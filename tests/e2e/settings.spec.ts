import { Account } from 'node-appwrite';
import type { Settings, SettingsState } from '#blog/site-settings/settings.ts';
import { member, ownMailSite } from './members.ts';
import { expect, ownSite, type RunningSite, test, type Writer } from './site.ts';

/** Calls the API with a JWT, as an owner's page does wherever the backend runs. */
async function call(site: RunningSite, owner: Writer, body?: object): Promise<SettingsState> {
  const { jwt } = await new Account(site.as(owner)).createJWT();
  const response = await fetch(`${site.url}/api/settings`, {
    headers: { 'x-appwrite-jwt': jwt, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as SettingsState;
}

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const picture = { src: PNG, width: 40, height: 20 };

/** Each setting, with a page that shows it and words that the page must contain. */
const SETTINGS: readonly (readonly [Settings, string, string])[] = [
  [{ name: 'Margin Notes' }, '/feed.xml', '<title>Margin Notes</title>'],
  [{ name: 'Margin Notes' }, '/nowhere', ' · Margin Notes</title>'],
  [{ tagline: 'On paper.' }, '/archive', 'On paper.'],
  [{ introduction: 'For typesetters.' }, '/', 'For typesetters.'],
  [{ language: 'de' }, '/login', '<html lang="de"'],
  [{ logo: { light: picture } }, '/archive', `<img src="${PNG}" width="40" height="20"`],
  [{ icon: picture }, '/archive', `<link rel="icon" href="${PNG}">`],
  [{ colours: { light: { accent: '#8a1c1c' } } }, '/archive', '--color-accent:light-dark(#8a1c1c'],
  [{ navigation: [{ text: 'Our shop', address: 'https://shop.example' }] }, '/archive', 'Our shop'],
  [{ footer: { contact: 'mailto:ink@example.com' } }, '/archive', 'href="mailto:ink@example.com"'],
  [{ perPage: 6 }, '/page/2', 'aria-current="page"'],
  [{ timeZone: 'Pacific/Kiritimati' }, '/login', '"timeZone":"Pacific/Kiritimati"'],
];

test('each setting shows on home, post, list, feed, error page and form, and is taken back', async ({ access }) => {
  test.slow();
  await using site = await ownSite({ access });
  const owner = await member(site, 'owner', 'Olga');
  let post = '';
  for (let number = 0; number < 7; number++) post = await site.publishText(owner, `Post ${number}`);
  await site.revalidate(owner, post);
  const pages = async () => {
    const texts: Record<string, string> = {};
    for (const path of ['/', `/post/${post}`, ...SETTINGS.map(([, path]) => path)])
      texts[path] = (await site.text(path)).replaceAll('&quot;', '"');
    return texts;
  };
  // Polls, because an error page does not wait long for the newest posts, which a remote backend may not have sent yet.
  let before: Record<string, string> = {};
  const withoutSettings = async () => {
    before = await pages();
    return before['/nowhere'];
  };
  await expect.poll(withoutSettings).toContain(post);
  for (const [, path, words] of SETTINGS) expect(before[path]).not.toContain(words);
  let { current } = await call(site, owner);
  for (const [settings, path, words] of SETTINGS) {
    ({ current } = await call(site, owner, { base: current.version, settings }));
    // Pages other than the home page may still be served in their old version while they are rendered.
    await expect.poll(async () => (await site.text(path)).replaceAll('&quot;', '"').includes(words), words).toBe(true);
  }
  await call(site, owner, { base: current.version, settings: { name: 'All of it' } });
  expect(await site.text('/')).toContain('<title>All of it</title>');
  await expect.poll(() => site.text(`/post/${post}`)).toContain(' · All of it</title>');
  await site.stop();
  await site.start();
  expect(await site.text('/')).toContain('<title>All of it</title>');
  const { former } = await call(site, owner, { base: current.version + 1, settings: {} });
  expect(former[0]).toMatchObject({ userName: 'Olga', settings: { name: 'All of it' } });
  await expect.poll(pages).toEqual(before);
});

test('mails come in the name and the language of the site @embedded', async () => {
  await using opened = await ownMailSite();
  const { mail, site } = opened;
  const owner = await member(site, 'owner', 'Olga');
  const { sendsMail } = await call(site, owner, {
    base: 0,
    settings: { name: 'Tinte', language: 'de', mailName: 'Die Tinte' },
  });
  expect(sendsMail).toBe(true);
  const body = JSON.stringify({ email: owner.email });
  await fetch(`${site.url}/api/recovery`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const { email } = await mail.mailTo(owner.email);
  expect(email.from?.name).toBe('Die Tinte');
  expect(email.subject).toMatch(/Tinte/);
  expect(email.text).toContain('Passwort');
});

import { createServer } from 'node:http';
import { Account, Databases } from 'node-appwrite';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { webhookSignature } from '#api/handlers/webhook.ts';
import type { PublishingLocals } from '#api/locals.ts';
import { letWrite } from '#backend/people/who-writes.ts';
import { guestClient, serverClient } from '#backend/target.ts';
import { setLanguage } from '#blog/messages/language.ts';
import type { Settings, SettingsState } from '#blog/site-settings/settings.ts';
import { cacheDirectiveHeaders } from '#page-store/cache-directives.ts';
import { peerSignature, SIGNATURE_HEADER, TIME_HEADER } from '#publishing/peers.ts';
import { callApi } from '../../../tests/support/api.ts';
import { ownFolder } from '../../../tests/support/folder.ts';
import { close as closeServer, listen } from '../../../tests/support/gateway.ts';
import { ask, person, removeRoles, type Someone, sharedPeopleSite } from '../../../tests/support/people.ts';
import { readConfiguration } from '../configuration.ts';
import { openPublishing } from '../publishing.ts';
import { openSiteSettings } from './site-settings.ts';

const backend = await sharedPeopleSite();
const place = { databaseId: 'blog', collectionId: 'settings' };
const byKey = new Databases(serverClient(backend.target));
const as = ({ session }: Someone) => new Databases(guestClient(backend.target).setSession(session));
const documents = async () => (await byKey.listDocuments(place)).documents;
const SECRET = 'secret-of-all-the-instances';
let owner: Someone;
beforeEach(async () => {
  await removeRoles(backend);
  owner = await person(backend, 'owner');
});
afterEach(async () => {
  for (const { $id } of await documents()) await byKey.deleteDocument({ ...place, documentId: $id });
});

/** Opens an instance of the site on the backend. Each page's text is its path and the settings it was rendered with. */
async function instance({ directory = ownFolder(), endpoint = backend.target.endpoint } = {}) {
  const configuration = readConfiguration({
    ...{ DATA_DIR: directory, APPWRITE_ENDPOINT: endpoint, APPWRITE_API_KEY: backend.target.apiKey },
    ...{ SITE_URL: 'https://blog.example', PEER_SECRET: SECRET, WEBHOOK_SECRET: SECRET },
  });
  const names: string[] = [];
  const settings = openSiteSettings(configuration, undefined, () => names.push(settings.now().site.name));
  let renders = 0;
  const render = async (path: string, { site, theme } = settings.now()) => {
    renders++;
    const text = [path, site.name, site.language, theme.navigation.map(({ text }) => text)].join(' ');
    const headers = cacheDirectiveHeaders({ maxAge: 1000, tags: [] });
    headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    return new Response(text, { status: Number(/^\/(40\d)$/.exec(path)?.[1] ?? 200), headers });
  };
  const reader = { forget: () => {}, postChanged: () => {} };
  const none = async () => undefined;
  const redirects = { targetOf: none, targetOfQuery: none } as unknown as App.Locals['redirects'];
  const publishing = openPublishing(configuration, { reader, redirects, render, settings });
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    if (request.method === 'PUT') publishing.refuse(response, 405);
    else publishing.handlePage(request, response);
  });
  const origin = await listen(server);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await closeServer(server);
    await publishing.idle();
    await publishing.close();
    setLanguage('en');
  };
  onTestFinished(close);
  await publishing.readSettings();
  const api: PublishingLocals = { ...publishing.locals, settings: settings.forOwners(render) };
  return {
    ...{ api, close, directory, names, origin },
    async page(path = '/', method = 'GET'): Promise<string> {
      // Disables the two-second limit after which readers get the former page. A busy machine may need longer.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        return await (await fetch(origin + path, { method })).text();
      } finally {
        vi.runOnlyPendingTimers();
        vi.useRealTimers();
      }
    },
    renders: () => renders,
    now: () => settings.now().site,
    save: (base: number, given: object, who = owner) =>
      ask<SettingsState>(api, '/api/settings', who.session, { base, settings: given }),
  };
}

const state = async (api: PublishingLocals, { session }: Someone): Promise<SettingsState> => {
  const request = new Request('https://blog.example/api/settings', {
    headers: { cookie: `a_session_common-ink=${session}` },
  });
  return (await (await callApi(request, api)).json()) as SettingsState;
};

/** Writes a version of the settings directly to the backend, without the site's checks. */
const write = (who: Someone, settings: unknown, version: number, userId = who.id) =>
  as(who).createDocument({
    ...{ ...place, documentId: `v${`${version}`.padStart(10, '0')}` },
    data: { settings: typeof settings === 'string' ? settings : JSON.stringify(settings), userId },
    permissions: [`read("user:${who.id}")`],
  });

it('shows saved settings on every page before it answers, error pages included, and takes them back', async () => {
  const site = await instance();
  const before = [await site.page(), await site.page('/archive'), await site.page('/', 'PUT')];
  expect(before).toEqual(['/ Common Ink en ', '/archive Common Ink en ', '/405 Common Ink en ']);
  const navigation = [{ text: 'About', address: '/about' }];
  const saved = await site.save(0, { name: 'Tinte', language: 'de', navigation });
  expect(saved).toMatchObject({ status: '200', current: { version: 1, userId: owner.id, faults: [] }, former: [] });
  const renders = site.renders();
  expect(await site.page()).toBe('/ Tinte de About');
  expect(site.renders()).toBe(renders);
  expect(await site.page('/archive')).toBe('/archive Tinte de About');
  expect(await site.page('/', 'PUT')).toBe('/405 Tinte de About');
  const undone = await site.save(1, {});
  expect(undone).toMatchObject({ current: { version: 2, settings: {} }, former: [saved.current] });
  expect([await site.page(), await site.page('/', 'PUT')]).toEqual([before[0], before[2]]);
  expect(site.names).toEqual(['Tinte', 'Common Ink']);
});

it('keeps twenty former versions, with who saved each and when', async () => {
  const site = await instance();
  for (let base = 0; base < 23; base++) await write(owner, { name: `Name ${base}` }, base + 1);
  await byKey.createDocument({ ...place, documentId: 'zzz', data: { settings: '{}', userId: owner.id } });
  const { former, current } = await site.save(23, { name: 'Last' });
  expect([current.version, former.length, former[0]?.version, former.at(-1)?.version]).toEqual([24, 20, 23, 4]);
  expect(Date.parse(former[0]?.savedAt ?? '')).toBeGreaterThan(Date.now() - 600_000);
  expect(await documents()).toHaveLength(21);
});

it('tells the second of two owners who save at once', async () => {
  const site = await instance();
  const other = await person(backend, 'owner');
  const both = await Promise.all([site.save(0, { name: 'One' }), site.save(0, { name: 'Two' }, other)]);
  expect(both.map(({ status }) => status.slice(0, 3)).sort()).toEqual(['200', '409']);
  expect((await site.save(0, { name: 'Late' }, other)).status).toMatch(/^409 Another owner saved/);
  const winner = both.find(({ status }) => status === '200');
  expect(await site.page()).toContain(winner?.current.settings.name);
});

it('refuses settings that do not fit, and names the field', async () => {
  const site = await instance();
  const navigation = [{ text: 'A', address: 'javascript:alert(1)' }];
  expect((await site.save(0, { navigation })).status).toMatch(/^400 settings\.navigation\.0\.address: Enter an email/);
  // In JSON, each of these characters becomes an escape sequence of six characters.
  const css = '\u0001'.repeat(32 * 1024);
  expect((await site.save(0, { css: `${css}a` })).status).toMatch(/^400 settings\.css: Use at most 32,768/);
  expect((await site.save(0, { css })).status).toBe('200');
  const src = `data:image/png;base64,${btoa(`\x89PNG\r\n\x1a\n${' '.repeat(12_000)}`)}`;
  expect((await site.save(1, { css, icon: { src, width: 1, height: 1 } })).status).toMatch(/^413 The settings are too/);
});

it('shows the default for what cannot be used of a version written past the screens, and names it', async () => {
  const site = await instance();
  await write(owner, { name: 7, language: 'fr', look: 'none', navigation: [{ text: 'Here', address: '/here' }] }, 1);
  await site.api.revalidate({ settings: true, from: 'backend' });
  expect(await site.page()).toBe('/ Common Ink en Here');
  expect((await state(site.api, owner)).current.faults.toSorted()).toEqual(['language', 'look', 'name']);
  await write(owner, 'no JSON', 2);
  await site.api.revalidate({ settings: true, from: 'backend' });
  expect(await site.page()).toBe('/ Common Ink en ');
});

it('saves although a version with the last possible number was written past the screens', async () => {
  const site = await instance();
  await write(owner, { name: 'Last' }, 9_999_999_999);
  expect(await site.save(0, { name: 'First' })).toMatchObject({ status: '200', current: { version: 1 } });
  expect(await site.page()).toBe('/ First en ');
});

it('names as the writer only who proves it', async () => {
  const site = await instance();
  const other = await person(backend, 'owner');
  await write(other, { name: 'Forged' }, 1, owner.id);
  expect((await state(site.api, owner)).current).toMatchObject({ userId: '', userName: '' });
});

it('follows changes of another instance by message, by webhook and by itself', async () => {
  const [one, other] = [await instance(), await instance()];
  await other.page('/archive');
  const told = async (path: string, body: string, headers: Record<string, string>) =>
    (await callApi(new Request(`https://blog.example${path}`, { method: 'POST', body, headers }), other.api)).status;

  await one.save(0, { name: 'By message' });
  const [body, time] = ['{"all":true}', `${Math.floor(Date.now() / 1000)}`];
  const signature = peerSignature(SECRET, time, body);
  expect(await told('/api/peers', body, { [TIME_HEADER]: time, [SIGNATURE_HEADER]: signature })).toBe(200);
  expect([await other.page(), await other.page('/archive')]).toEqual(['/ By message en ', '/archive By message en ']);

  await one.save(1, { name: 'By webhook' });
  const payload = JSON.stringify({ $id: 'v0000000002' });
  const sign = webhookSignature(SECRET, 'https://blog.example/api/webhooks/appwrite', Buffer.from(payload));
  const event = 'databases.blog.collections.settings.documents.v0000000002.create';
  const headers = { 'x-appwrite-webhook-signature': sign, 'x-appwrite-webhook-events': event };
  expect(await told('/api/webhooks/appwrite', payload, headers)).toBe(200);
  expect(await other.page()).toBe('/ By webhook en ');
  const renders = other.renders();
  expect(await told('/api/webhooks/appwrite', payload, headers)).toBe(200);
  expect(other.renders()).toBe(renders);

  await write(owner, { name: 'By itself' }, 3);
  await vi.waitFor(async () => expect(await other.page()).toBe('/ By itself en '), { timeout: 120_000, interval: 200 });
});

it('follows who may write, and starts with it while the backend is down', async () => {
  const [site, members] = [await instance(), await instance()];
  const renders = site.renders();
  expect(await ask(site.api, '/api/site', owner.session, { writers: 'members' })).toMatchObject({ status: '200' });
  onTestFinished(() => letWrite(backend.target, 'everyone'));
  expect(site.renders()).toBeGreaterThan(renders);
  expect(site.now().membersOnly).toBe(true);
  await vi.waitFor(() => expect(members.now().membersOnly).toBe(true), { timeout: 120_000 });
  await site.close();
  const alone = await instance({ directory: site.directory, endpoint: 'http://127.0.0.1:9/v1' });
  expect(alone.now().membersOnly).toBe(true);
  await alone.close();
  await letWrite(backend.target, 'everyone');
  const back = await instance({ directory: site.directory });
  await vi.waitFor(() => expect(back.now().membersOnly).toBeUndefined(), { timeout: 120_000 });
});

it('starts with the last settings while the backend is down, and follows it when it is back', async () => {
  const site = await instance();
  await site.save(0, { name: 'A' });
  await site.page('/archive');
  await site.close();
  const alone = await instance({ directory: site.directory, endpoint: 'http://127.0.0.1:9/v1' });
  expect([await alone.page('/archive'), await alone.page('/tag/new')]).toEqual(['/archive A en ', '/tag/new A en ']);
  await alone.close();
  await write(owner, { name: 'Meanwhile' }, 2);
  const back = await instance({ directory: site.directory });
  await vi.waitFor(async () => expect(await back.page()).toBe('/ Meanwhile en '), { timeout: 120_000 });
  expect(await back.page('/archive')).toBe('/archive Meanwhile en ');
  await back.close();
  const again = await instance({ directory: site.directory });
  expect(await again.page()).toBe('/ Meanwhile en ');
  expect((await fetch(`${again.origin}/`)).headers.get('x-page')).toMatch(/^hit/);
});

it('renders a preview for owners alone, in a frame of this site alone, and stores nothing', async () => {
  const site = await instance();
  const preview = async (settings: Settings | string, { session }: Someone, form: Record<string, string> = {}) => {
    const fields = { settings: typeof settings === 'string' ? settings : JSON.stringify(settings), ...form };
    const request = new Request('https://blog.example/api/settings/preview?path=/archive', {
      ...{ method: 'POST', body: new URLSearchParams(fields) },
      headers: { cookie: `a_session_common-ink=${session}`, origin: 'https://blog.example' },
    });
    return callApi(request, site.api);
  };
  const answer = await preview({ name: 'Unsaved' }, owner);
  expect([answer.status, await answer.text()]).toEqual([200, '/archive Unsaved en ']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
  });
  expect(await (await preview({ name: '', perPage: 6 } as Settings, owner)).text()).toContain('Common Ink');
  expect((await preview('{"a":', owner)).status).toBe(400);
  expect((await preview({}, await person(backend, 'editor'))).status).toBe(403);
  const { jwt } = await new Account(guestClient(backend.target).setSession(owner.session)).createJWT();
  expect((await preview({}, { ...owner, session: '' }, { jwt })).status).toBe(200);
  expect((await preview({}, { ...owner, session: '' })).status).toBe(401);
  expect([await site.page('/archive'), await documents()]).toEqual(['/archive Common Ink en ', []]);
});

it('outdates the pages at the next call if it failed at first', async () => {
  const configuration = readConfiguration({
    ...{ DATA_DIR: ownFolder(), APPWRITE_ENDPOINT: backend.target.endpoint, APPWRITE_API_KEY: backend.target.apiKey },
  });
  const settings = openSiteSettings(configuration);
  await write(owner, { name: 'Margin Notes' }, 1);
  await expect(settings.follow(() => Promise.reject(new Error('The disk is full.')))).rejects.toThrow('disk is full');
  const outdated = () => Promise.resolve('outdated');
  expect(await settings.follow(outdated)).toBe('outdated');
  expect(await settings.follow(outdated)).toBeUndefined();
});

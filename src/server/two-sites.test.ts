/** Two sites, each with its own configuration, backend and page store, run in one process and share no global state. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { listen } from '@common-ink/http/listen.ts';
import type { APIContext } from 'astro';
import { Databases } from 'node-appwrite';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { answerApi } from '#api/answer.ts';
import { createAdmin } from '#backend/server-key/admin.ts';
import { serverClient } from '#backend/target.ts';
import { cacheDirectiveHeaders } from '#page-store/cache-directives.ts';
import { GET as feed } from '#pages/feed.xml.ts';
import { postRequest } from '../../tests/support/api.ts';
import { openContext } from './astro/context.ts';
import type { PageLocals } from './astro/pages.ts';
import { startBackend } from './backend/backend.ts';
import { provisionSite } from './backend/provision.ts';
import { readConfiguration } from './configuration.ts';
import { openPublishing } from './publishing.ts';
import { openSiteSettings } from './site/site-settings.ts';

const TOKEN = 'the-token-of-both-operators';

async function startSite(name: string, more: NodeJS.ProcessEnv = { SITE_NAME: name }) {
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-'));
  const given = { DATA_DIR: folder, ...more, REBUILD_TOKEN: TOKEN };
  const configuration = readConfiguration({ ...given, PORT: `${await freePort()}` });
  const backend = startBackend(configuration);
  const context = openContext(configuration, { isToldOfWrites: true });
  const { reader, redirects } = context;
  const settings = openSiteSettings(configuration);
  const publishing = openPublishing(configuration, { reader, redirects, settings, render: () => renderFeed(locals) });
  const locals: PageLocals = {
    ...context,
    get site() {
      return settings.now().site;
    },
    publishing: publishing.locals,
  };
  backend.events?.listen(publishing.onEvent);
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    if (request.url?.startsWith('/v1/')) backend.handle(request, response);
    else if (!publishing.handlePage(request, response)) response.writeHead(404).end();
  });
  await listen(server, configuration.port, configuration.host);
  await provisionSite(configuration);
  const { appwrite, siteUrl } = configuration;
  const target = { ...appwrite, endpoint: appwrite.serverEndpoint, apiKey: appwrite.apiKey ?? '' };
  const admin = createAdmin(target);
  const { user } = await admin.createAuthor({ email: 'ann@example.com', name: `Ann of ${name}` });
  return {
    locals,
    publish(id: string) {
      const post = { content: '<p>x</p>', featuredImage: '', status: 'active', userId: user.id } as const;
      return admin.createPost({ id, title: `${id} of ${name}`, ...post });
    },
    saveSettings: (settings: object) =>
      new Databases(serverClient(target)).createDocument({
        ...{ databaseId: 'blog', collectionId: 'settings', documentId: 'v0000000001' },
        data: { settings: JSON.stringify(settings), userId: user.id },
      }),
    feed: async () => (await fetch(`${siteUrl}/feed.xml`)).text(),
    /** Calls `/api/rebuild` with `token`, always from the same address, and returns the status. */
    async rebuild(token: string) {
      const request = postRequest('/api/rebuild', { tags: ['posts'] }, { authorization: `Bearer ${token}` });
      return (await answerApi({ request, clientAddress: '192.0.2.1', locals })).status;
    },
    async close() {
      await publishing.idle();
      backend.disconnect();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await backend.close();
      await publishing.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function renderFeed(locals: PageLocals): Promise<Response> {
  let kept = new Headers();
  const set = (wish: Parameters<typeof cacheDirectiveHeaders>[0]) => {
    kept = cacheDirectiveHeaders(wish);
  };
  const context = { locals: { ...locals, forStore: true }, cache: { set } };
  const answer = await feed(context as unknown as APIContext);
  for (const [name, value] of kept) answer.headers.set(name, value);
  return answer;
}

const one = await startSite('One');
const other = await startSite('Other');
afterAll(async () => {
  for (const site of [one, other]) await site.close();
});

test('serve their own names and posts', async () => {
  await Promise.all([one.publish('apple'), other.publish('pear')]);
  expect(await one.feed()).toMatch(/^(?!.*Other).*<title>One<\/title>.*apple of One/s);
  expect(await other.feed()).toMatch(/^(?!.*of One).*<title>Other<\/title>.*pear of Other/s);
});

test('render only their own pages after a write', async () => {
  const before = other.locals.publishing?.explain('/feed.xml');
  await one.publish('plum');
  expect(await one.rebuild(TOKEN)).toBe(200);
  expect(await one.feed()).toContain('plum of One');
  expect(other.locals.publishing?.explain('/feed.xml')).toEqual(before);
});

test('follow their own stored settings alone, and those below the operator’s', async () => {
  const third = await startSite('Third', {});
  onTestFinished(third.close);
  expect(await third.feed()).toContain('<title>Common Ink</title>');
  await Promise.all([third.saveSettings({ name: 'Renamed' }), one.saveSettings({ name: 'Renamed' })]);
  await expect.poll(() => third.feed()).toContain('<title>Renamed</title>');
  expect(await one.feed()).toContain('<title>One</title>');
  expect(await other.feed()).toContain('<title>Other</title>');
});

test('count attempts separately', async () => {
  for (let i = 0; i < 10; i++) expect(await one.rebuild(`guess-${i}`)).toBe(401);
  expect([await one.rebuild('guess'), await other.rebuild('guess')]).toEqual([429, 401]);
});

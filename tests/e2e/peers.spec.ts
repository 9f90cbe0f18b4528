import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { Databases } from 'node-appwrite';
import { PEERS_PATH, peerSignature, SIGNATURE_HEADER, TIME_HEADER } from '#publishing/peers.ts';
import { RemoteAppwrite } from './remote.ts';
import { expect, RunningSite, removeSite, test, type Writer } from './site.ts';

const PEER_SECRET = 'secret-of-the-instances';
const place = { databaseId: 'blog', collectionId: 'articles' };

const test2 = test.extend<object, { pair: { one: RunningSite; other: RunningSite; remote: RemoteAppwrite } }>({
  pair: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixtures used from a destructured parameter
    async ({}, use) => {
      const remote = new RemoteAppwrite('127.0.0.1', await freePort(), ['appwrite.example.com']);
      await remote.start();
      const [a, b] = [await freePort(), await freePort()];
      const instance = (port: number, peer: number, environment: NodeJS.ProcessEnv) =>
        new RunningSite(port, mkdtempSync(join(tmpdir(), 'common-ink-e2e-')), {
          access: 'gateway',
          remote,
          environment: { PEERS: `http://127.0.0.1:${peer}`, PEER_SECRET, ...environment },
        });
      const one = instance(a, b, {});
      const other = instance(b, a, { PAGES_MAX_AGE: '2' });
      await Promise.all([one.start(), other.start()]);
      await use({ one, other, remote });
      await one.stop();
      await removeSite(other);
      await removeSite(one);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

const read = async (site: RunningSite, path: string) => {
  const response = await fetch(site.url + path);
  return { status: response.status, text: await response.text(), page: response.headers.get('x-page') ?? '' };
};
/** Changes a title and tells one instance, as a form there does. */
async function retitle(at: RunningSite, writer: Writer, documentId: string, title: string): Promise<void> {
  await new Databases(at.as(writer)).updateDocument({ ...place, documentId, data: { title } });
  await at.revalidate(writer, documentId);
}

test2('each instance receives the writes at the other: published, changed, taken back', async ({ pair }) => {
  const { one, other } = pair;
  const writer = await one.writer();
  for (const site of [one, other]) expect((await read(site, '/')).status).toBe(200);
  const post = await one.post(writer, { title: 'Told by the one' });
  await expect.poll(async () => (await read(other, '/')).text).toContain('Told by the one');
  expect((await read(other, `/post/${post.id}`)).text).toContain('Told by the one');

  await retitle(other, writer, post.id, 'Changed at the other');
  expect((await read(other, '/')).text).toContain('Changed at the other');
  for (const path of ['/', `/post/${post.id}`]) {
    await expect.poll(async () => (await read(one, path)).text).toContain('Changed at the other');
  }

  await one.setStatus(writer, post, 'inactive');
  // The write was answered only after both instances removed the page.
  for (const site of [other, one]) {
    expect((await read(site, `/post/${post.id}`)).status).toBe(404);
    expect((await read(site, '/')).text).not.toContain('Changed at the other');
  }
});

test2('a lost message heals by the age of the pages', async ({ pair: { one, other, remote } }) => {
  const writer = await one.writer();
  const post = await one.post(writer, { title: 'Before the loss' });
  await expect.poll(async () => (await read(other, `/post/${post.id}`)).text).toContain('Before the loss');
  // This change bypasses both instances.
  const direct = new Databases(one.admin().setEndpoint(remote.target.endpoint));
  await direct.updateDocument({ ...place, documentId: post.id, data: { title: 'After the loss' } });
  await expect.poll(async () => (await read(other, `/post/${post.id}`)).text).toContain('After the loss');
  // This instance caches pages for ten minutes.
  expect((await read(one, `/post/${post.id}`)).text).toContain('Before the loss');
});

test2('a message without the secret is refused', async ({ pair: { one } }) => {
  const tell = (body: string, headers: Record<string, string>) =>
    fetch(one.url + PEERS_PATH, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const sign = (body: string, { secret = PEER_SECRET, age = 0 } = {}) => {
    const time = `${Math.floor(Date.now() / 1000) - age}`;
    return { [TIME_HEADER]: time, [SIGNATURE_HEADER]: peerSignature(secret, time, body) };
  };
  const body = JSON.stringify({ all: true });
  const tooMany = JSON.stringify({ slugs: Array.from({ length: 10_001 }, (_, i) => `p${i}`) });
  const answers = await Promise.all([
    tell(body, {}),
    tell(body, sign(body, { secret: 'a-guess-of-the-secret' })),
    tell(body.replace('true', 'true '), sign(body)),
    tell(body, sign(body, { age: 400 })),
    tell(tooMany, sign(tooMany)),
    tell(body, sign(body)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 400, 200]);
  expect(await answers[4]?.json()).toEqual({
    error: '"slugs" has 10001 names. Send at most 10000 in one message, and the others in the next.',
  });
});

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { asWriter, member } from './members.ts';
import { RemoteAppwrite } from './remote.ts';
import { expect, RunningSite, test, type Writer } from './site.ts';

/** Changes a title and notifies the instance `at`, as a post form on that instance does. */
async function retitle(at: RunningSite, writer: Writer, documentId: string, title: string): Promise<void> {
  await at.update(documentId, { title }, writer);
  await at.revalidate(writer, documentId);
}

test('each instance receives the writes at the other, and a lost message heals by the age of the pages', async () => {
  const remote = new RemoteAppwrite('127.0.0.1', await freePort(), ['appwrite.example.com']);
  const [a, b] = [await freePort(), await freePort()];
  const instance = (port: number, peer: number, more: NodeJS.ProcessEnv = {}) =>
    new RunningSite(port, mkdtempSync(join(tmpdir(), 'common-ink-e2e-')), {
      access: 'gateway',
      remote,
      environment: { PEERS: `http://127.0.0.1:${peer}`, PEER_SECRET: 'secret-of-the-instances', ...more },
    });
  await using one = instance(a, b);
  await using other = instance(b, a, { PAGES_MAX_AGE: '2' });
  await remote.start();
  await Promise.all([one.start(), other.start()]);
  const writer = await one.writer();
  for (const site of [one, other]) expect(await site.status('/')).toBe(200);
  const post = await one.post(writer, { title: 'Told by the one' });
  await expect.poll(() => other.text('/')).toContain('Told by the one');
  expect(await other.text(`/post/${post.id}`)).toContain('Told by the one');
  await retitle(other, writer, post.id, 'Changed at the other');
  expect(await other.text('/')).toContain('Changed at the other');
  for (const path of ['/', `/post/${post.id}`])
    await expect.poll(() => one.text(path)).toContain('Changed at the other');
  // Notifies neither instance. The pages of `other` expire after two seconds, those of `one` after ten minutes.
  await one.update(post.id, { title: 'After the loss' });
  await expect.poll(() => other.text(`/post/${post.id}`)).toContain('After the loss');
  expect(await one.text(`/post/${post.id}`)).toContain('Changed at the other');
  await one.setStatus(writer, post, 'inactive');
  expect(await one.status(`/post/${post.id}`)).toBe(404);
  expect(await one.text('/')).not.toContain(post.id);
  // The response to a write waits for the other instance, but only for a second.
  await expect.poll(() => other.status(`/post/${post.id}`)).toBe(404);
  await expect.poll(() => other.text('/')).not.toContain(post.id);
  const owner = await member(one, 'owner', 'Olga');
  await asWriter(one, owner, '/api/settings', { base: 0, settings: { name: 'Of both' } });
  expect(await one.text('/')).toContain('<title>Of both</title>');
  await expect.poll(() => other.text('/')).toContain('<title>Of both</title>');
});

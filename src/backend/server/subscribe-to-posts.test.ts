import { expect, onTestFinished, test, vi } from 'vitest';
import { siteOfTest } from '../../../tests/support/shared-site.ts';
import { createAdmin } from '../server-key/admin.ts';
import { subscribeToPublicPosts } from './subscribe-to-posts.ts';

test('a published post and its change cause events', async () => {
  const site = await siteOfTest();
  const changed = vi.fn();
  const windowBefore = Reflect.get(globalThis, 'window');
  const stop = subscribeToPublicPosts(site.target, changed);
  onTestFinished(() => {
    stop();
    Object.assign(globalThis, { window: windowBefore });
  });
  const admin = createAdmin(site.target);
  const { user } = await admin.createAuthor({ email: 'a@example.com', name: 'A' });
  const post = { title: 'Heard', content: '<p>x</p>', featuredImage: '', status: 'active', userId: user.id } as const;
  let n = 0;
  const isHeard = async (write: () => Promise<unknown>) => {
    changed.mockClear();
    await write();
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 500 });
  };
  // The subscription takes effect some time after the socket opens, so posts are created until one causes an event.
  const create = () => isHeard(() => admin.createPost({ ...post, id: `heard-${++n}` }));
  await vi.waitFor(create, { timeout: 60_000 });
  await vi.waitFor(create, { timeout: 60_000 });
  const id = `heard-${n}`;
  await vi.waitFor(() => isHeard(() => admin.updatePost({ ...post, id, title: `${n++}` })), 60_000);
});

import { expect, test, vi } from 'vitest';
import { openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { createAdmin } from '../server-key/admin.ts';
import { subscribeToPublicPosts } from './subscribe-to-posts.ts';

test('a published post, its change and its end cause events, a draft does not', async () => {
  const site = await openEmbeddedSite();
  const changed = vi.fn();
  const windowBefore = Reflect.get(globalThis, 'window');
  const stop = subscribeToPublicPosts(site.target, changed);
  try {
    const admin = createAdmin(site.target);
    const { user } = await admin.createAuthor({ email: 'a@example.com', name: 'A' });
    const post = { id: 'heard', title: 'Heard', content: '<p>x</p>', featuredImage: '', userId: user.id };
    // The subscription starts some time after the socket opens.
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 10_000 });
    let n = 0;
    await vi.waitFor(
      async () => {
        changed.mockClear();
        await admin.createPost({ ...post, id: `warm-${n++}`, status: 'active' });
        await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 200 });
      },
      { timeout: 10_000 },
    );
    // Events of earlier posts may still arrive.
    for (let heard = -1; heard !== changed.mock.calls.length; await new Promise((done) => setTimeout(done, 500)))
      heard = changed.mock.calls.length;
    changed.mockClear();
    await admin.createPost({ ...post, id: 'draft', status: 'inactive' });
    await admin.createPost({ ...post, status: 'active' });
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), { timeout: 10_000 });
    await admin.updatePost({ ...post, title: 'Changed', status: 'active' });
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2), { timeout: 10_000 });
  } finally {
    stop();
    Object.assign(globalThis, { window: windowBefore });
    await site.close();
  }
});

import { type Reading, startReaders } from './load.ts';
import { expect, ownSite, test } from './site.ts';

const ROUNDS = 5;
const SECRET = 'Zanzibarite';

test('no address shows a post that is unpublished under load after the acknowledgement @embedded', async () => {
  await using site = await ownSite({ environment: { TRUSTED_PROXIES: 'loopback' } });
  const writer = await site.writer();
  const post = await site.post(writer, { title: `The ${SECRET} letters`, content: `<p>${SECRET} words.</p>` });
  // Pushes the post to the second page.
  for (let i = 0; i < 26; i++) await site.publishText(writer, `Newer ${i}`, `newer-${i}`);
  const second = await site.post(writer, { title: `More ${SECRET}`, content: `<p>${SECRET} again.</p>` });

  const file = site.view(post.featuredImage).slice(site.url.length);
  const preview = `${file.replace('/view?', '/preview?')}&width=480`;
  const [author, year] = [`/author/${writer.id}`, `/archive/${new Date().getUTCFullYear()}`];
  const lists = ['/', '/page/2', author, `${author}/page/2`, '/archive', year];
  const feeds = ['/feed.xml', '/atom.xml', '/feed.json', '/sitemap.xml'];
  const own = [`/post/${post.id}`, `/post/${second.id}`, `/post/${post.id}/share.png`, file, preview];
  const search = `/search?q=${SECRET}`;
  const paths = [...own, ...lists, ...feeds, search, '/post/newer-0'];
  // Pages that show the post while it is published. Omits share pictures: the server draws them only when it has time.
  const shown = [...own.filter((path) => !path.endsWith('share.png')), ...feeds, search];
  shown.push(...lists.filter((list) => list !== '/archive'));

  let hiddenSince = Number.POSITIVE_INFINITY;
  const seen = new Set<string>();
  const leaks: string[] = [];
  const shows = ({ path, status, text }: Reading) => {
    if (own.includes(path)) return status === 200;
    // The search page's heading repeats the query, so the word alone does not mean that the post is shown.
    return text.includes(`/post/${post.id}`) || (path !== search && text.includes(SECRET));
  };
  const readers = startReaders(site.url, paths, (reading) => {
    if (!shows(reading)) return;
    seen.add(reading.path);
    if (reading.begun > hiddenSince) leaks.push(`${reading.path} ${reading.status} ${reading.page}`);
  });
  const round = async (count: number) => {
    const until = readers.count + count;
    await expect.poll(() => readers.count, { intervals: [20] }).toBeGreaterThan(until);
  };
  for (let i = 0; i < ROUNDS; i++) {
    await round(2 * paths.length);
    await expect.poll(() => shown.filter((path) => !seen.has(path))).toEqual([]);
    await Promise.all([post, second].map((each) => site.setStatus(writer, each, 'inactive')));
    hiddenSince = performance.now();
    await round(3 * paths.length);
    hiddenSince = Number.POSITIVE_INFINITY;
    seen.clear();
    if (i < ROUNDS - 1) await Promise.all([post, second].map((each) => site.setStatus(writer, each, 'active')));
  }
  await readers.end();
  expect(leaks).toEqual([]);
});

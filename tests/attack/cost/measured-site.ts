/** Creates a site with hundreds of ordinary posts, three posts at the size limit and a user for each kind of caller. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Databases, ID, Teams, Users } from 'node-appwrite';
import type { PostStatus } from '#blog/post.ts';
import { noise, picture } from '../../e2e/pictures.ts';
import { ARTICLES, ownSite, removeSite, type Writer } from '../../e2e/site.ts';
import { createPosts } from '../../support/bulk-posts.ts';
import { close, listen } from '../../support/gateway.ts';
import { Meter, probeEnvironment } from './measure.ts';
import { storePosts } from './stored-posts.ts';
import { LARGEST_TEXTS } from './texts.ts';

export const REBUILD_TOKEN = 'the-token-of-the-operator';
export const PROJECT = 'common-ink';
/** Each post is 5 to 20 KB long. */
const POSTS = 300;
/** Size of a large picture in bytes, about half of what the site accepts. */
const LARGEST_PICTURE = 4_900_000;

export type CallerName = 'guest' | 'user' | 'stranger' | 'key';

export type MeasuredSite = Awaited<ReturnType<typeof measuredSite>>;

export const sessionHeaders = ({ session }: Writer): Record<string, string> => ({
  'x-appwrite-project': PROJECT,
  cookie: `a_session_${PROJECT}=${session}`,
});

async function pictureSite(): Promise<{ server: Server; address: string }> {
  const bytes = await noise(9_000_000);
  const server = createServer((_, response) => response.setHeader('content-type', 'image/png').end(bytes));
  return { server, address: `${await listen(server)}/picture.png` };
}

/** Creates the site. `posts` is the number of posts of the usual size, at least eight. */
export async function measuredSite(
  build: string,
  { posts = POSTS, settings = {} }: { readonly posts?: number; readonly settings?: NodeJS.ProcessEnv } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-probe-'));
  const socketPath = join(folder, 'socket');
  const environment = { ...probeEnvironment(socketPath), REBUILD_TOKEN, ...settings };
  const site = await ownSite({ build, environment });
  const { server, address } = await pictureSite();
  const meter = await Meter.of(site.url, socketPath);
  const [owner, stranger] = [await site.writer('Owner'), await site.writer('Stranger')];
  const byCaller: Readonly<Record<CallerName, Record<string, string>>> = {
    guest: { 'x-appwrite-project': PROJECT },
    user: sessionHeaders(owner),
    stranger: sessionHeaders(stranger),
    key: { 'x-appwrite-project': PROJECT, 'x-appwrite-key': site.admin().config.key },
  };
  let count = 0;
  const fresh = new Set<string>();
  const serial = () => `n${(count++).toString(36)}`;
  const [small, large] = [await picture(60, 40), await noise(LARGEST_PICTURE)];
  const upload = (bytes: Buffer) => site.upload(owner, bytes, 'picture.png');
  const [file, largestFile] = [await upload(small), await upload(large)];

  const team = await new Teams(site.as(owner)).create({ teamId: ID.unique(), name: 'A team' });

  const store = ($id: string, title: string, content: string, status: PostStatus = 'active') =>
    createPosts(site.admin(), owner.id, 1, () => ({ $id, title, content, status, featuredImage: file }));
  await storePosts(site, owner, posts, file);
  for (const kind of ['prose', 'paragraphs', 'one word']) {
    const id = `largest-${kind.replace(' ', '-')}`;
    await store(id, `The largest: ${kind}`, LARGEST_TEXTS[kind] ?? '');
  }

  return {
    /** `stranger` is signed in and owns nothing. Posts show `file`, a small picture; `largestFile` is random noise. */
    ...{ site, meter, owner, stranger, file, largestFile, serial },
    /** Slugs of a post of ordinary size and of one at the size limit. */
    ...{ post: 'post-7', largestPost: 'largest-prose' },
    team: team.$id,
    /** URL of a picture of 9 MB on another site. */
    remotePicture: address,
    headers: (caller: CallerName) => byCaller[caller],
    async freshUser(): Promise<Writer> {
      const users = new Users(site.admin());
      const user = await users.create({ userId: ID.unique(), name: 'Fresh' });
      const session = await users.createSession({ userId: user.$id });
      return { id: user.$id, name: 'Fresh', email: '', password: '', session: session.secret };
    },
    /** Stores a new post by `owner` directly in the backend. */
    async freshPost(content: string, title = 'A fresh post') {
      const id = serial();
      await store(id, title, content);
      fresh.add(id);
      return id;
    },
    /** Deletes the posts that `freshPost` stored, so that they do not slow down the rows measured after it. */
    async deleteFreshPosts() {
      const databases = new Databases(site.admin());
      for (const documentId of fresh) {
        // A row may have deleted its post itself.
        await databases.deleteDocument({ ...ARTICLES, documentId }).catch(() => undefined);
      }
      fresh.clear();
    },
    async freshDraft() {
      const id = serial();
      await store(id, 'A fresh draft', '<p>a</p>', 'inactive');
      return id;
    },
    /** Uploads a picture as `owner`. If `status` is that of a draft, other users cannot see the picture. */
    freshFile: (status?: PostStatus) => site.upload(owner, small, 'picture.png', status),
    async [Symbol.asyncDispose]() {
      meter.close();
      await close(server);
      await removeSite(site);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

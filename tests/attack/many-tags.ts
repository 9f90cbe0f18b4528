/**
 * A writer gives thirty posts 20,000 tags each, with rate limits on: what a small write, the lists, memory and readers of
 * another page cost afterwards.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { postPermissions } from '#blog/permissions.ts';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { type Attack, processorSeconds, quantile, residentMebibytes } from './attack.ts';
import { startReader } from './reader.ts';

const POSTS = 30;
const TAGS = 20_000;
const MEBIBYTE = 1024 * 1024;
/** Lists that show every post or every tag. */
const LISTS = ['/archive', '/tags.json', '/sitemap.xml', '/feed.xml', '/'];
/** Milliseconds between two looks at whether the site is idle. */
const LOOK_MS = 500;

const tagsOf = (post: number) => Array.from({ length: TAGS }, (_, n) => `Tag ${post * TAGS + n}`);

async function write(site: RunningSite, writer: Writer, id: string, tags: readonly string[]): Promise<number> {
  const { status } = await fetch(`${site.backend}/databases/blog/collections/articles/documents`, {
    method: 'POST',
    headers: {
      'x-appwrite-project': 'common-ink',
      'x-appwrite-session': writer.session,
      'content-type': 'application/json',
      // A kept connection may have run out of time while the site was busy.
      connection: 'close',
    },
    body: JSON.stringify({
      documentId: id,
      data: { title: `Title of ${id}`, content: '<p>Short.</p>', status: 'active', tags, userId: writer.id },
      permissions: postPermissions('active', writer.id),
    }),
  });
  return status;
}

/** Resolves when the site has used next to no processor for a while. */
async function idle(pid: number): Promise<void> {
  for (let before = -1, now = processorSeconds(pid); now - before > 0.03; now = processorSeconds(pid)) {
    before = now;
    await pause(LOOK_MS);
  }
}

async function askAll(site: RunningSite): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const path of LISTS) {
    const response = await fetch(site.url + path).catch(() => undefined);
    const bytes = (await response?.arrayBuffer().catch(() => undefined))?.byteLength ?? 0;
    answers[`${path}, status and MiB`] = `${response?.status ?? 0} ${(bytes / MEBIBYTE).toFixed(2)}`;
  }
  return answers;
}

export const attack: Attack = {
  title: `a writer gives ${POSTS} posts ${TAGS.toLocaleString('en')} tags each, with rate limits on`,
  async run({ build }) {
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    try {
      const pid = site.pid as number;
      const writer = await site.writer();
      await write(site, writer, 'short', ['Ink']);
      await askAll(site);
      await idle(pid);
      const memory = residentMebibytes(pid);
      const statuses = new Set<number>();
      for (let n = 0; n < POSTS; n++) statuses.add(await write(site, writer, `hoard-${n}`, tagsOf(n)));
      await askAll(site);
      await idle(pid);

      let peak = residentMebibytes(pid);
      const timer = setInterval(() => {
        peak = Math.max(peak, residentMebibytes(pid));
      }, 50);
      const used = processorSeconds(pid);
      const reader = await startReader(`${site.url}/post/short`);
      await write(site, writer, 'after', ['Ink']);
      const answers = await askAll(site);
      await idle(pid);
      const waits = await reader.stop();
      clearInterval(timer);
      return {
        'answers to the posts': [...statuses].join(', '),
        'processor of a small write and the lists after it, s': processorSeconds(pid) - used,
        ...answers,
        'longest wait of a reader of another page, ms': quantile(waits, 1),
        'memory before, MiB': memory,
        'memory at most, MiB': peak,
      };
    } finally {
      await removeSite(site);
    }
  },
};

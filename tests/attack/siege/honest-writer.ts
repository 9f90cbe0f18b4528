/** Publishes posts during a siege with the requests that the post form sends. */
import { setTimeout as wait } from 'node:timers/promises';
import { postPermissions } from '#blog/permissions.ts';
import type { RunningSite, Writer } from '../../e2e/site.ts';
import { article } from '../cost/texts.ts';
import { DOCUMENTS, PROJECT } from './order.ts';

const PATIENCE_S = 30;

/**
 * Publishes `total` posts, one every `every` milliseconds; ends within `PATIENCE_S` of the last post's due time.
 * @returns seconds from submitting each post until a reader sees it; infinite if the writer gave up
 */
export async function publishAll(site: RunningSite, writer: Writer, total: number, every: number): Promise<number[]> {
  const seconds: number[] = [];
  const headers = { 'content-type': 'application/json', 'x-appwrite-project': PROJECT };
  const first = performance.now();
  const end = first + total * every + PATIENCE_S * 1000;
  const cookie = `a_session_${PROJECT}=${writer.session}`;

  async function send(method: string, path: string, body?: unknown): Promise<string | undefined> {
    try {
      const response = await fetch(site.url + path, {
        method,
        headers: body === undefined ? {} : { ...headers, cookie },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_S * 1000),
      });
      const text = await response.text();
      // 409 means that an earlier try stored the post, but its response was lost.
      return response.ok || response.status === 409 ? text : undefined;
    } catch {
      return undefined;
    }
  }

  async function publish(slug: string, title: string, begun: number): Promise<number> {
    const enough = () => performance.now() > end;
    const post = { title, content: article(8000, seconds.length), featuredImage: '', status: 'active' };
    const permissions = postPermissions('active', writer.id);
    const document = { documentId: slug, data: { ...post, userId: writer.id }, permissions };
    const steps = [
      async () => (await send('POST', DOCUMENTS, document)) !== undefined,
      async () => (await send('POST', '/api/revalidate', { slug })) !== undefined,
      async () => (await send('GET', `/post/${slug}`))?.includes(title) === true,
    ];
    for (const step of steps) {
      while (!(await step())) {
        if (enough()) return Number.POSITIVE_INFINITY;
        await wait(200);
      }
    }
    return (performance.now() - begun) / 1000;
  }

  for (let i = 0; i < total; i++) {
    await wait(Math.max(0, first + i * every - performance.now()));
    const title = `A post of an honest writer, number ${i}.`;
    seconds.push(
      performance.now() > end ? Number.POSITIVE_INFINITY : await publish(`siege-${i}`, title, performance.now()),
    );
  }
  return seconds;
}

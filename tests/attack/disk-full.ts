/** The disk is filled under writers whose writes fill the log, so that checkpoints are due. */
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { ID } from 'node-appwrite';
import { RunningSite } from '../e2e/site.ts';
import { openSmallDisk } from '../support/small-disk.ts';
import type { Attack, Figures } from './attack.ts';

const WRITERS = 4;
const MEBIBYTES = 64;
/** Milliseconds: writers before the disk is full, while it is, and at most until they are answered again. */
const BEFORE = 1500;
const FULL = 6000;
const RECOVERY = 15_000;
const TEXT = 'A disk has an end. '.repeat(3000);

const counted = (counts: ReadonlyMap<number | string, number>): string =>
  Array.from(counts, ([status, count]) => `${count} × ${status}`).join(', ') || 'none';

export const attack: Attack = {
  title: `${WRITERS} writers and a reader, a disk of ${MEBIBYTES} MiB that is filled under them and then emptied`,
  async run({ build }): Promise<Figures> {
    const disk = await openSmallDisk(MEBIBYTES);
    if (!disk) return { skipped: 'this user may not mount a file system' };
    const environment = { EMBEDDED_RATE_LIMITS: 'on' };
    const site = new RunningSite(await freePort(), disk.directory, { environment, build });
    try {
      await site.start();
      const ada = await site.writer();
      const read = await site.post(ada);
      const post = await site.post(ada);
      const backend = { 'x-appwrite-project': 'common-ink' };
      const signed = { ...backend, cookie: `a_session_common-ink=${ada.session}`, 'content-type': 'application/json' };
      const documents = `${site.url}/v1/databases/blog/collections/articles/documents`;
      const ask = (url: string, init?: RequestInit): Promise<number | string> =>
        fetch(url, { ...init, signal: AbortSignal.timeout(5000) }).then(
          async (response) => {
            await response.arrayBuffer();
            return response.status;
          },
          () => 'no answer',
        );
      const key = (site.admin().headers as Record<string, string>)['X-Appwrite-Key'] ?? '';
      const create = (id: string) =>
        ask(documents, {
          method: 'POST',
          headers: { ...backend, 'x-appwrite-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({
            documentId: id,
            data: { title: id, content: `<p>${TEXT}</p>`, status: 'inactive', userId: ada.id },
          }),
        });
      const acknowledged: string[] = [];
      const statuses = new Map<number | string, number>();
      const readers = new Map<number | string, number>();
      const count = (counts: Map<number | string, number>, status: number | string) =>
        counts.set(status, (counts.get(status) ?? 0) + 1);
      let isOver = false;
      let isFull = false;
      const writer = async () => {
        while (!isOver) {
          const id = ID.unique();
          const status = await create(id);
          if (status === 201) acknowledged.push(id);
          if (isFull) count(statuses, status);
          if (status !== 201) await wait(20);
        }
      };
      const reader = async () => {
        while (!isOver) {
          const status = await ask(`${site.url}/post/${read.id}`);
          if (isFull) count(readers, status);
          await wait(20);
        }
      };
      const work = [...Array.from({ length: WRITERS }, writer), reader()];
      await wait(BEFORE);
      disk.fill();
      isFull = true;
      await wait(FULL / 2);
      disk.fill();
      const json = (body: object) => ({
        method: 'POST',
        headers: { ...backend, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const signIn = await ask(
        `${site.url}/v1/account/sessions/email`,
        json({ email: ada.email, password: ada.password }),
      );
      const deleted = await ask(`${documents}/${post.id}`, { method: 'DELETE', headers: signed });
      await wait(FULL / 2);
      isFull = false;
      isOver = true;
      await Promise.all(work);
      disk.clear();
      const cleared = performance.now();
      let recovery = 'not without hands';
      while (performance.now() - cleared < RECOVERY) {
        if ((await create(ID.unique())) === 201) {
          recovery = ((performance.now() - cleared) / 1000).toFixed(1);
          break;
        }
        await wait(100);
      }
      const isAlive = (await ask(`${site.url}/v1/health/version`)) === 200;
      if (!isAlive) {
        await site.stop();
        await site.start();
      }
      let lost = 0;
      for (const id of acknowledged) {
        if ((await ask(`${documents}/${id}`, { headers: { ...backend, 'x-appwrite-key': key } })) !== 200) lost++;
      }
      return {
        'process alive': isAlive ? 'yes' : 'no',
        'writers while full': counted(statuses),
        'reader of a stored page while full': counted(readers),
        'sign-in while full': signIn,
        'delete while full': deleted,
        'seconds to the first write after there is room': recovery,
        'acknowledged posts': acknowledged.length,
        'of them lost': lost,
      };
    } finally {
      await site.stop();
      disk.remove();
    }
  },
};

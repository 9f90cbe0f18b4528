import { ownSite, type RunningSite, removeSite } from '../e2e/site.ts';
import { type Attack, processorSeconds } from './attack.ts';
import { call, readUntil } from './clients.ts';

const CONNECTIONS = 8;
/** Bodies of each connection, one after the other. */
const BODIES = 4;
const BYTES = 12 * 1024 * 1024;

const SHAPES: Readonly<Record<string, Buffer>> = {
  brackets: Buffer.alloc(BYTES, '['),
  'small objects': Buffer.from(`{"data":[${'{},'.repeat(BYTES / 3 - 8)}1]}`),
};

async function bodies(site: RunningSite, path: string, shape: string) {
  const done = new AbortController();
  const reading = readUntil(`${site.url}/`, done.signal);
  const processor = processorSeconds(site.pid ?? 0);
  const url = `${site.url}/v1${path}`;
  const statuses = new Set<number>();
  const send = async () => {
    for (let index = 0; index < BODIES; index++) {
      statuses.add((await call({ url, method: 'POST', body: SHAPES[shape] ?? Buffer.alloc(0) })).status);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  const used = processorSeconds(site.pid ?? 0) - processor;
  done.abort();
  const name = `${shape} to ${path}`;
  return {
    [`${name}: longest wait of a reader, ms`]: Math.max(...(await reading)),
    [`${name}: processor, ms a body`]: (used * 1000) / (CONNECTIONS * BODIES),
    [`${name}: answers`]: [...statuses].join(', '),
  };
}

export const attack: Attack = {
  title: `${CONNECTIONS} connections send bodies of 12 MB that are nothing but brackets.`,
  async run({ build }) {
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    try {
      const documents = '/databases/blog/collections/articles/documents';
      await call({ url: `${site.url}/` });
      return {
        ...(await bodies(site, '/account/sessions/email', 'brackets')),
        ...(await bodies(site, documents, 'brackets')),
        ...(await bodies(site, documents, 'small objects')),
      };
    } finally {
      await removeSite(site);
    }
  },
};

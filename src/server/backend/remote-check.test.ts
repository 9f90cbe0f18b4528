import { Storage } from 'node-appwrite';
import { beforeEach, expect, it, vi } from 'vitest';
import { serverClient } from '#backend/target.ts';
import type { EmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { readConfiguration } from '../configuration.ts';
import { createBackendProbe, remoteFaults } from './remote-check.ts';

const [remote, bare] = await Promise.all([sharedSite(), sharedSite({ provisioned: false })]);

// On a busy machine, the checks may take longer than the ten seconds that they are given.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => void vi.useRealTimers();
});

function configurationOf({ target, folder }: EmbeddedSite, environment: NodeJS.ProcessEnv = {}) {
  const own = { APPWRITE_ENDPOINT: target.endpoint, APPWRITE_API_KEY: target.apiKey, ...environment };
  return readConfiguration({ DATA_DIR: folder, SITE_URL: 'http://localhost:4321', ...own });
}

const faults = (site: EmbeddedSite, environment?: NodeJS.ProcessEnv) =>
  remoteFaults(configurationOf(site, environment));

it('does not take the time for which the server itself was paused for silence of the backend', async () => {
  const state = createBackendProbe(configurationOf(remote))();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
  expect(await state).toBe('ok');
});

it('reports nothing for a ready Appwrite', async () => {
  expect(await faults(remote)).toEqual([]);
  expect(await faults(remote, { APPWRITE_ACCESS: 'direct' })).toEqual([]);
});

it('reports an unprovisioned Appwrite, and differences of the schema, with the command', async () => {
  const command = 'Run npm run provision with the same settings.';
  const missing = "(Database with the requested ID 'blog' could not be found)";
  const unprovisioned = `The Appwrite at ${bare.target.endpoint} is not set up for this site ${missing}. ${command}`;
  expect(await faults(bare)).toEqual([unprovisioned]);
  await new Storage(serverClient(remote.target)).deleteBucket({ bucketId: remote.target.bucketId });
  const differs = `The Appwrite at ${remote.target.endpoint} differs from what this site needs (bucket media). ${command}`;
  expect(await faults(remote)).toEqual([differs]);
});

it('reports a missing key, a wrong project, an unreachable Appwrite and a foreign site', async () => {
  for (const [environment, fault] of [
    [{ APPWRITE_API_KEY: '' }, /^APPWRITE_API_KEY is not set/],
    [{ APPWRITE_PROJECT_ID: 'other' }, /has no project other\. Set APPWRITE_PROJECT_ID\.$/],
    [{ APPWRITE_ENDPOINT: 'http://127.0.0.1:9/v1' }, /127.0.0.1:9\/v1 cannot be reached\. Check APPWRITE_ENDPOINT/],
  ] as const)
    expect(await faults(remote, environment)).toEqual([expect.stringMatching(fault)]);
  const key = 'standard_of-another-kind';
  const foreign = { APPWRITE_ACCESS: 'direct', SITE_URL: 'https://ink.example', APPWRITE_API_KEY: key };
  expect(await faults(remote, foreign)).toEqual([
    expect.stringMatching(/ refuses APPWRITE_API_KEY \(.+\), so pages show no author names and are not stored\. /),
    expect.stringMatching(
      / browsers from https:\/\/ink\.example\. Add ink\.example to its project as a Web platform\.$/,
    ),
  ]);
});

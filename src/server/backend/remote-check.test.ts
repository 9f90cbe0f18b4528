import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Storage } from 'node-appwrite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { readConfiguration } from '../configuration.ts';
import { remoteFaults } from './remote-check.ts';

let remote: EmbeddedSite;
let bare: EmbeddedSite;
const folder = mkdtempSync(join(tmpdir(), 'common-ink-remote-'));
beforeAll(async () => {
  [remote, bare] = await Promise.all([openEmbeddedSite(), openEmbeddedSite({ provisioned: false })]);
});
afterAll(async () => {
  await Promise.all([remote.close(), bare.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const faults = ({ target }: EmbeddedSite, environment: NodeJS.ProcessEnv = {}) =>
  remoteFaults(
    readConfiguration({
      DATA_DIR: folder,
      SITE_URL: 'http://localhost:4321',
      APPWRITE_ENDPOINT: target.endpoint,
      APPWRITE_API_KEY: target.apiKey,
      ...environment,
    }),
  );

it('reports nothing for a ready Appwrite', async () => {
  expect(await faults(remote)).toEqual([]);
  expect(await faults(remote, { APPWRITE_ACCESS: 'direct' })).toEqual([]);
});

it('reports an unprovisioned Appwrite with the command', async () => {
  expect(await faults(bare)).toEqual([
    `The Appwrite at ${bare.target.endpoint} is not set up for this site (Database with the requested ID 'blog' could not be found). Run npm run provision with the same settings.`,
  ]);
});

it('names differences of the schema', async () => {
  const { endpoint, projectId, apiKey, bucketId } = remote.target;
  const storage = new Storage(new Client().setEndpoint(endpoint).setProject(projectId).setKey(apiKey));
  await storage.deleteBucket({ bucketId });
  expect(await faults(remote)).toEqual([
    `The Appwrite at ${endpoint} differs from what this site needs (bucket media). Run npm run provision with the same settings.`,
  ]);
});

it('reports a missing key, a wrong project and a foreign site', async () => {
  expect(await faults(remote, { APPWRITE_API_KEY: '' })).toEqual([
    expect.stringMatching(/^APPWRITE_API_KEY is not set/),
  ]);
  expect(await faults(remote, { APPWRITE_PROJECT_ID: 'other' })).toEqual([
    expect.stringMatching(/has no project other\. Set APPWRITE_PROJECT_ID\.$/),
  ]);
  const foreign = {
    APPWRITE_ACCESS: 'direct',
    SITE_URL: 'https://ink.example',
    APPWRITE_API_KEY: 'standard_of-another-kind',
  };
  expect(await faults(remote, foreign)).toEqual([
    expect.stringMatching(/ refuses APPWRITE_API_KEY \(.+\): pages show no authors’ names and are not kept\. /),
    expect.stringMatching(
      /refuses browsers of https:\/\/ink\.example\. Add ink\.example to its project as a Web platform\.$/,
    ),
  ]);
});

it('reports an unreachable Appwrite', async () => {
  expect(await faults(remote, { APPWRITE_ENDPOINT: 'http://127.0.0.1:9/v1' })).toEqual([
    'The Appwrite at http://127.0.0.1:9/v1 cannot be reached: is APPWRITE_ENDPOINT right?',
  ]);
});

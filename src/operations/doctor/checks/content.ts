import { postSlugOf } from '#blog/routes/canonical.ts';
import { postPath } from '#blog/routes/paths.ts';
import { pageAddress } from '#blog/routes/post-address.ts';
import type { Check } from '../site.ts';

export const backend: Check = {
  name: 'backend',
  async *run({ settings: { appwrite }, tools, isRunning }) {
    if (appwrite.endpoint) {
      for (const evidence of await tools.remoteFaults())
        yield {
          id: 'backend.remote',
          sentence: 'This site’s Appwrite is not set up correctly.',
          evidence,
          mend: 'Fix this, then run the doctor again.',
        };
      return;
    }
    const differences = isRunning ? await tools.differences() : [];
    if (differences.length === 0) return;
    yield {
      id: 'backend.schema',
      sentence: 'The backend is missing something that the site needs.',
      evidence: differences.join('; '),
      mend: 'npm run provision',
      fix: async () => (await tools.provision()).join('; '),
    };
  },
};

export const settings: Check = {
  name: 'settings',
  needsServer: true,
  needsBackend: true,
  async *run({ tools }) {
    const unusable = await tools.unusableSettings();
    if (unusable.length === 0) return;
    yield {
      id: 'settings.unusable',
      sentence: 'Some stored settings are invalid, so the site uses their defaults.',
      evidence: some(unusable),
      mend: 'As an owner, correct them on /site under Settings, or undo the change there.',
    };
  },
};

export const passkeys: Check = {
  name: 'passkeys',
  needsServer: true,
  needsBackend: true,
  async *run({ settings: { siteUrl }, tools }) {
    const { hostname } = new URL(siteUrl);
    const people = await tools.peopleOfOtherHosts(hostname);
    if (people === 0) return;
    yield {
      id: 'passkeys.other-host',
      sentence: `${people === 1 ? 'One person has a passkey' : `${people} people have passkeys`} for another host.`,
      evidence: `SITE_URL has the host ${hostname}, and a passkey works only at the host where it was made`,
      mend: 'If SITE_URL is right, ask them to sign in another way and to add a passkey on their account page.',
      isAdvice: true,
    };
  },
};

const some = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

const SAMPLE = 50;

export const storedPages: Check = {
  name: 'stored pages',
  needsServer: true,
  needsBackend: true,
  async *run({ settings: { dataDirectory, ownAddress, publishing }, tools }) {
    const { posts } = await tools.content();
    const published = posts.filter(({ isPublished }) => isPublished).map(({ slug }) => slug);
    const known = new Set(published);
    const stray = tools.storedPages().filter((path) => {
      const slug = postSlugOf(path);
      return slug !== undefined && !known.has(decodeURIComponent(slug));
    });
    const token = publishing.rebuildToken;
    const byHand = `stop the server, rm -r ${dataDirectory}/pages, and start it.`;
    if (stray.length > 0)
      yield {
        id: 'pages.not-published',
        sentence: 'The page store still contains pages of unpublished posts.',
        evidence: some(stray),
        mend: token ? 'npm run doctor -- --fix' : `To remove them, ${byHand}`,
        ...(token && { fix: () => rebuild(ownAddress, token, stray) }),
      };
    const failed: string[] = [];
    for (const slug of published.slice(0, SAMPLE)) {
      const answerAt = (path: string) => fetch(ownAddress + path, { redirect: 'manual' });
      let response = await answerAt(postPath(slug));
      if (response.headers.get('location') === pageAddress(slug)) response = await answerAt(pageAddress(slug));
      await response.arrayBuffer();
      if (response.status !== 200) failed.push(`${postPath(slug)}: ${response.status}`);
    }
    if (failed.length > 0) {
      const request = `curl -X POST -H "Authorization: Bearer $REBUILD_TOKEN" -H 'Content-Type: application/json' -d '{"all":true}' ${ownAddress}/api/rebuild`;
      yield {
        id: 'pages.not-shown',
        sentence: 'Some published posts cannot be read.',
        evidence: some(failed),
        mend: `Look for these addresses in the server’s log, then ${token ? request : byHand}`,
      };
    }
  },
};

async function rebuild(ownAddress: string, token: string, paths: readonly string[]): Promise<string> {
  const response = await fetch(`${ownAddress}/api/rebuild`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ paths }),
  });
  if (!response.ok) throw new Error(`The rebuild request returned ${response.status}: ${await response.text()}`);
  return `${paths.length} pages were rendered again.`;
}

/** The sweep deletes private pictures that have been unused for 100 days. Two more days allow for its schedule. */
const SWEPT_AFTER_MS = 102 * 86_400_000;

export const pictures: Check = {
  name: 'pictures',
  needsServer: true,
  needsBackend: true,
  async *run({ settings: { sweepsPictures }, tools, now }) {
    const { posts, files } = await tools.content();
    const stored = new Set(files.map(({ id }) => id));
    const without = posts.filter(({ featuredImage }) => featuredImage !== '' && !stored.has(featuredImage));
    if (without.length > 0)
      yield {
        id: 'pictures.missing',
        sentence: 'The featured pictures of some posts are missing.',
        evidence: some(without.map(({ slug, featuredImage }) => `${slug} (${featuredImage})`)),
        mend: 'Edit these posts and choose a picture, or restore the pictures from a backup.',
      };
    const named = new Set(posts.flatMap(({ featuredImage, files: inText }) => [featuredImage, ...inText]));
    const unused = files.filter(({ id, changedAt }) => !named.has(id) && now - changedAt > SWEPT_AFTER_MS);
    if (unused.length > 0)
      yield {
        id: 'pictures.unused',
        sentence: 'Pictures that no post uses are not being deleted.',
        evidence: some(unused.map(({ id }) => id)),
        mend: sweepsPictures
          ? 'The server’s log says why they are kept. Files that were put into the bucket by hand are never deleted.'
          : 'Set PICTURE_SWEEP=on, unless another site stores its pictures in this bucket.',
      };
  },
};

/** Stored pages beside what the backend holds: nothing is shown that is not published, and what is can be read. */
import { postSlugOf } from '#blog/routes/canonical.ts';
import { postPath } from '#blog/routes/paths.ts';
import type { Check, Finding } from '../site.ts';

/** Published posts that are asked for. */
const SAMPLE = 50;

export const storedPages: Check = {
  name: 'stored pages',
  needsServer: true,
  needsBackend: true,
  async run({ settings: { dataDirectory, ownAddress, publishing }, tools }) {
    const { posts } = await tools.content();
    const published = posts.filter(({ isPublished }) => isPublished).map(({ slug }) => slug);
    const known = new Set(published);
    const stray = tools.storedPages().filter((path) => {
      const slug = postSlugOf(path);
      return slug !== undefined && !known.has(decodeURIComponent(slug));
    });
    const findings: Finding[] = [];
    const token = publishing.rebuildToken;
    if (stray.length > 0) {
      findings.push({
        id: 'pages.not-published',
        sentence: 'Pages are stored of posts that are not published.',
        evidence: `${stray.slice(0, 5).join(', ')}${stray.length > 5 ? ` and ${stray.length - 5} more` : ''}`,
        mend: token ? 'npm run doctor -- --fix' : `Stop the server, rm -r ${dataDirectory}/pages, and start it.`,
        ...(token && { fix: () => rebuild(ownAddress, token, stray) }),
      });
    }
    const failed: string[] = [];
    for (const slug of published.slice(0, SAMPLE)) {
      const response = await fetch(`${ownAddress}${postPath(encodeURIComponent(slug))}`, { redirect: 'manual' });
      await response.arrayBuffer();
      if (response.status !== 200) failed.push(`${postPath(slug)}: ${response.status}`);
    }
    if (failed.length > 0) {
      findings.push({
        id: 'pages.not-shown',
        sentence: 'Published posts cannot be read.',
        evidence: failed.slice(0, 5).join(', '),
        mend: `See the server’s log for these addresses; then ${token ? `curl -X POST -H "Authorization: Bearer $REBUILD_TOKEN" -H 'Content-Type: application/json' -d '{"all":true}' ${ownAddress}/api/rebuild` : `stop the server, rm -r ${dataDirectory}/pages, and start it.`}`,
      });
    }
    return findings;
  },
};

async function rebuild(ownAddress: string, token: string, paths: readonly string[]): Promise<string> {
  const response = await fetch(`${ownAddress}/api/rebuild`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ paths }),
  });
  if (!response.ok) throw new Error(`The rebuild was answered ${response.status}: ${await response.text()}`);
  return `${paths.length} pages are rendered anew.`;
}

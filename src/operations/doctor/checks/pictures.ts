/** Posts whose picture is gone, and pictures that no post names although they should have been deleted long ago. */
import type { Check, Finding } from '../site.ts';

/** The sweep deletes what nobody has named for a hundred days. */
const SWEPT_AFTER_MS = 102 * 86_400_000;

const some = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

export const pictures: Check = {
  name: 'pictures',
  needsServer: true,
  needsBackend: true,
  async run({ settings: { sweepsPictures }, tools, now }) {
    const { posts, files } = await tools.content();
    const stored = new Set(files.map(({ id }) => id));
    const findings: Finding[] = [];
    const without = posts.filter(({ featuredImage }) => featuredImage !== '' && !stored.has(featuredImage));
    if (without.length > 0) {
      findings.push({
        id: 'pictures.missing',
        sentence: 'Posts name a picture that is not there.',
        evidence: some(without.map(({ slug, featuredImage }) => `${slug} (${featuredImage})`)),
        mend: 'Edit these posts and choose a picture, or take it from a backup.',
      });
    }
    const named = new Set(posts.flatMap(({ featuredImage, files: inText }) => [featuredImage, ...inText]));
    const unused = files.filter(({ id, changedAt }) => !named.has(id) && now - changedAt > SWEPT_AFTER_MS);
    if (unused.length > 0) {
      findings.push({
        id: 'pictures.unused',
        sentence: 'Pictures are kept that no post names.',
        evidence: some(unused.map(({ id }) => id)),
        mend: sweepsPictures
          ? 'See the server’s log for why the sweep leaves them; those put into the bucket by hand stay.'
          : 'Set PICTURE_SWEEP=on, unless another site keeps its pictures in this bucket.',
      });
    }
    return findings;
  },
};

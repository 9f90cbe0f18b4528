/** Whether what is served is made of the sources that are there. */
import type { Check } from '../site.ts';

export const build: Check = {
  name: 'build',
  async run({ tools }) {
    if (!tools.isBuildStale()) return [];
    return [
      {
        id: 'build.stale',
        sentence: 'The sources are newer than the site that was built of them.',
        evidence: 'dist/source-stamp names other sources',
        mend: 'npm run build, then start the server anew.',
      },
    ];
  },
};

/** Whether the backend can be read, and is set up as this release needs it. */
import type { Check, Finding } from '../site.ts';

export const backend: Check = {
  name: 'backend',
  async run({ settings: { appwrite }, tools, isRunning }) {
    if (appwrite.endpoint) {
      return (await tools.remoteFaults()).map(
        (fault): Finding => ({
          id: 'backend.remote',
          sentence: 'The Appwrite of this site is not as it should be.',
          evidence: fault,
          mend: 'Do what it says, then run the doctor again.',
        }),
      );
    }
    if (!isRunning) return [];
    const differences = await tools.differences();
    if (differences.length === 0) return [];
    return [
      {
        id: 'backend.schema',
        sentence: 'The backend lacks something that the site needs.',
        evidence: differences.join('; '),
        mend: 'npm run provision',
        fix: async () => (await tools.provision()).join('; '),
      },
    ];
  },
};

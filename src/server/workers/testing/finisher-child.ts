/** The thread that finishes pages, for tests, from the sources. It ends on a page that says so. */
import { parentPort } from 'node:worker_threads';
import { runFinisher, type ToFinisher } from '../finisher-thread.ts';

parentPort?.on('message', ({ work }: ToFinisher) => {
  if (work.kind === 'compress' && Buffer.from(work.identity).includes('This breaks the thread.')) process.exit(1);
});
if (parentPort) runFinisher(parentPort);

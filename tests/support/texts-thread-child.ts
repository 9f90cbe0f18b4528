/** Runs the texts thread of `entry.ts`, but makes it exit or hang for certain texts. */
import { parentPort } from 'node:worker_threads';
import { runTextThread, type ToTextThread } from '#server/texts/thread.ts';

if (parentPort) {
  parentPort.on('message', ({ given: [html] }: ToTextThread) => {
    if (html.includes('end the thread')) process.exit(1);
    while (html.includes('never end'));
  });
  runTextThread(parentPort);
}

/** Runs the worker thread for long texts (`src/server/texts/thread.ts`), but exits or hangs for certain texts. */
import { parentPort } from 'node:worker_threads';
import { runTextThread, type ToTextThread } from '#server/texts/thread.ts';

if (parentPort) {
  parentPort.on('message', ({ given: [html] }: ToTextThread) => {
    if (html.includes('end the thread')) process.exit(1);
    while (html.includes('never end'));
  });
  runTextThread(parentPort);
}

/** What `entry.ts` does in the thread that works on texts; a text that says so ends it, or never ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { runTextThread, type ToTextThread } from '#server/texts/thread.ts';

if (parentPort) {
  parentPort.on('message', ({ given: [html] }: ToTextThread) => {
    if (html.includes('end the thread')) process.exit(1);
    while (html.includes('never end'));
  });
  runTextThread(workerData, parentPort);
}

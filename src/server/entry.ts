/** Where the built server begins: the process itself, or one of its threads. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

// React is twice as fast as itself in development. The adapter's own start is off: this module is the server.
Object.assign(process.env, { NODE_ENV: 'production', ASTRO_NODE_AUTOSTART: 'disabled' });

if (isMainThread) {
  const { runServer } = await import('./run-server.ts');
  await runServer(new URL(import.meta.url));
} else if (parentPort && workerData === 'finish') {
  const { runFinisher } = await import('./workers/finisher-thread.ts');
  runFinisher(parentPort);
} else if (parentPort) {
  const { runThread } = await import('./workers/thread.ts');
  runThread(workerData, parentPort);
}

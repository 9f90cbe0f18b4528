import { isMainThread, parentPort, workerData } from 'node:worker_threads';

// Must be set before React is loaded, to get its faster production build.
Object.assign(process.env, { NODE_ENV: 'production' });

if (isMainThread) {
  const { runServer } = await import('./run-server.ts');
  await runServer(new URL(import.meta.url));
} else if (parentPort && workerData?.kind === 'texts') {
  const { runTextThread } = await import('./texts/thread.ts');
  runTextThread(parentPort);
}

import { isMainThread, parentPort, workerData } from 'node:worker_threads';

// Set before React is loaded, because its production build is faster.
Object.assign(process.env, { NODE_ENV: 'production' });

if (isMainThread) {
  const { runServer } = await import('./run-server.ts');
  await runServer(new URL(import.meta.url));
} else if (parentPort && workerData?.kind === 'texts') {
  const { runTextThread } = await import('./texts/thread.ts');
  runTextThread(parentPort);
}

/** The thread that compresses, for tests, from the sources. It ends on a page that says so. */
import { parentPort } from 'node:worker_threads';
import { runCompressor } from '../compressor-thread.ts';

parentPort?.on('message', ({ identity }: { identity: Uint8Array }) => {
  if (Buffer.from(identity).includes('This breaks the thread.')) process.exit(1);
});
if (parentPort) runCompressor(parentPort);

/** A reader thread for tests, from the sources. */
import { parentPort, workerData } from 'node:worker_threads';
import { runThread } from '../thread.ts';

if (parentPort) runThread(workerData, parentPort);

/** `npm start` where no shell can become the server (scripts/start.sh): prepares, then serves in this process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './prepare.ts';

// React reads it when it is loaded: in its development form rendering costs a quarter more.
process.env.NODE_ENV ??= 'production';
await import(pathToFileURL(join(import.meta.dirname, '..', 'dist', 'server', 'entry.mjs')).href);

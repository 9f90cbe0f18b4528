/** `npm start` where no shell can become the server (scripts/start.sh): prepares and serves in this process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './prepare.ts';

// React reads it at load: its development build renders a quarter slower.
process.env.NODE_ENV ??= 'production';
await import(pathToFileURL(join(import.meta.dirname, '..', 'dist', 'server', 'entry.mjs')).href);

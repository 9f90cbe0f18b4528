/** `npm start` without a POSIX shell (see scripts/start.sh): prepares and serves in this process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './prepare.ts';

// Set before React is loaded, because its development build is slower.
process.env.NODE_ENV ??= 'production';
await import(pathToFileURL(join(import.meta.dirname, '..', 'dist', 'server', 'entry.mjs')).href);

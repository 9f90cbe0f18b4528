/**
 * `npm start`: installs and builds what is missing, and serves the site. On a machine with a POSIX shell,
 * `scripts/start.sh` does the same with one process fewer.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './prepare.ts';

// Must be set before React is loaded, because React's development build is slower.
process.env.NODE_ENV ??= 'production';
await import(pathToFileURL(join(import.meta.dirname, '..', 'dist', 'server', 'entry.mjs')).href);

/** `npm run build`: builds the site into `dist` and stamps it with what it was built from. */
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'astro';
import { STAMP_FILE, sourceStamp } from './build-stamp.ts';

process.env.ASTRO_TELEMETRY_DISABLED = '1';
rmSync(STAMP_FILE, { force: true });
const stamp = sourceStamp();
await build({ logLevel: 'warn' });
writeFileSync(STAMP_FILE, stamp);

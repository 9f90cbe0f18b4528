/** `npm run build`: builds the site into `dist` and stamps it with a hash of the sources. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressFiles } from '@common-ink/http/static-files.ts';
import { build } from 'astro';
import { STAMP_FILE, sourceStamp } from './build-stamp.ts';

process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.NODE_ENV = 'production';
rmSync(STAMP_FILE, { force: true });
const stamp = sourceStamp();
await build({ logLevel: 'error' });
const dist = dirname(STAMP_FILE);
rmSync(join(dist, 'compressed'), { recursive: true, force: true });
compressFiles(join(dist, 'client', '_astro'), join(dist, 'compressed'));
writeFileSync(STAMP_FILE, stamp);

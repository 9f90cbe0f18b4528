import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a hash of the packages that the lock file in `root` installs. Ignores the versions of the project's own
 * packages, because every release changes them.
 * @param {string} root
 */
export function lockHash(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  return createHash('sha256').update(JSON.stringify(installed)).digest('hex');
}

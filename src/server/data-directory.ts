import { accessSync, chmodSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sticky bit, set on folders that are shared on purpose, such as /tmp. */
const STICKY = 0o1000;

/** Creates a folder, and closes it to other users unless it is sticky. @throws NodeJS.ErrnoException if not writable */
export function prepareDataDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!(statSync(directory).mode & STICKY)) closeToOthers(directory);
  accessSync(directory, constants.W_OK);
  const probe = join(directory, `.probe-${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe);
}

function closeToOthers(directory: string): void {
  try {
    chmodSync(directory, 0o700);
  } catch (error) {
    // Ignores EPERM, because another user may own the folder, as with a mounted volume.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
